/**
 * Measures what a limit costs: in memory beside rate-limiter-flexible, in a database beside the one statement by hand
 * that does the same, and a limited route beside a free one. Interleaved rounds, medians.
 *
 *   npm run bench -- limits     15 rounds
 *   npm run bench -- limits 5   5 rounds
 */
import { isThenable } from 'svc-kernel/plugin'
import { type Case, databaseCases, memoryCases, routeCases } from './cases.ts'

const [rounds = 15] = process.argv.slice(2).map(Number)

interface Group {
  readonly title: string
  /** The first is what the others are compared with. */
  readonly cases: readonly Case[]
  readonly calls: number
}

const groups: readonly Group[] = [
  { title: 'memory', cases: memoryCases(), calls: 100_000 },
  { title: 'a route, injected', cases: await routeCases(), calls: 5_000 },
  ...(await databaseCases()).map(({ title, cases }) => ({ title, cases, calls: 2_000 }))
]

process.stdout.write(`Node ${process.versions.node}, ${rounds} interleaved rounds\n`)
for (const { title, cases, calls } of groups) {
  const times = cases.map(() => [] as number[])
  for (let turn = -1; turn < rounds; turn += 1) {
    for (let step = 0; step < cases.length; step += 1) {
      // The order turns, so that none always runs on the warmer machine.
      const index = (turn + 1 + step) % cases.length
      const ns = await round(cases[index] as Case, calls)
      if (turn >= 0) times[index]?.push(ns)
    }
  }
  const medians = times.map(median)
  const base = medians[0] ?? 1
  process.stdout.write(`\n| ${title} | microseconds per call | beside the first |\n|---|---:|---:|\n`)
  for (const [index, { name }] of cases.entries()) {
    const ns = medians[index] ?? 0
    process.stdout.write(`| ${name} | ${(ns / 1000).toFixed(2)} | ${(ns / base).toFixed(2)} |\n`)
  }
}
for (const { close } of groups.flatMap(({ cases }) => cases)) await close?.()

async function round({ work }: Case, calls: number): Promise<number> {
  const start = process.hrtime.bigint()
  for (let index = 0; index < calls; index += 1) {
    const pending = work(index)
    if (isThenable(pending)) await pending
  }
  return Number(process.hrtime.bigint() - start) / calls
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
