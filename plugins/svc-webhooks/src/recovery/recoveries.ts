/**
 * Recoveries: what an endpoint missed, sent again behind the request that asked for it, oldest first, one after the other
 * and no more than ten a second. One per endpoint at a time. Its store makes it known to all instances, and one that its
 * instance left, by a stop or worse, goes on with another: what was delivered by then is in the history, and left out.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent, Clock } from 'svc-kernel'
import { randomId } from 'svc-kernel/plugin'
import { EndpointClosed } from '../delivery/attempt.ts'
import { BadRange, RecoveryNotFound, RecoveryRunning } from '../errors.ts'
import { askStore } from '../store-calls.ts'
import { type MissedParts, MOST_MISSED, missedEvents, type RecoveryRange, TooManyMissed } from './missed-events.ts'
import type { RecoveryRow, RecoveryState, RecoveryStore } from './recovery-store.ts'

/** How far a recovery is. */
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
  readonly store: RecoveryStore
  /** Other instances may run recoveries, and leave them. */
  readonly shared: boolean
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** @returns whether it was delivered; `null` where there was no room @throws EndpointClosed, and where it cannot be known */
  readonly send: (endpointId: string, event: AuditEvent, messageId: string) => Promise<boolean | null>
}

type Recovery = { -readonly [Name in keyof RecoveryRow]: RecoveryRow[Name] }

const BURST = 10
const PAUSE_MS = 1_000
/** How long a holder may be silent: longer than a burst to a receiver that does not answer. */
const HELD_MS = 300_000
const LOOK_MS = 15_000
const FAILED = [
  'the recoveries of webhook deliveries could not be read',
  'the recoveries of webhook deliveries cannot be reached at the moment'
] as const

export class Recoveries {
  readonly #parts: RecoveriesParts
  readonly #holder = randomId('run')
  /** Those that run here, by endpoint. */
  readonly #running = new Map<string, Recovery>()
  /** Ends the pauses of those under way. */
  readonly #pauses = new Set<() => void>()
  #timer: unknown = null
  #closed = false

  constructor(parts: RecoveriesParts) {
    this.#parts = parts
  }

