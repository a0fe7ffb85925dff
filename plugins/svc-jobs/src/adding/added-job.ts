/** What a caller says of a job that it adds, and what it is told of the one that is stored. */
import type { Priority } from 'svc-kernel'
import type { JobRecord, JobState } from '../records/job-record.ts'
import type { NewRecord } from '../records/job-store.ts'

/** What a caller says of one job, beside its definition. */
export interface AddOptions {
  /** Seconds until the job is due. Default 0. */
  readonly delayS?: number
  /** Takes the place of the `unique` of the definition. */
  readonly unique?: string
  /** Takes the place of the `priority` of the definition. */
  readonly priority?: Priority
  /** Identifier of the user that a method of a controller runs as. Only where no request causes the job. */
  readonly as?: string
}

/** A job that is stored. */
export interface AddedJob {
  readonly id: string
  readonly name: string
  /** `false`: another job has the same unique key; `id` and `state` are its own. */
  readonly added: boolean
  readonly state: JobState
}

/** @param given what was to be stored */
export function addedJob({ id, name, state }: JobRecord, given: Pick<NewRecord, 'id'> | null | undefined): AddedJob {
  return { id, name, added: id === given?.id, state }
}
