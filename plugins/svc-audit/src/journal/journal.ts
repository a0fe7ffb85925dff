/**
 * The audit journal, `fastify.audit`. Recording is synchronous; it never throws and never waits. It makes one frozen
 * event, stores it in memory, then calls the listeners. Refusals that a caller repeats share one entry and one row,
 * but listeners get each of them.
 */
import type { FastifyBaseLogger } from 'fastify'
import {
  type AuditEvent,
  type AuditPort,
  type AuditRecord,
  type Clock,
  currentRequest,
  currentTraceId,
  requestChannels
} from 'svc-kernel'
import { type AuditListing, type AuditRange, safeText } from 'svc-kernel/plugin'
import { CATALOGUE, recordFault } from '../catalogue.ts'
import type { AuditMemory } from '../storage/audit-memory.ts'
import type { AuditStore } from '../storage/audit-store.ts'
import { CountedEvent } from '../storage/counted-event.ts'
import { auditEvent, EventIds } from './audit-event.ts'
import { Durability } from './durability.ts'
import { type AuditListener, Listeners, type SubscribeOptions } from './listeners.ts'
import { isRefusal, KEPT_OF_A_RUN, Repeats, type Run } from './repeats.ts'
import { RunCounts } from './run-counts.ts'
import type { StoreWriter } from './store-writer.ts'

/** The diagnostics channel on which every event is published. */
export const AUDIT_CHANNEL = requestChannels.audit.name

/** A listener may record events itself, up to this depth. */
const MAX_DEPTH = 8

/** How many different refused actions are logged outside development. */
const MAX_LOGGED = 100

/** What `new Journal` takes: log, clock, memory and, for events that last, the writer of a store. */
export interface JournalParts {
  readonly log: FastifyBaseLogger
  readonly clock: Clock
  readonly events: AuditMemory
  /** Writes each event to a durable store; `null` if events are stored in memory only. */
  readonly writer: Pick<StoreWriter, 'add' | 'added' | 'dropped' | 'storedUpTo'> | null
  /** Absent or `null`: no events can be listed. */
  readonly store?: Pick<AuditStore, 'list'> | null
  /** Logs every refusal, not only the first of each action. */
  readonly verbose: boolean
  /** Answers wait until the events of their requests are stored. Default: false. */
  readonly strict?: boolean
}

/**
 * `fastify.audit`. `record` is synchronous, never throws and never waits; `subscribe` calls a listener with each
 * event.
 */
export class Journal implements AuditPort {
  /** Every action that can be recorded. */
  readonly catalogue = CATALOGUE
  readonly #parts: JournalParts
  readonly #ids = new EventIds()
  readonly #channel = requestChannels.audit
  readonly #listeners: Listeners
  readonly #durability: Durability
  readonly #repeats = new Repeats()
  /** `null` if events are stored in memory only. */
  readonly #counts: RunCounts | null
  readonly #logged = new Set<unknown>()
  #depth = 0

  constructor(parts: JournalParts) {
    this.#parts = parts
    this.#listeners = new Listeners(parts.log)
    const { writer, clock } = parts
    this.#durability = new Durability({ writer, listeners: this.#listeners })
    this.#counts = writer === null ? null : new RunCounts({ clock, ids: this.#ids, add: (event) => writer.add(event) })
  }

