/**
 * Who caused a job: the caller of the request that added it, or the cause of the job that did. It names people and
 * requests and holds no credential; it is taken from the context, never from what a caller sends.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ANONYMOUS, currentRequest } from 'svc-kernel'

/** Who caused a job, as of when it was added. */
export interface JobCause {
  /** Identifier of the user; `null`: the caller was anonymous, or the application itself. */
  readonly user: string | null
  /** `type` of the caller's token, such as `session` or `apikey`; `null` without one. */
  readonly token: string | null
  /** Id of the request, as the log has it in `reqId`; at most 200 characters. `null`: there was none. */
  readonly requestId: string | null
  /** Id of the job that added it; `null`: no job did. */
  readonly job: string | null
}

interface CausingJob {
  readonly id: string
  readonly cause: JobCause | null
}

const REQUEST_ID = 200

const jobs = new AsyncLocalStorage<CausingJob>()

/** Runs an attempt: jobs that it adds have the cause of this job. Rejects with what `work` throws. */
export function causedBy(job: CausingJob, work: () => unknown): Promise<unknown> {
  return jobs.run(job, async () => work())
}

/** @returns the cause of a job that is added now; `null` outside of requests and jobs */
export function currentCause(): JobCause | null {
  const request = currentRequest()
  const job = jobs.getStore()
  if (request === undefined) return job === undefined ? null : { ...(job.cause ?? APPLICATION), job: job.id }
  const { user, token, id } = request
  const known = user === null || user === ANONYMOUS ? ANYONE : { user: user.identifier, token: token?.type ?? null }
  return { ...known, requestId: id.slice(0, REQUEST_ID), job: job?.id ?? null }
}

const ANYONE = { user: null, token: null }
const APPLICATION: JobCause = { ...ANYONE, requestId: null, job: null }
