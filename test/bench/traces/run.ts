/**
 * Measures what traces cost: a call site that finds no subscriber beside the same code without the call site, in time and
 * in bytes allocated, and a guarded route that reads from SQLite without svc-otel, with it, and under `@fastify/otel`. Each
 * side runs in processes of its own, which take turns.
 *
 *   npm run bench -- traces     3 rounds
 *   npm run bench -- traces 9   9 rounds
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { eachInTurn } from '../measured/in-turn.ts'
import type { Cost } from './calls.ts'
import type { RouteCost, Side } from './route.ts'
import { removeCallSites } from './without-call-sites.ts'

type Costs = Record<string, Cost>

const REMOVED = 'removed'
const ROUTE: readonly Side[] = ['absent', REMOVED, 'no SDK', 'SDK', '@fastify/otel']

const [given = '3', side] = process.argv.slice(2)
if (given === 'calls' || given === 'route') await child(given, side as Side)
else await compare(Number(given))

async function child(what: 'calls' | 'route', side: Side): Promise<void> {
  const removed = side === REMOVED ? removeCallSites() : null
  // Imported late, so that the call sites can be removed.
  const costs =
    what === 'calls'
      ? await (await import('./calls.ts')).measureCalls()
      : await (await import('./route.ts')).measureRoute(side)
  if (removed?.() === 0) throw new Error('no call site was removed: both sides are the same')
  process.stdout.write(JSON.stringify(costs))
}

function measured<T>(...given: readonly string[]): T {
  const file = fileURLToPath(import.meta.url)
  return JSON.parse(execFileSync(process.execPath, [...process.execArgv, file, ...given], { encoding: 'utf8' })) as T
}

async function compare(rounds: number): Promise<void> {
  const kept: Costs[] = []
  const gone: Costs[] = []
  const routes = new Map<Side, RouteCost[]>(ROUTE.map((side) => [side, []]))
  for (let round = 0; round < rounds; round += 1) {
    await eachInTurn([kept, gone], round, async (costs) => {
      costs.push(measured<Costs>('calls', costs === gone ? REMOVED : 'absent'))
    })
    await eachInTurn(ROUTE, round, async (side) => void routes.get(side)?.push(measured<RouteCost>('route', side)))
  }
  process.stdout.write(`Node ${process.versions.node}, ${rounds} rounds: lowest / median\n\n`)
  process.stdout.write('| call | without the call site, ns | with it, ns | ratio | bytes without | bytes with |\n')
  process.stdout.write('| --- | ---: | ---: | ---: | ---: | ---: |\n')
  for (const name of Object.keys(kept[0] ?? {})) {
    const [without, withIt] = [gone, kept].map((costs) => costs.map((cost) => cost[name] as Cost)) as [Cost[], Cost[]]
    const [before, after] = [without, withIt].map((costs) => spread(costs.map(({ ns }) => ns))) as [Spread, Spread]
    const bytes = [without, withIt].map((costs) => spread(costs.map((cost) => cost.bytes)).median.toFixed(0))
    row(name, shown(before), shown(after), ratio(after, before), ...bytes)
  }
  process.stdout.write('\n| the route | us of processor | ratio | spans |\n| --- | ---: | ---: | ---: |\n')
  const base = spread((routes.get('absent') ?? []).map(({ us }) => us))
  for (const [side, costs] of routes) {
    const us = spread(costs.map((cost) => cost.us))
    row(side, shown(us), ratio(us, base), String(costs[0]?.spans))
  }
}

interface Spread {
  readonly lowest: number
  readonly median: number
}

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  return { lowest: sorted[0] as number, median: sorted[Math.floor(sorted.length / 2)] as number }
}

function shown({ lowest, median }: Spread): string {
  return `${lowest.toPrecision(3)} / ${median.toPrecision(3)}`
}

function ratio(of: Spread, beside: Spread): string {
  return `${(of.lowest / beside.lowest).toFixed(2)} / ${(of.median / beside.median).toFixed(2)}`
}

function row(...cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
