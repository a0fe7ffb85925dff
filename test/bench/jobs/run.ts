/**
 * Jobs of svc beside pg-boss, graphile-worker and BullMQ, in one run on one machine: how soon a job begins, how fast jobs
 * are added, one by one and in bulk, and how fast they run. The order of the sides turns; medians. Servers are started for
 * it: PostgreSQL without fsync for all, Redis with its log written once a second.
 *
 *   npm run bench -- jobs          3 rounds of 10000 jobs
 *   npm run bench -- jobs 1 1000   1 round of 1000
 */
import { performance } from 'node:perf_hooks'
import { postgres, redis, sqlite } from '../measured/engines.ts'
import type { NamedSide, Side } from './side.ts'
import { sidesOf, Turnout } from './sides.ts'

const [rounds = 3, jobs = 10_000] = process.argv.slice(2).map(Number)
const SAMPLES = 200
const CONCURRENCY = 50
/** Jobs of one call that adds many. */
const AT_ONCE = 1_000
/** Callers that add one by one. */
const CALLERS = 10

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

const engines = { sqlite: sqlite(), postgres: await postgres(), redis: await redis() }
try {
  const sides = sidesOf(engines)
  const figures = new Map(sides.map((side) => [side, [] as Figures[]]))
  for (let round = 0; round < rounds; round += 1) {
    for (let step = 0; step < sides.length; step += 1) {
      const side = sides[(round + step) % sides.length] as NamedSide
      figures.get(side)?.push(await measure(await side.open()))
    }
  }
  print(figures)
} finally {
  for (const engine of Object.values(engines)) await engine?.close()
}

async function measure(side: Side): Promise<Figures> {
  const bulk = await rate(() => addMany(side))
  const ran = await runAll(side)
  const singly = await rate(() => addSingly(side))
  await runAll(side)
  const [startP50, startP99] = await startTimes(side)
  const begin = performance.now()
  await (await side.work(CONCURRENCY, () => undefined))()
  const upAndDown = performance.now() - begin
  await side.close()
  return { bulk, run: ran, singly, startP50, startP99, upAndDown }
}

async function addMany({ addMany }: Side): Promise<void> {
  for (let first = 0; first < jobs; first += AT_ONCE) {
    await addMany(Array.from({ length: Math.min(AT_ONCE, jobs - first) }, (_, index) => first + index))
  }
}

async function addSingly({ add }: Side): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < jobs) {
      next += 1
      await add(next)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

/** Jobs a second, from the start of a worker until it has begun all and stopped. */
async function runAll(side: Side): Promise<number> {
  return rate(async () => {
    const turnout = new Turnout()
    const stop = await side.work(CONCURRENCY, turnout.begun)
    await turnout.of(jobs)
    await stop()
  })
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

async function rate(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return (jobs / (performance.now() - begin)) * 1000
}

function print(figures: ReadonlyMap<NamedSide, readonly Figures[]>): void {
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

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