  /** How many events were lost before they reached the durable store. */
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
      this.#parts.log.error({ code: 'SVC_AUDIT_REFUSED', err: error }, 'an audit record is unreadable')
    }
  }

  /**
   * Counts a repeated refusal for which no listener needs an event.
   *
   * @param actor `null` if unknown @returns `false` if the caller must record an event
   */
  countRepeated(action: string, ip: string, actor: string | null = null): boolean {
    if (this.#isHeard || !isRefusal(action)) return false
    const now = this.#parts.clock.now()
    const run = this.#repeats.of(action, ip, actor, now)
    if (this.#counts?.counts(run) === false || !isCounted(run, now)) return false
    this.#counts?.add(run, now)
    return true
  }

  /** Passes the counts of repeated refusals to the store, before it closes. */
  settle(): void {
    this.#counts?.flush()
  }

  /**
   * Calls `listener` with each later event, on the stack of the recorder, so a listener should defer its work.
   *
   * @returns unsubscribe
   */
  subscribe(listener: AuditListener, options?: SubscribeOptions): () => void {
    return this.#listeners.add(listener, options)
  }

  /**
   * Resolves when everything recorded until now is stored, including what subscribers store. @throws AuditUnstored
   * (503)
   */
  flushed(): Promise<void> {
    return this.#durability.flushed()
  }

  /** @returns `null` if no answer has to wait, or if this request recorded nothing since the last call */
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

  /** A page of stored events, newest first. @throws InvalidPage, InvalidFilter (400), and errors of the store */
  async list(range: AuditRange, page: { readonly limit: number; readonly cursor?: string }): Promise<AuditListing> {
    return (await this.#parts.store?.list(range, page)) ?? { items: [], nextCursor: null }
  }

  #keep(record: AuditRecord): void {
    const { clock, events, writer } = this.#parts
    const now = clock.now()
    const refused = isRefusal(record.action)
    const run = refused && typeof record.ip === 'string' ? this.#runOf(record, record.ip, now) : null
    const isInMemory = run !== null && isCounted(run, now)
    const isInStore = run !== null && this.#counts?.counts(run) === true
    if (isInStore) this.#counts?.add(run, now)
    if (isInMemory && (isInStore || writer === null) && !this.#isHeard) return
    const event = auditEvent(record, this.#ids.next(), now, currentTraceId(), originalUserNow())
    if (!isInMemory) {
      if (run !== null) run.kept += 1
      if (run?.kept === KEPT_OF_A_RUN) run.counter = new CountedEvent(event)
      events.push(run?.counter ?? event, refused)
    }
    this.#publish(event, isInStore ? 0 : this.#write(event, run))
  }

  #runOf({ action, actor }: AuditRecord, ip: string, now: number): Run {
    return this.#repeats.of(action, ip, typeof actor === 'string' ? actor : null, now)
  }

  get #isHeard(): boolean {
    return this.#listeners.size > 0 || this.#channel.hasSubscribers
  }

  /** @returns the position of the event in the store; 0 without a store */
  #write(event: AuditEvent, run: Run | null): number {
    const { writer } = this.#parts
    if (writer === null) return 0
    if (run !== null) {
      run.stored += 1
      run.latestStored = event
    }
    return writer.add(event)
  }

  #publish(event: AuditEvent, position: number): void {
    if (this.#parts.strict === true) this.#durability.recorded(position)
    if (this.#listeners.size > 0 && !this.#notify(event) && this.#parts.strict === true) this.#durability.refused()
    if (this.#channel.hasSubscribers) this.#channel.publish(event)
  }

  #notify(event: AuditEvent): boolean {
    if (this.#depth === MAX_DEPTH) {
      this.#parts.log.error(
        { code: 'SVC_AUDIT_LISTENER', action: event.action },
        'listeners of the journal record events in an endless loop'
      )
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

/** Whether an event in memory counts this refusal already. */
function isCounted(run: Run, now: number): boolean {
  if (run.counter === null) return false
  if (run.counter.add(now)) return true
  // Memory dropped that event, so a new run begins.
  run.kept = 0
  run.counter = null
  return false
}

function readable(value: unknown): string {
  return typeof value === 'string' ? safeText(value, 64) : typeof value
}

/** Who really acts, where the caller acts as another user. */
function originalUserNow(): string | null {
  const token = currentRequest()?.token ?? null
  return token !== null && Object.hasOwn(token, 'originalUser') && typeof token.originalUser === 'string'
    ? safeText(token.originalUser)
    : null
}
