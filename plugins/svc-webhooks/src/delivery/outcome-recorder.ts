/**
 * Records how a delivery ended: in the store, whose counters are atomic, in the history, and in the journal when it
 * disables the endpoint. The store decides who disables: one record, however many deliveries and instances saw it.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditPort, Clock } from 'svc-kernel'
import type { WebhooksStore } from '../endpoints/endpoint-store.ts'
import type { DeliveryOutcome, EndedDelivery } from '../history/delivery-record.ts'
import { logStoreFailure } from '../store-calls.ts'
import { type AttemptEnd, type AttemptVerdict, finalOutcome, statusOf } from './attempt.ts'
import type { DeliveryHistory } from './delivery-history.ts'
import type { DeliveryJob } from './delivery-job.ts'

const GONE = 410

export interface RecorderParts {
  readonly store: Pick<WebhooksStore, 'recordSuccess' | 'recordFailure' | 'disable'>
  readonly history: DeliveryHistory
  readonly audit: Pick<AuditPort, 'record'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly autoDisableThreshold: number
  /** This instance disabled an endpoint. */
  readonly onDisabled: (endpointId: string) => void
}

/** Never rejects: a store that fails is logged, and the history still has the outcome. */
export async function recordOutcome(
  job: DeliveryJob,
  end: AttemptEnd,
  verdict: AttemptVerdict,
  parts: RecorderParts
): Promise<void> {
  // A message sent by hand has one attempt: there was nothing to exhaust.
  const outcome = job.manual && verdict === 'retry' ? 'failed' : finalOutcome(verdict)
  const error = outcome === 'delivered' ? null : errorOf(end)
  const known = await count(job, end, error, parts).catch((cause: unknown) => {
    logStoreFailure(parts.log, cause, 'the outcome of a webhook delivery could not be recorded', job.endpointId)
    return true
  })
  if (known) parts.history.add(job.endpointId, job.event, attemptOf(job, end, outcome, parts.clock))
}

/** An attempt that another one follows: of a delivery that takes a day, it is all there is to see. */
export function recordRetried(job: DeliveryJob, end: AttemptEnd, { history, clock }: RecorderParts): void {
  history.retried(job.endpointId, job.event, attemptOf(job, end, 'retried', clock))
}

function attemptOf(job: DeliveryJob, end: AttemptEnd, outcome: DeliveryOutcome, clock: Clock): EndedDelivery {
  return {
    ts: clock.now(),
    messageId: job.message().id,
    type: job.event.action,
    attempt: job.attempts,
    ok: outcome === 'delivered',
    status: statusOf(end),
    error: outcome === 'delivered' ? null : errorOf(end),
    durationMs: end.durationMs,
    outcome,
    responseBody: end.kind === 'answered' ? end.responseBody : null
  }
}

function errorOf(end: AttemptEnd): string {
  return end.kind === 'answered' ? `HTTP ${end.status}` : end.error
}

/** @returns `false` when the endpoint was deleted meanwhile */
async function count(job: DeliveryJob, end: AttemptEnd, error: string | null, parts: RecorderParts): Promise<boolean> {
  const { store, audit, log, autoDisableThreshold, onDisabled } = parts
  const { endpointId, manual } = job
  if (manual || end.kind === 'unsent') return true
  const status = statusOf(end)
  if (error === null) return status !== null && store.recordSuccess(endpointId, status)
  const failures = await store.recordFailure(endpointId, status, error)
  if (failures === null) return false
  // A receiver that is gone says so once (410): it is not asked twenty times.
  const [reason, threshold] = status === GONE ? [`gone: ${error}`, 1] : [error, autoDisableThreshold]
  if (autoDisableThreshold === 0 || failures < threshold) return true
  if (!(await store.disable(endpointId, threshold))) return true
  onDisabled(endpointId)
  const fields = { code: 'SVC_WEBHOOKS_DISABLED', endpoint: endpointId, failures, reason }
  log.warn(fields, 'a webhook endpoint was disabled')
  audit.record({
    category: 'webhook',
    action: 'webhook.disabled',
    outcome: 'failure',
    resource: endpointId,
    reason,
    metadata: { failureCount: failures }
  })
  return true
}
