/**
 * Instances that share jobs, killed one after the other under load, their storage struck meanwhile by one fault after the
 * other, their clocks an hour apart. At the end each job of an answered request has run to its end at least once; no job
 * ran twice at the same moment, nor two jobs of one unique key, and of a lane with a rate no more began than it lets
 * through. Nothing here asserts: it reports what was seen.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Callers, type CallersPlan } from '../callers.ts'
import type { Backend } from '../campaign/backends/backend.ts'
import { Instance } from '../instance-process.ts'
import { PACE } from './job-app.ts'
import { jobStorage } from './job-faults.ts'
import { foundOf, redriven } from './operator.ts'
import { Referee } from './referee.ts'

/** A phase begins with each kill, and with each new start. */
export interface JobPlan extends CallersPlan {
  readonly instances: number
  /** Kills, one instance each. Default: one for each fault of the storage, and three at least. */
  readonly kills?: number
  /** Between two kills. */
  readonly everyMs: number
  /** A fault of the storage follows each kill, and is over after so long. */
  readonly dwellMs: number
  /** So often the rate is looked at after the last kill, until it is what it was. */
  readonly looks: number
}

export interface JobReport {
  readonly acknowledged: number
  readonly refused: number
  /** Jobs that ran to their end more than once. */
  readonly repeated: number
  /** Acknowledged, and never ran to their end, with what their records say. */
  readonly lost: readonly string[]
  /** With their reasons, and put back. */
  readonly parked: readonly string[]
  readonly overlaps: readonly string[]
  /** The most jobs of the lane with a rate that began within its time. */
  readonly paced: number
  /** Instances that ended though they were not killed. */
  readonly crashes: readonly string[]
  /** How often each fault struck, by name. */
  readonly struck: Readonly<Record<string, number>>
  /** Ends a second before the first kill, and the most in one look after the last one. */
  readonly rates: readonly [before: number, after: number]
}

/** Time runs faster for jobs: a silent instance is replaced after 3 s. */
const FAST = 10
const CLOCKS_OFF_MS = [0, 3_600_000, -3_600_000]
/** Let through before, and heard to begin later: one waits for a slot in each instance, others are on their way. */
const LATE = 6
/** The most jobs of the lane with a rate that may be heard to begin within its time. */
export const MOST_PACED = PACE.max + PACE.burst + LATE
/** Jobs of the lane with a rate: its queue is to end in time. */
const PACED = 24
/** Of each instance one. */
const LEAST_KILLS = 3
const PATIENCE_MS = 90_000
const MEASURED_MS = 2_000
/** The part of the rate before the first kill that comes back. */
export const RECOVERED = 0.95
const KINDS = ['plain', 'shaky', 'unique', 'till', 'paced'] as const
const PROGRAM = fileURLToPath(new URL('./job-app.js', import.meta.url))

export async function runJobCampaign(backend: Backend, plan: JobPlan): Promise<JobReport> {
  const { storage, redis, faults, close } = await jobStorage(backend)
  const { kills = Math.max(LEAST_KILLS, faults.length) } = plan
  // BullMQ limits no lanes.
  const alone = redis === undefined ? ['unique', 'till'] : ['unique']
  const referee = await Referee.start((kind) => (alone.includes(kind) ? kind : null))
  const fast = { times: FAST, since: Date.now() }
  const instances = Array.from({ length: plan.instances }, (_, instance) => {
    const offMs = CLOCKS_OFF_MS[instance % CLOCKS_OFF_MS.length] ?? 0
    return new Instance(PROGRAM, { storage, redis, fast, offMs, referee: referee.url })
  })
  const struck: Record<string, number> = {}
  const acknowledged = new Set<string>()
  // A job that found its unique key taken is the one that has it, and need not run under this name.
  const lost = () => [...acknowledged].filter((job) => !job.startsWith('unique/') && !referee.ended.has(job))
  let load: Callers | null = null
  try {
    // One by one: the first makes the tables.
    for (const instance of instances) await instance.start()
    load = new Callers(plan, addTo(instances, acknowledged))
    const before = await rateOf(referee)
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(plan.everyMs)
      const victim = instances[kill % instances.length] as Instance
      const { pid } = victim
      await victim.end('SIGKILL')
      load.next()
      if (pid !== undefined) referee.killed(pid)
      const fault = faults[kill % faults.length]
      if (fault !== undefined) {
        struck[fault.name] = (struck[fault.name] ?? 0) + 1
        const writer = instances.find(({ running }) => running)?.pid ?? 0
        await fault.strike(writer)
        await sleep(plan.dwellMs)
        await fault.mend(writer)
      }
      await victim.start()
      load.next()
    }
    await sleep(plan.everyMs)
    const after = await rateAfter(referee, before, plan.looks)
    await load.stop()
    const parked = await redriven(instances[0] as Instance, referee, lost, PATIENCE_MS)
    const { ended, overlaps } = referee
    return {
      acknowledged: acknowledged.size,
      refused: load.refused,
      repeated: [...ended.values()].filter((times) => times > 1).length,
      lost: await foundOf(instances[0] as Instance, lost()),
      parked,
      overlaps,
      paced: mostWithin(referee.begun.get('paced') ?? [], (PACE.perS * 1000) / FAST),
      crashes: instances.flatMap(({ crashes }) => crashes),
      struck,
      rates: [before, after]
    }
  } finally {
    await load?.stop()
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    referee.stop()
    close()
  }
}

/** Asks instances in turn for jobs of each kind, and remembers what they acknowledged. */
function addTo(instances: readonly Instance[], acknowledged: Set<string>): (count: number) => Promise<boolean> {
  let paced = 0
  return async (count) => {
    const kind = KINDS[count % KINDS.length] ?? 'plain'
    const isMore = kind === 'paced' && paced >= PACED
    if (kind === 'paced') paced += 1
    const job = `${isMore ? 'plain' : kind}/${count}`
    const isAcknowledged = await (instances[count % instances.length] as Instance).post(`/add/${job}`)
    if (isAcknowledged) acknowledged.add(job)
    return isAcknowledged
  }
}

/** @param moments in order */
function mostWithin(moments: readonly number[], ms: number): number {
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + ms).length))
}

/** Looks until the rate is what it was, for a while. */
async function rateAfter(referee: Referee, before: number, most: number): Promise<number> {
  let rate = 0
  for (let looks = 0; looks < most && rate < before * RECOVERED; looks += 1) {
    rate = Math.max(rate, await rateOf(referee))
  }
  return rate
}

async function rateOf({ ended }: Referee): Promise<number> {
  const before = ended.size
  await sleep(MEASURED_MS)
  return ((ended.size - before) / MEASURED_MS) * 1000
}
