/**
 * Instances that share jobs, killed one after the other under load, their database struck meanwhile, their clocks an hour
 * apart. At the end each job of an answered request has run to its end at least once; no job ran twice at the same moment,
 * nor two jobs of one unique key. Nothing here asserts: it reports what was seen.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Backend } from '../campaign/backends/backend.ts'
import { Instance } from '../instance-process.ts'
import { Referee } from './referee.ts'

export interface JobPlan {
  readonly instances: number
  /** Kills, one instance each. */
  readonly kills: number
  /** Between two kills. */
  readonly everyMs: number
  /** Requests under way at a time. */
  readonly callers: number
  /** Of each caller between two requests. */
  readonly pauseMs: number
}

export interface JobReport {
  readonly acknowledged: number
  readonly refused: number
  /** Jobs that ran to their end more than once. */
  readonly repeated: number
  /** Acknowledged, and never ran to their end. */
  readonly lost: readonly string[]
  readonly overlaps: readonly string[]
  /** Instances that ended though they were not killed. */
  readonly crashes: readonly string[]
  /** Ends a second before the first kill, and after the last one. */
  readonly rates: readonly [before: number, after: number]
}

/** Time runs faster for jobs: a silent instance is replaced after 1.5 s. */
const FAST = 20
const CLOCKS_OFF_MS = [0, 3_600_000, -3_600_000]
const PATIENCE_MS = 90_000
const MEASURED_MS = 2_000
const KINDS = ['plain', 'shaky', 'unique'] as const
const PROGRAM = fileURLToPath(new URL('./job-app.js', import.meta.url))

export async function runJobCampaign(backend: Backend, plan: JobPlan): Promise<JobReport> {
  const referee = await Referee.start((kind) => (kind === 'unique' ? 'unique' : null))
  const fast = { times: FAST, since: Date.now() }
  const instances = Array.from({ length: plan.instances }, (_, instance) => {
    const offMs = CLOCKS_OFF_MS[instance % CLOCKS_OFF_MS.length] ?? 0
    return new Instance(PROGRAM, { storage: backend.storage, fast, offMs, referee: referee.url })
  })
  const load = new Load(instances)
  try {
    // One by one: the first makes the tables.
    for (const instance of instances) await instance.start()
    load.start(plan)
    const before = await rateOf(referee)
    for (let kill = 0; kill < plan.kills; kill += 1) {
      await sleep(plan.everyMs)
      const victim = instances[kill % instances.length] as Instance
      const { pid } = victim
      await victim.end('SIGKILL')
      if (pid !== undefined) referee.killed(pid)
      if (kill === Math.floor(plan.kills / 2)) await strike(backend)
      await victim.start()
    }
    await sleep(plan.everyMs)
    const after = await rateOf(referee)
    await load.stop()
    const end = performance.now() + PATIENCE_MS
    while (lost(load, referee).length > 0 && performance.now() < end) await sleep(100)
    const { ended, overlaps } = referee
    return {
      acknowledged: load.acknowledged.size,
      refused: load.refused,
      repeated: [...ended.values()].filter((times) => times > 1).length,
      lost: lost(load, referee),
      overlaps,
      crashes: instances.flatMap(({ crashes }) => crashes),
      rates: [before, after]
    }
  } finally {
    await load.stop()
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    referee.stop()
  }
}

/** Asks instances in turn for jobs, and remembers what they acknowledged. */
class Load {
  readonly acknowledged = new Set<string>()
  refused = 0
  readonly #instances: readonly Instance[]
  #callers: Promise<void>[] = []
  #running = false
  #count = 0

  constructor(instances: readonly Instance[]) {
    this.#instances = instances
  }

  start({ callers, pauseMs }: JobPlan): void {
    this.#running = true
    this.#callers = Array.from({ length: callers }, () => this.#call(pauseMs))
  }

  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#callers)
  }

  async #call(pauseMs: number): Promise<void> {
    while (this.#running) {
      this.#count += 1
      const job = `${KINDS[this.#count % KINDS.length]}/${this.#count}`
      const instance = this.#instances[this.#count % this.#instances.length] as Instance
      if (await instance.post(`/add/${job}`)) this.acknowledged.add(job)
      else {
        this.refused += 1
        await sleep(20)
      }
      await sleep(pauseMs)
    }
  }
}

/** Strikes the server of the database once; a file in the application has none. */
async function strike({ faults }: Backend): Promise<void> {
  const restart = faults.find(({ name }) => name === 'the server is killed')
  await restart?.strike(0)
  await restart?.mend(0)
}

/** A job that found its unique key taken is the one that has it, and need not run under this name. */
function lost({ acknowledged }: Load, { ended }: Referee): string[] {
  return [...acknowledged].filter((job) => !job.startsWith('unique/') && !ended.has(job))
}

async function rateOf({ ended }: Referee): Promise<number> {
  const before = ended.size
  await sleep(MEASURED_MS)
  return ((ended.size - before) / MEASURED_MS) * 1000
}
