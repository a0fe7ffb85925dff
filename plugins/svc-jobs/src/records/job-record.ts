/** A job as its table has it, from the moment when it is added until it is purged. */
import type { JobCause, Priority } from 'svc-kernel'
import type { CarriedIdentity } from 'svc-kernel/plugin'
import { isNull, type TablePlan } from 'svc-stores/table'

/**
 * - `blocked`: jobs before it are not done
 * - `waiting`: it is due, or will be
 * - `running`: an attempt has begun that is not over
 * - `done`
 * - `failed`: its last attempt failed
 * - `parked`: it cannot run as things are, and is not tried again until somebody retries it
 * - `cancelled`
 */
export type JobState = (typeof JOB_STATES)[number]

export const JOB_STATES = ['blocked', 'waiting', 'running', 'done', 'failed', 'parked', 'cancelled'] as const

/** How far an attempt has come, as it says. */
export interface JobProgress {
  /** From 0 to 1. */
  readonly value: number
  readonly text: string | null
}

/** Who caused a job, with what goes along for when it runs. */
export interface StoredCause extends JobCause {
  /** Who it runs as; absent where the application has no methods that are jobs. */
  readonly identity?: CarriedIdentity | null
  /** What it was added within, such as row scopes. */
  readonly contexts?: Readonly<Record<string, unknown>>
}

export interface JobRecord {
  /** A UUID of version 7: later jobs sort after earlier ones. */
  readonly id: string
  readonly name: string
  readonly lane: string
  /** The job of a maintenance task: lists and counts have it only where they are asked for it. */
  readonly system: boolean
  readonly priority: Priority
  readonly state: JobState
  /** JSON. */
  readonly body: unknown
  /** Its unique key; null without one. */
  readonly key: string | null
  /** The same until the job has ended or, once it is done, until `uniqueUntil`: only such jobs collide. */
  readonly uniqueKey: string | null
  /** Epoch ms; `null`: a job that is done gives its key away at once. */
  readonly uniqueUntil: number | null
  /** The batch that it follows: it is `blocked` until all jobs of that are done. `null`: it follows none. */
  readonly batch: string | null
  /** How many batches count its end; `null`: none. */
  readonly followed: number | null
  readonly traceparent: string | null
  /** Who caused it; `null`: the application itself. */
  readonly cause: StoredCause | null
  /** Attempts that are over. */
  readonly attempts: number
  /** Attempts that ended with their process. */
  readonly interruptions: number
  /** Why the last attempt failed, or why the job is parked: a sentence without secrets. */
  readonly reason: string | null
  /** What its last attempt said; `null`: nothing. */
  readonly progress: JobProgress | null
  /** Epoch ms, as all of these. */
  readonly addedAt: number
  readonly dueAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Those that have not ended. */
export const OPEN_STATES: readonly JobState[] = ['blocked', 'waiting', 'running']

/**
 * The same as a condition beside ids. States would not do: after a long history the planner takes open jobs for rare, and
 * reads all that wait instead of those with the ids.
 */
export const OPEN = { endedAt: isNull } as const

export const jobPlan: TablePlan = {
  name: 'svc_job',
  collection: 'job',
  record: 'job',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'name', type: 'text' },
    { name: 'lane', type: 'text' },
    { name: 'state', type: 'text' },
    { name: 'body', type: 'document' },
    { name: 'key', type: 'text', nullable: true },
    { name: 'uniqueKey', type: 'text', nullable: true },
    { name: 'uniqueUntil', type: 'time', nullable: true },
    { name: 'batch', type: 'text', nullable: true },
    { name: 'followed', type: 'integer', nullable: true },
    { name: 'traceparent', type: 'text', nullable: true },
    { name: 'cause', type: 'document', nullable: true },
    { name: 'attempts', type: 'integer' },
    { name: 'interruptions', type: 'integer' },
    { name: 'reason', type: 'text', nullable: true },
    { name: 'progress', type: 'document', nullable: true },
    { name: 'addedAt', type: 'time' },
    { name: 'dueAt', type: 'time' },
    { name: 'startedAt', type: 'time', nullable: true },
    { name: 'endedAt', type: 'time', nullable: true },
    { name: 'priority', type: 'text', default: 'normal' },
    { name: 'system', type: 'boolean', default: false }
  ],
  indexes: [
    { columns: ['uniqueKey'], unique: true, held: 'uniqueKey', name: 'by_unique_key' },
    { columns: ['system', 'state', 'id'], name: 'by_system_and_state' },
    { columns: ['name', 'state', 'id'], name: 'by_name' },
    { columns: ['endedAt', 'id'], held: 'endedAt', name: 'by_end_and_id' }
  ]
}
