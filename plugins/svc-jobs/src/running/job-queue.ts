/**
 * The queue in which jobs wait for workers: the table beside their records or, where the application passes `parts.queue`, a
 * queue of its own. Records stay in the database then, and so does the outbox, in the transaction of what they belong to; a
 * relay hands jobs over once that is committed.
 */
import type { FastifyBaseLogger } from 'fastify'
import { BootError, type Clock, type Problem } from 'svc-kernel'
import { type Queue, Relay } from 'svc-queue'
import { type HeldJob, QUEUE_OPERATIONS } from 'svc-queue/driver'
import { MAINTENANCE_LANE } from '../definitions/system-jobs.ts'
import type { JobsConfig } from '../options.ts'
import type { JobStore } from '../records/job-store.ts'
import { RELAY_TEXTS } from './job-texts.ts'

export interface JobQueueParts {
  readonly options: Pick<JobsConfig, 'lanes'>
  /** `parts.queue`. */
  readonly own: Queue | undefined
  readonly store: Pick<JobStore, 'queue'>
  /** The driver of the store. */
  readonly driver: string | null
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** A worker looks for jobs. */
  readonly look: () => void
}

export interface JobQueue {
  readonly queue: Queue
  /** How long the job has been due that waits longest, there or to be handed over, ms; `null`: none is known to be. */
  lateMs(): Promise<number | null>
  /** Jobs have been stored. */
  added(): void
  start(): Promise<void>
  stop(): Promise<void>
}

const NOTICE =
  'adding jobs is not transactional with parts.queue: a job is stored in the database with your transaction, and handed to ' +
  'the queue after it. It is handed over later if this process ends in between or the queue is away, and may be handed over twice'

/** @throws BootError (SVC_JOBS_QUEUE) */
export function openJobQueue({ own, store, clock, log, look, ...facts }: JobQueueParts): JobQueue {
  if (own === undefined) {
    const nothing = () => Promise.resolve()
    const added = onceATurn(look)
    return {
      queue: store.queue,
      lateMs: () => lateIn([store.queue], MAINTENANCE_LANE),
      added,
      start: nothing,
      stop: nothing
    }
  }
  const problems = problemsOf(own, facts)
  if (problems.length > 0) throw new BootError(problems)
  const relay = new Relay({
    outbox: store.queue,
    queue: own,
    idOf: placeOf,
    texts: RELAY_TEXTS,
    clock,
    log,
    relayed: look
  })
  return {
    queue: own,
    lateMs: () => lateIn([relay, own]),
    added: () => relay.look(),
    start: () => {
      log.info(NOTICE)
      return relay.start()
    },
    stop: () => relay.stop()
  }
}

/** What is called several times in a turn of the event loop works once, after it: jobs that are added by then are claimed together. */
function onceATurn(work: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      isDue = false
      work()
    })
  }
}

async function lateIn(queues: readonly Pick<Queue, 'lateMs'>[], besides?: string): Promise<number | null> {
  const late = (await Promise.all(queues.map((queue) => queue.lateMs?.(besides)))).filter(
    (ms) => typeof ms === 'number'
  )
  return late.length === 0 ? null : Math.max(...late)
}

/**
 * A queue may not know yet that a job that is retried has ended, and would ignore it, or take the end of the attempt before
 * for that of the next: it gets each round under an id of its own.
 */
function placeOf({ id, payload }: HeldJob): string {
  const { round } = JSON.parse(payload) as { readonly round?: string }
  return round === undefined ? id : `${id}${ROUND}${round}`
}

/** @param place id in the queue @returns of the job */
export function jobIdOf(place: string): string {
  const end = place.indexOf(ROUND)
  return end === -1 ? place : place.slice(0, end)
}

const ROUND = '.'

/** What keeps jobs from waiting there, all of it. */
function problemsOf(own: Queue, { options, driver }: Pick<JobQueueParts, 'options' | 'driver'>): Problem[] {
  const problem = (message: string, fix: string): Problem => ({ code: JOB_QUEUE, at: 'parts.queue', message, fix })
  const problems: Problem[] = []
  const lacking = QUEUE_OPERATIONS.filter((name) => typeof own[name] !== 'function')
  if (lacking.length > 0)
    problems.push(problem(`parts.queue of svc-jobs lacks ${lacking.join(', ')}`, 'pass a driver of Queue of svc-queue'))
  const limited = Object.keys(options.lanes)
  if (limited.length > 0 && own.lanes === undefined) {
    const message = `lanes limits ${limited.join(', ')}, and parts.queue of svc-jobs cannot limit lanes`
    problems.push(problem(message, 'remove lanes, or leave out parts.queue: jobs then wait in the database, which can'))
  }
  if (driver === 'memory') {
    const message = 'jobs are stored in memory, where the other processes of parts.queue do not find them'
    problems.push(problem(message, 'register svc-sqlorm or svc-docdb before svc-jobs'))
  }
  return problems
}

const JOB_QUEUE = 'SVC_JOBS_QUEUE'
