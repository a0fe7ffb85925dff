/** What an attempt at a job came to: for the worker, for the record, and in one word for observers. */
import type { Clock } from 'svc-kernel'
import { type JobResult, jobAttempts } from 'svc-kernel/plugin'
import type { Attempt } from 'svc-queue'
import type { JobRegistry } from '../definitions/job-registry.ts'
import type { Ending } from '../records/job-store.ts'
import type { QueuedJob } from './queued-job.ts'

export interface JobOutcome extends Attempt {
  /** Of an attempt after which none follows. */
  readonly ending?: Omit<Ending, 'attempts'>
  readonly reason?: string
  /** When the attempt began, epoch ms, if its record does not say so. */
  readonly begunAt?: number
  /** It was interrupted, and does not count. */
  readonly uncounted?: true
}

export function resultOf({ verdict, ending, uncounted }: JobOutcome): JobResult {
  if (verdict === 'retry') return uncounted === true ? 'released' : 'retried'
  return verdict === 'withdrawn' ? verdict : (ending?.state ?? verdict)
}

export interface PublishingParts {
  /** `fastify.server`. */
  readonly app: object
  readonly registry: Pick<JobRegistry, 'find'>
  readonly clock: Pick<Clock, 'now'>
}

/** Where somebody listens. @param begun epoch ms */
export async function publishOutcome(
  { app, registry, clock }: PublishingParts,
  job: QueuedJob,
  outcome: JobOutcome,
  begun: number
): Promise<void> {
  const record = await job.record.catch(() => undefined)
  // A name that no definition has would be a label that nothing bounds.
  const name = record !== undefined && registry.find(record.name) !== undefined ? record.name : '(unknown)'
  jobAttempts.publish({ app, name, result: resultOf(outcome), durationMs: clock.now() - begun })
}