  /** @param begin of the history, epoch ms @throws BadRange (400) */
  check({ since, until, status }: RecoveryRange, begin: number): void {
    if (!(since <= until)) throw new BadRange('ends before it begins')
    if (since < begin) throw new BadRange('begins before the history does, so it is unknown what was delivered then')
    // What failed is in the history, whole.
    if (status !== 'failed' && since < (this.#parts.journal.begin?.() ?? 0)) {
      throw new BadRange('begins before the journal does: ask for the status failed, or for a later time')
    }
  }

  /** From now on it takes over what others left. */
  start(): void {
    const { clock, shared } = this.#parts
    if (this.#closed || !shared) return
    this.#timer = clock.setTimeout(() => void this.#takeOver().finally(() => this.start()), LOOK_MS)
  }

  /** @throws RecoveryRunning (409), WebhooksUnavailable (503) */
  async begin(
    endpoint: Pick<RecoveryRow, 'id' | 'events'>,
    { since, until, status }: RecoveryRange
  ): Promise<RecoveryView> {
    const { id, events } = endpoint
    const range = { since, until, kind: status ?? null }
    const counts = { state: 'reading', total: 0, done: 0, failed: 0, error: null } as const
    const held = { holder: this.#holder, heldUntil: this.#parts.clock.now() + HELD_MS }
    const recovery: Recovery = { id, events: [...events], recovery: randomId('rec'), ...range, ...counts, ...held }
    if (!(await this.#ask((store) => store.begin({ ...recovery })))) {
      const standing = await this.#ask((store) => store.find(id))
      throw new RecoveryRunning(standing?.recovery ?? 'it has just started')
    }
    void this.#run(recovery)
    return viewOf(recovery)
  }

  /** @throws RecoveryNotFound (404), WebhooksUnavailable (503) */
  async find(endpointId: string, id: string): Promise<RecoveryView> {
    const own = this.#running.get(endpointId)
    return viewOf(own?.recovery === id ? own : await this.#known(endpointId, id))
  }

  /** What is under way ends, nothing more is sent. Again, or after its end: nothing. @throws RecoveryNotFound (404), WebhooksUnavailable (503) */
  async cancel(endpointId: string, id: string): Promise<RecoveryView> {
    await this.#known(endpointId, id)
    await this.#ask((store) => store.cancel(endpointId, id))
    const own = this.#running.get(endpointId)
    if (own?.recovery === id && isActive(own)) own.state = 'cancelled'
    this.#wake()
    return this.find(endpointId, id)
  }

  /** The endpoint is gone, and what is known of it. */
  forget(endpointId: string): void {
    const own = this.#running.get(endpointId)
    if (own !== undefined && isActive(own)) own.state = 'cancelled'
    this.#wake()
    this.#ask((store) => store.forget(endpointId)).catch(() => {
      // Logged; a row of an endpoint that is gone is in nobody's way.
    })
  }

  /** The application closes: what runs here is free for others, or for the next start. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
    this.#wake()
    const left = [...this.#running.values()].filter(isActive)
    await Promise.all(left.map((recovery) => this.#advance(recovery, 0).catch(() => false)))
  }

  async #known(endpointId: string, id: string): Promise<RecoveryRow> {
    const row = await this.#ask((store) => store.find(endpointId))
    if (row === null || row.recovery !== id) throw new RecoveryNotFound()
    return row
  }

  async #takeOver(): Promise<void> {
    const now = this.#parts.clock.now()
    const left = await this.#ask((store) => store.takeOver(this.#holder, now, now + HELD_MS)).catch(() => [])
    // What failed is sent again: its receiver may be back.
    for (const row of left) void this.#run({ ...row, state: 'reading', failed: 0 })
  }

  async #run(recovery: Recovery): Promise<void> {
    const { log } = this.#parts
    this.#running.set(recovery.id, recovery)
    const { id, since, until, kind } = recovery
    const stopped = () => this.#closed || !isActive(recovery)
    try {
      const range = { since, until, ...(kind === null ? {} : { status: kind }) }
      const missed = await missedEvents(recovery, range, { ...this.#parts, stopped })
      if (stopped()) return
      // Of one that another instance began the total stands: what is not missed any more, that one has delivered.
      recovery.total = Math.max(recovery.total, recovery.done + missed.length)
      recovery.done = recovery.total - missed.length
      recovery.state = 'sending'
      await this.#told(recovery)
      if (stopped()) return
      for (const [index, { event, messageId }] of missed.entries()) {
        if (index > 0 && index % BURST === 0) {
          await this.#pause()
          if (!stopped()) await this.#told(recovery)
        }
        await this.#send(recovery, event, messageId, stopped)
        if (stopped()) return
      }
      recovery.state = 'done'
    } catch (error) {
      if (stopped()) return
      recovery.state = 'failed'
      recovery.error = reasonOf(error)
      const fields = { code: 'SVC_WEBHOOKS_RECOVERY', err: error, endpoint: id, recovery: recovery.recovery }
      log.error(fields, 'a recovery of webhook deliveries failed')
    } finally {
      if (!isActive(recovery)) await this.#told(recovery)
      if (this.#running.get(id) === recovery) this.#running.delete(id)
    }
  }

  async #send(recovery: Recovery, event: AuditEvent, messageId: string, stopped: () => boolean): Promise<void> {
    while (!stopped()) {
      const delivered = await this.#parts.send(recovery.id, event, messageId)
      if (delivered !== null) {
        recovery[delivered ? 'done' : 'failed'] += 1
        return
      }
      await this.#pause()
    }
  }

  /** How far it is, for all to see. A store that is away holds up nothing: it is told the next time. */
  async #told(recovery: Recovery): Promise<void> {
    const wasActive = isActive(recovery)
    const isOurs = await this.#advance(recovery, this.#parts.clock.now() + HELD_MS).catch(() => true)
    if (!isOurs && wasActive) recovery.state = 'cancelled'
  }

  #advance(recovery: Recovery, heldUntil: number): Promise<boolean> {
    const { state, total, done, failed, error } = recovery
    return this.#ask((store) => store.advance(recovery, { state, total, done, failed, error, heldUntil }))
  }

  #ask<Value>(call: (store: RecoveryStore) => Promise<Value>): Promise<Value> {
    return askStore(this.#parts, () => call(this.#parts.store), FAILED)
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

function isActive({ state }: Pick<RecoveryRow, 'state'>): boolean {
  return state === 'reading' || state === 'sending'
}

function viewOf({ recovery, state, total, done, failed, error }: RecoveryRow): RecoveryView {
  return { id: recovery, state, total, done, failed, error }
}

/** Fixed texts: causes are in the log. */
function reasonOf(error: unknown): string {
  if (error instanceof EndpointClosed) return 'the endpoint takes no messages: it is deleted, or its owner is suspended'
  if (error instanceof TooManyMissed) return `more than ${MOST_MISSED} messages: choose a shorter range`
  return 'the history, the journal or the endpoint could not be read'
}
