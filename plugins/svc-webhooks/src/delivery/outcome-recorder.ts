/**
 * Records how a delivery ended: in the store, whose counters are atomic, in the history, and in the journal when it
 * disables the endpoint. The store decides who disables: one record, however many deliveries and instances saw it.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditPort, Clock } from 'svc-kernel'
import type { WebhooksStore } from '../endpoints/endpoint-store.ts'
import { logStoreFailure } from '../endpoints/guarded-store.ts'
import { withTimeout } from '../with-timeout.ts'
import type { AttemptEnd } from './attempt.ts'
import type { DeliveryHistory, DeliveryOutcome } from './delivery-history.ts'
import type { DeliveryJob } from './queue/delivery-job.ts'

const GONE = 410

export interface RecorderParts {
  readonly store: Pick<WebhooksStore, 'recordSuccess' | 'recordFailure' | 'disable'>
  readonly history: DeliveryHistory
  readonly audit: Pick<AuditPort, 'record'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly autoDisableThreshold: number
  /** How long the store may take, in ms. */
  readonly deadlineMs: number
  /** This instance disabled an endpoint. */
  readonly onDisabled: (endpointId: string) => void
}

export class OutcomeRecorder {
  readonly #parts: RecorderParts

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  /** Never rejects: a store that fails is logged, and the history still has the outcome. */
  async record(job: DeliveryJob, end: AttemptEnd, outcome: DeliveryOutcome): Promise<void> {
    const { history, clock, log } = this.#parts
    const status = end.kind === 'answered' ? end.status : null
    const error = outcome === 'delivered' ? null : errorOf(end)
    const known = await this.#count(job, end, status, error).catch((cause: unknown) => {
      logStoreFailure(log, cause, 'the outcome of a webhook delivery could not be recorded', job.endpointId)
      return true
    })
    if (!known) return
    history.add(job.endpointId, job.event, {
      ts: clock.now(),
      messageId: job.message().id,
      type: job.event.action,
      attempt: job.attempts,
      ok: outcome === 'delivered',
      status,
      error,
      durationMs: end.durationMs,
      outcome,
      responseBody: end.kind === 'answered' ? end.responseBody : null
    })
  }

  /** @returns `false` when the endpoint was deleted meanwhile */
  async #count(job: DeliveryJob, end: AttemptEnd, status: number | null, error: string | null): Promise<boolean> {
    const { store, clock, deadlineMs } = this.#parts
    const { endpointId, manual } = job
    if (manual || end.kind === 'unsent') return true
    if (error === null) {
      return status !== null && withTimeout(deadlineMs, clock, () => store.recordSuccess(endpointId, status))
    }
    const failures = await withTimeout(deadlineMs, clock, () => store.recordFailure(endpointId, status, error))
    if (failures === null) return false
    // A receiver that is gone says so once (410): it is not asked twenty times.
    if (status === GONE) await this.#disable(failures, endpointId, `gone: ${error}`, 1)
    else await this.#disable(failures, endpointId, error, this.#parts.autoDisableThreshold)
    return true
  }

  /** @param threshold failures in a row that it takes */
  async #disable(failures: number, endpointId: string, reason: string, threshold: number): Promise<void> {
    const { store, audit, clock, log, autoDisableThreshold, deadlineMs, onDisabled } = this.#parts
    if (autoDisableThreshold === 0 || failures < threshold) return
    if (!(await withTimeout(deadlineMs, clock, () => store.disable(endpointId, threshold)))) return
    onDisabled(endpointId)
    log.warn(
      { code: 'SVC_WEBHOOKS_DISABLED', endpoint: endpointId, failures, reason },
      'a webhook endpoint was disabled'
    )
    audit.record({
      category: 'webhook',
      action: 'webhook.disabled',
      outcome: 'failure',
      resource: endpointId,
      reason,
      metadata: { failureCount: failures }
    })
  }
}

function errorOf(end: AttemptEnd): string {
  return end.kind === 'answered' ? `HTTP ${end.status}` : end.error
}
