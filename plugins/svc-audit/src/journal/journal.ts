/**
 * The audit journal: `fastify.audit`. Recording is synchronous, never throws and never waits: one frozen event, one
 * slot in memory, then the listeners. Refusals that one address repeats share a slot; listeners get each.
 */
import type { FastifyBaseLogger } from 'fastify'
import {
  type AuditEvent,
  type AuditListing,
  type AuditPort,
  type AuditRange,
  type AuditRecord,
  type Clock,
  requestChannels
} from 'svc-kernel'
import { CATALOGUE, recordFault } from '../catalogue.ts'
import { safeText } from '../redaction/safe-text.ts'
import type { AuditMemory } from '../storage/audit-memory.ts'
import type { AuditStore } from '../storage/audit-store.ts'
import { CountedEvent } from '../storage/counted-event.ts'
import { auditEvent, EventIds } from './audit-event.ts'
import { Durability } from './durability.ts'
import { type AuditListener, Listeners, type SubscribeOptions } from './listeners.ts'
import { KEPT_OF_A_RUN, REFUSALS, Repeats, type Run } from './repeats.ts'
import type { StoreWriter } from './store-writer.ts'

/** Name of the diagnostics channel on which every event is published, to those who subscribe there. */
export const AUDIT_CHANNEL = requestChannels.audit.name

/** A listener may record in turn, but not without end. */
const MAX_DEPTH = 8

/** How many different refused actions are logged outside development. */
const MAX_LOGGED = 100

export interface JournalParts {
  readonly log: FastifyBaseLogger
  readonly clock: Clock
  readonly events: AuditMemory
  /** Takes each event towards a durable store; `null` where memory is all there is. */
  readonly writer: Pick<StoreWriter, 'add' | 'added' | 'dropped' | 'storedUpTo'> | null
  /** Absent, or `null`: nothing can be asked for. */
  readonly store?: Pick<AuditStore, 'list'> | null
  /** Logs every refusal, not only the first of each action. */
  readonly verbose: boolean
  /** Answers wait for what their requests recorded. Default: false. */
  readonly strict?: boolean
}

export class Journal implements AuditPort {
  /** Every action that can be recorded. */
  readonly catalogue = CATALOGUE
  readonly #parts: JournalParts
  readonly #ids = new EventIds()
  readonly #channel = requestChannels.audit
  readonly #listeners: Listeners
  readonly #durability: Durability
  readonly #repeats = new Repeats()
  readonly #logged = new Set<unknown>()
  #depth = 0

  constructor(parts: JournalParts) {
    this.#parts = parts
    this.#listeners = new Listeners(parts.log)
    this.#durability = new Durability({ writer: parts.writer, listeners: this.#listeners })
  }

  /** How many events the durable store never got. */
  get dropped(): number {
    return this.#parts.writer?.dropped ?? 0
  }

  /**
   * Records an event of the catalogue. Synchronous; never throws.
   *
   * An unknown action, or a known one with another category or outcome, is not recorded but logged at ERROR.
   */
  record(record: AuditRecord): void {
    try {
      const fault = recordFault(record)
      if (fault === null) this.#keep(record)
      else this.#refuse(record, fault)
    } catch (error) {
      this.#parts.log.error({ code: 'SVC_AUDIT_REFUSED', err: error }, 'an audit record could not be read')
    }
  }

  /**
   * Counts a refusal that its address repeats, where neither a store nor a listener is to get the event.
   *
   * @returns `false` where there is an event to be recorded
   */
  countRepeated(action: string, ip: string): boolean {
    if (this.#hasTakers || !REFUSALS.has(action)) return false
    const now = this.#parts.clock.now()
    return isCounted(this.#repeats.of(action, ip, now), now)
  }

  /**
   * Calls `listener` with each event that follows, in the stack of whoever records: a listener defers its work.
   *
   * @returns unsubscribe
   */
  subscribe(listener: AuditListener, options?: SubscribeOptions): () => void {
    return this.#listeners.add(listener, options)
  }

  /** Resolves when all that was recorded until now is stored, and what subscribers store of it. @throws AuditUnstored (503) */
  flushed(): Promise<void> {
    return this.#durability.flushed()
  }

  /** @returns `null` where no answer waits, or this request recorded nothing since it was asked last */
  storedFor(request: object): Promise<void> | null {
    return this.#durability.storedFor(request)
  }

  /** The newest events in memory, newest first; at most 10000. */
  recent(count: number): readonly AuditEvent[] {
    const found: AuditEvent[] = []
    for (const event of this.#parts.events.newest()) {
      if (!(found.length < count)) break
      found.push(event)
    }
    return found
  }

  /** A page of what the store keeps, newest first. @throws InvalidPage, InvalidFilter (400), what the store throws */
  async list(range: AuditRange, page: { readonly limit: number; readonly cursor?: string }): Promise<AuditListing> {
    return (await this.#parts.store?.list(range, page)) ?? { items: [], nextCursor: null }
  }

  #keep(record: AuditRecord): void {
    const { clock, events } = this.#parts
    const now = clock.now()
    const isRefusal = REFUSALS.has(record.action)
    const run = isRefusal && typeof record.ip === 'string' ? this.#repeats.of(record.action, record.ip, now) : null
    if (run !== null && isCounted(run, now)) {
      if (this.#hasTakers) this.#publish(auditEvent(record, this.#ids.next(), now))
      return
    }
    const event = auditEvent(record, this.#ids.next(), now)
    if (run !== null) run.kept += 1
    if (run?.kept === KEPT_OF_A_RUN) run.counter = new CountedEvent(event)
    events.push(run?.counter ?? event, isRefusal)
    this.#publish(event)
  }

  get #hasTakers(): boolean {
    return this.#parts.writer !== null || this.#listeners.size > 0 || this.#channel.hasSubscribers
  }

  #publish(event: AuditEvent): void {
    const { writer } = this.#parts
    const position = writer === null ? 0 : writer.add(event)
    if (this.#parts.strict === true) this.#durability.recorded(position)
    if (this.#listeners.size > 0 && !this.#notify(event) && this.#parts.strict === true) this.#durability.refused()
    if (this.#channel.hasSubscribers) this.#channel.publish(event)
  }

  #notify(event: AuditEvent): boolean {
    if (this.#depth === MAX_DEPTH) {
      this.#parts.log.error({ code: 'SVC_AUDIT_LISTENER', action: event.action }, 'listeners record without end')
      return true
    }
    this.#depth += 1
    try {
      return this.#listeners.notify(event)
    } finally {
      this.#depth -= 1
    }
  }

  #refuse({ action, category, outcome }: AuditRecord, fault: string): void {
    const { log, verbose } = this.#parts
    if (!verbose) {
      if (this.#logged.has(action) || this.#logged.size === MAX_LOGGED) return
      this.#logged.add(action)
    }
    const shown = { action: readable(action), category: readable(category), outcome: readable(outcome) }
    log.error({ code: 'SVC_AUDIT_REFUSED', ...shown }, `an audit record was refused: ${fault}`)
  }
}

/** Whether an event in memory now counts this refusal. */
function isCounted(run: Run, now: number): boolean {
  if (run.counter === null) return false
  if (run.counter.add(now)) return true
  // It was pushed out: the run begins anew.
  run.kept = 0
  run.counter = null
  return false
}

function readable(value: unknown): string {
  return typeof value === 'string' ? safeText(value, 64) : typeof value
}
