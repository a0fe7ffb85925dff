/**
 * Jobs of svc beside pg-boss, graphile-worker and BullMQ, in one run on one machine: how soon a job begins, how fast jobs
 * are added, one by one and in bulk, and how fast they run. The order of the sides turns; medians. Servers are started for
 * it: PostgreSQL without fsync for all, Redis with its log written once a second.
 *
 *   npm run bench -- jobs          3 rounds of 10000 jobs
 *   npm run bench -- jobs 1 1000   1 round of 1000
 *   npm run bench -- jobs million  beside a million jobs that have ended, see million.ts
 *   npm run bench -- jobs cost     rows and bytes that a job costs PostgreSQL, see cost.ts
 *   npm run bench -- jobs memory   what a job costs without a database, see memory.ts
 */
import { performance } from 'node:perf_hooks'
import { postgres, redis, sqlite } from '../measured/engines.ts'
import { measureCost } from './cost.ts'
import { measureMemory } from './memory.ts'
import { measureMillion } from './million.ts'
import { bulkRate, CONCURRENCY, median, runRate, singleRate } from './rates.ts'
import type { NamedSide, Side } from './side.ts'
import { sidesOf } from './sides.ts'

const [first, ...others] = process.argv.slice(2)
const SAMPLES = 200

/** Figures of one side in one round. */
interface Figures {
  /** From the call that adds a job to its begin, ms. */
  readonly startP50: number
  readonly startP99: number
  /** Jobs a second. */
  readonly singly: number
  readonly bulk: number
  readonly run: number
  /** A worker that starts and stops, ms. */
  readonly upAndDown: number
}

async function compare(rounds = 3, jobs = 10_000): Promise<void> {
  const engines = { sqlite: sqlite(), postgres: await postgres(), redis: await redis() }
  try {
    const sides = sidesOf(engines)
    const figures = new Map(sides.map((side) => [side, [] as Figures[]]))
    for (let round = 0; round < rounds; round += 1) {
      for (let step = 0; step < sides.length; step += 1) {
        const side = sides[(round + step) % sides.length] as NamedSide
        figures.get(side)?.push(await measure(await side.open(), jobs))
      }
    }
    print(figures, rounds, jobs)
  } finally {
    for (const engine of Object.values(engines)) await engine?.close()
  }
}

async function measure(side: Side, jobs: number): Promise<Figures> {
  const bulk = await bulkRate(side, jobs)
  const ran = await runRate(side, jobs)
  const singly = await singleRate(side, jobs)
  await runRate(side, jobs)
  const [startP50, startP99] = await startTimes(side)
  const begin = performance.now()
  await (await side.work(CONCURRENCY, () => undefined))()
  const upAndDown = performance.now() - begin
  await side.close()
  return { bulk, run: ran, singly, startP50, startP99, upAndDown }
}

async function startTimes(side: Side): Promise<readonly [p50: number, p99: number]> {
  let began: (at: number) => void = () => undefined
  const stop = await side.work(CONCURRENCY, () => began(performance.now()))
  const times: number[] = []
  for (let sample = -20; sample < SAMPLES; sample += 1) {
    const begun = new Promise<number>((resolve) => (began = resolve))
    const added = performance.now()
    await side.add(sample)
    const ms = (await begun) - added
    if (sample >= 0) times.push(ms)
  }
  await stop()
  times.sort((a, b) => a - b)
  return [times[Math.floor(SAMPLES * 0.5)] as number, times[Math.floor(SAMPLES * 0.99)] as number]
}

function print(figures: ReadonlyMap<NamedSide, readonly Figures[]>, rounds: number, jobs: number): void {
  process.stdout.write(
    `\nNode ${process.versions.node}, ${rounds} rounds of ${jobs} jobs, ${CONCURRENCY} at a time\n\n`
  )
  process.stdout.write(
    '| | begins after, p50 ms | p99 ms | added one by one, a second | in bulk | run, a second | up and down, ms | keeps history |\n'
  )
  process.stdout.write('|---|---:|---:|---:|---:|---:|---:|---|\n')
  for (const [{ name, history }, rows] of figures) {
    const of = (key: keyof Figures) => median(rows.map((row) => row[key]))
    const whole = (key: keyof Figures) => String(Math.round(of(key)))
    const cells = [
      of('startP50').toFixed(1),
      of('startP99').toFixed(1),
      whole('singly'),
      whole('bulk'),
      whole('run'),
      whole('upAndDown')
    ]
    process.stdout.write(`| ${[name, ...cells, history ? 'yes' : 'no'].join(' | ')} |\n`)
  }
}

const numbers = others.map(Number)
if (first === 'million') {
  const [rows = 1_000_000, rounds = 3] = numbers
  await measureMillion(rows, rounds)
} else if (first === 'cost') {
  await measureCost(...numbers)
} else if (first === 'memory') {
  await measureMemory(numbers[0])
} else {
  await compare(...(first === undefined ? [] : [Number(first), ...numbers]))
}
