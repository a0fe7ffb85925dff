/**
 * Recoveries: what an endpoint missed, sent again behind the request that asked for it, oldest first, one after the other
 * and no more than ten a second. One per endpoint at a time; known to the instance that runs it, and gone with it.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type AuditEvent, type Clock, randomId } from 'svc-kernel'
import { RecoveryRunning, RecoveryUnknown } from '../errors.ts'
import { type MissedParts, MOST_MISSED, missedEvents, type RecoveryRange, TooManyMissed } from './missed-events.ts'

export type RecoveryState = 'reading' | 'sending' | 'done' | 'cancelled' | 'failed'

export interface RecoveryView {
  readonly id: string
  readonly state: RecoveryState
  /** Messages to be sent; 0 while they are looked for. */
  readonly total: number
  /** Delivered. */
  readonly done: number
  /** Sent to no avail; the history says why. */
  readonly failed: number
  /** Why it ended before its end. */
  readonly error: string | null
}

export interface RecoveriesParts extends Omit<MissedParts, 'stopped'> {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** @returns whether it was delivered; `null` where there was no room @throws where it cannot be known */
  readonly send: (endpointId: string, event: AuditEvent, messageId: string) => Promise<boolean | null>
}

interface Recovery {
  readonly id: string
  readonly endpoint: { readonly id: string; readonly events: readonly string[] }
  readonly range: RecoveryRange
  state: RecoveryState
  total: number
  done: number
  failed: number
  error: string | null
}

const BURST = 10
const PAUSE_MS = 1_000
/** Of endpoints: the one whose last recovery is the oldest makes room. */
const MAX_KEPT = 1_000

export class Recoveries {
  readonly #parts: RecoveriesParts
  /** The last of each endpoint. */
  readonly #byEndpoint = new Map<string, Recovery>()
  /** Ends the pauses of those under way. */
  readonly #pauses = new Set<() => void>()

  constructor(parts: RecoveriesParts) {
    this.#parts = parts
  }

  /** @throws RecoveryRunning (409) */
  start(endpoint: Recovery['endpoint'], range: RecoveryRange): RecoveryView {
    const before = this.#byEndpoint.get(endpoint.id)
    if (before !== undefined && isActive(before)) throw new RecoveryRunning(before.id)
    const counts = { total: 0, done: 0, failed: 0, error: null }
    const recovery: Recovery = { id: randomId('rec'), endpoint, range, state: 'reading', ...counts }
    this.#byEndpoint.delete(endpoint.id)
    this.#byEndpoint.set(endpoint.id, recovery)
    this.#makeRoom()
    void this.#run(recovery)
    return viewOf(recovery)
  }

  /** @throws RecoveryUnknown (404) */
  find(endpointId: string, id: string): RecoveryView {
    return viewOf(this.#known(endpointId, id))
  }

  /** What is under way ends, nothing more is sent. Again, or after its end: nothing. @throws RecoveryUnknown (404) */
  cancel(endpointId: string, id: string): RecoveryView {
    const recovery = this.#known(endpointId, id)
    if (isActive(recovery)) recovery.state = 'cancelled'
    this.#wake()
    return viewOf(recovery)
  }

  /** The application closes. */
  close(): void {
    for (const recovery of this.#byEndpoint.values()) if (isActive(recovery)) recovery.state = 'cancelled'
    this.#wake()
  }

  #known(endpointId: string, id: string): Recovery {
    const recovery = this.#byEndpoint.get(endpointId)
    if (recovery === undefined || recovery.id !== id) throw new RecoveryUnknown()
    return recovery
  }

  #makeRoom(): void {
    if (this.#byEndpoint.size <= MAX_KEPT) return
    for (const [endpointId, recovery] of this.#byEndpoint) {
      if (isActive(recovery)) continue
      this.#byEndpoint.delete(endpointId)
      return
    }
  }

  async #run(recovery: Recovery): Promise<void> {
    const { log } = this.#parts
    const { endpoint, range } = recovery
    try {
      const stopped = () => !isActive(recovery)
      const missed = await missedEvents(endpoint, range, { ...this.#parts, stopped })
      if (stopped()) return
      recovery.total = missed.length
      recovery.state = 'sending'
      for (const [index, { event, messageId }] of missed.entries()) {
        if (index > 0 && index % BURST === 0) await this.#pause()
        await this.#send(recovery, event, messageId)
        if (stopped()) return
      }
      recovery.state = 'done'
    } catch (error) {
      if (!isActive(recovery)) return
      recovery.state = 'failed'
      recovery.error = reasonOf(error)
      const fields = { code: 'SVC_WEBHOOKS_RECOVERY', err: error, endpoint: endpoint.id, recovery: recovery.id }
      log.error(fields, 'a recovery of webhook deliveries failed')
    }
  }

  async #send(recovery: Recovery, event: AuditEvent, messageId: string): Promise<void> {
    while (isActive(recovery)) {
      const delivered = await this.#parts.send(recovery.endpoint.id, event, messageId)
      if (delivered !== null) {
        recovery[delivered ? 'done' : 'failed'] += 1
        return
      }
      await this.#pause()
    }
  }

  #pause(): Promise<void> {
    const { clock } = this.#parts
    return new Promise((resolve) => {
      const over = () => {
        clock.clearTimeout(timer)
        this.#pauses.delete(over)
        resolve()
      }
      const timer = clock.setTimeout(over, PAUSE_MS)
      this.#pauses.add(over)
    })
  }

  #wake(): void {
    for (const over of [...this.#pauses]) over()
  }
}

function isActive({ state }: Recovery): boolean {
  return state === 'reading' || state === 'sending'
}

function viewOf({ id, state, total, done, failed, error }: Recovery): RecoveryView {
  return { id, state, total, done, failed, error }
}

/** Fixed texts: causes are in the log. */
function reasonOf(error: unknown): string {
  if (error instanceof TooManyMissed) return `more than ${MOST_MISSED} messages: choose a shorter range`
  return 'the history, the audit journal or the endpoint could not be read'
}
