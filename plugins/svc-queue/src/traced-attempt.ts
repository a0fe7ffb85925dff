/** An attempt at a job, seen by observers where there are any. */
import { type JobRun, requestChannels } from 'svc-kernel'
import type { Attempt, Job, JobHandler } from './job.ts'

const { job: runs } = requestChannels

/** @param queue the name of the queue */
export function tracedAttempt<J extends Job, A extends Attempt>(
  queue: string,
  handler: JobHandler<J, A>,
  job: J
): Promise<A> {
  if (!runs.hasSubscribers) return handler.attempt(job)
  const { id, lane, attempts: attempt, traceparent = null } = job
  const run: JobRun = { queue, lane, id, attempt, traceparent }
  return runs.trace(run, async () => {
    const made = await handler.attempt(job)
    run.verdict = made.verdict
    return made
  })
}
