/** The benchmarks of both checkouts run in turn; of each case the least figure counts, because load from elsewhere only ever adds. */
import { costsIn } from './costs.ts'
import { type QuickBenchmark, runBenchmark } from './quick-benchmarks.ts'

export interface SocketCase {
  readonly name: string
  readonly before: number
  readonly now: number
  readonly slower: boolean
}

export interface SocketPlan {
  readonly before: string
  readonly now: string
  readonly rounds: number
  readonly allowed: number
}

/** A benchmark with a case that is slower gets as many rounds again: its least figures can only come nearer to the truth. */
export async function compareSocketRuns(
  benchmarks: readonly QuickBenchmark[],
  plan: SocketPlan
): Promise<SocketCase[]> {
  const cases: SocketCase[] = []
  for (const benchmark of benchmarks) {
    const least = { before: new Map<string, number>(), now: new Map<string, number>() }
    await runRounds(benchmark, plan, least)
    if (casesOf(benchmark, least, plan.allowed).some(({ slower }) => slower)) await runRounds(benchmark, plan, least)
    cases.push(...casesOf(benchmark, least, plan.allowed))
  }
  return cases
}

type Least = Readonly<Record<'before' | 'now', Map<string, number>>>

async function runRounds(benchmark: QuickBenchmark, plan: SocketPlan, least: Least): Promise<void> {
  const sides = [
    { folder: plan.before, costs: least.before },
    { folder: plan.now, costs: least.now }
  ]
  for (let round = 0; round < plan.rounds; round += 1) {
    // The order alternates, so that neither side always runs on the warmer machine.
    for (const { folder, costs } of round % 2 === 0 ? sides : sides.toReversed()) {
      for (const [name, cost] of costsIn(await runBenchmark(folder, benchmark))) {
        costs.set(name, Math.min(cost, costs.get(name) ?? Number.POSITIVE_INFINITY))
      }
    }
  }
}

function casesOf(benchmark: QuickBenchmark, least: Least, allowed: number): SocketCase[] {
  return [...least.now].flatMap(([name, now]) => {
    const before = least.before.get(name)
    if (before === undefined) return []
    return [{ name: `${benchmark.name}: ${name}`, before, now, slower: now / before > 1 + allowed }]
  })
}

/** A Markdown table of the cases. */
export function socketTable(cases: readonly SocketCase[]): string {
  const rows = cases.map(({ name, before, now, slower }) => {
    return `| ${[name, before, now, (now / before).toFixed(2), slower ? 'slower' : ''].join(' | ')} |`
  })
  return ['| case | before | now | now / before | |\n|---|---:|---:|---:|---|', ...rows].join('\n')
}
