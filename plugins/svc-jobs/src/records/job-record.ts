/** A job as its table has it, from the moment when it is added until it is purged. */
import type { TablePlan } from 'svc-stores/table'
import type { JobCause } from '../operations/job-cause.ts'

/**
 * - `waiting`: it is due, or will be
 * - `running`: an attempt has begun that is not over
 * - `done`
 * - `failed`: its last attempt failed
 * - `parked`: it cannot run as things are, and is not tried again until somebody retries it
 * - `cancelled`
 */
export type JobState = (typeof JOB_STATES)[number]

export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'parked', 'cancelled'] as const

export interface JobRecord {
  /** A UUID of version 7: later jobs sort after earlier ones. */
  readonly id: string
  readonly name: string
  readonly lane: string
  readonly state: JobState
  /** JSON. */
  readonly body: unknown
  /** Its unique key; null without one. */
  readonly key: string | null
  /** The same until the job has ended: only jobs that have not ended collide. */
  readonly uniqueKey: string | null
  readonly traceparent: string | null
  /** Who caused it; `null`: the application itself. */
  readonly cause: JobCause | null
  /** Attempts that are over. */
  readonly attempts: number
  /** Attempts that ended with their process. */
  readonly interruptions: number
  /** Why the last attempt failed, or why the job is parked: a sentence without secrets. */
  readonly reason: string | null
  /** Epoch ms, as all of these. */
  readonly addedAt: number
  readonly dueAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Those that have not ended. */
export const OPEN_STATES: readonly JobState[] = ['waiting', 'running']

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
    { name: 'traceparent', type: 'text', nullable: true },
    { name: 'cause', type: 'document', nullable: true },
    { name: 'attempts', type: 'integer' },
    { name: 'interruptions', type: 'integer' },
    { name: 'reason', type: 'text', nullable: true },
    { name: 'addedAt', type: 'time' },
    { name: 'dueAt', type: 'time' },
    { name: 'startedAt', type: 'time', nullable: true },
    { name: 'endedAt', type: 'time', nullable: true }
  ],
  indexes: [
    { columns: ['uniqueKey'], unique: true, held: 'uniqueKey', name: 'by_unique_key' },
    { columns: ['state', 'id'], name: 'by_state' },
    { columns: ['name', 'state', 'id'], name: 'by_name' },
    { columns: ['endedAt'], held: 'endedAt', name: 'by_end' }
  ]
}
