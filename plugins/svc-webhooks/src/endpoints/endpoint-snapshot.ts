/**
 * The enabled endpoints as this instance knows them: an event asks no store. Loaded at boot, kept up with the changes made
 * here at once, and loaded again by the first event after its time; there is no timer. What changed here during a load
 * wins over what is loaded. Events that come during a load wait for endpoints that other instances registered before them;
 * those that come before the first, for all endpoints.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import { type AuditEvent, type Clock, systemClock } from 'svc-kernel'
import { currentTraceparent } from 'svc-kernel/plugin'
import { WebhooksUnavailable } from '../errors.ts'
import { inTime, logStoreFailure } from '../store-calls.ts'
import type { WebhookRecord } from './endpoint.ts'
import type { WebhooksStore } from './endpoint-store.ts'
import { OWN_CATEGORY } from './event-types.ts'

/** Events that wait for a load; a burst beyond it goes to the endpoints that are known. */
const MAX_HELD = 1_000
/** A store that failed is asked again after this time, or sooner where the snapshot lives shorter. */
const ASK_AGAIN_MS = 1_000

const NONE: readonly string[] = Object.freeze([])

export interface SnapshotParts {
  readonly store: Pick<WebhooksStore, 'enabled'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly ttlS: number
  /** Called for every endpoint that is loaded. */
  readonly onLoaded?: (endpoint: WebhookRecord) => void
  /** Called after a load, for an event of before it and an endpoint that was not known then. @returns whether it is taken */
  readonly onLate?: (endpointId: string, held: HeldEvent) => boolean
}

/** An event that waits for a load, with the trace of the work that recorded it. */
export interface HeldEvent {
  readonly event: AuditEvent
  readonly traceparent: string | null
}

export class EndpointSnapshot {
  readonly #parts: SnapshotParts
  readonly #ttlMs: number
  /** On the machine's clock an event brings the time along: reading it again would cost more than all the rest. */
  readonly #clock: Clock | null
  /** A load does not belong to the request whose event began it. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #endpoints = new Map<string, Subscription>()
  #index = new SubscriptionIndex([])
  /** Epoch ms of the beginning of the last load. */
  #loadedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | null = null
  /** What changed here since the load under way began; `null` for an endpoint that is gone. */
  readonly #changes = new Map<string, Subscription | null>()
  /** Events that came since the load under way began. */
  #held: HeldEvent[] = []
  #frozen = false
  /** A load has succeeded. */
  #known = false
  /** More events came than are held, or than were taken after the load. */
  #missed = false

  constructor(parts: SnapshotParts) {
    this.#parts = parts
    this.#ttlMs = parts.ttlS * 1000
    this.#clock = parts.clock === systemClock ? null : parts.clock
  }

  /** Ids of the endpoints that get this event. Never waits; may begin a load. */
  recipients(event: AuditEvent): readonly string[] {
    const age = (this.#clock === null ? event.ts : this.#clock.now()) - this.#loadedAt
    // Also when the clock was set back.
    if (!this.#frozen && (age >= this.#ttlMs || age < -this.#ttlMs)) void this.load()
    if (event.category === OWN_CATEGORY) return NONE
    if (this.#loading !== null || !this.#known) {
      if (this.#held.length < MAX_HELD) this.#held.push({ event, traceparent: currentTraceparent() })
      else this.#missed = true
    }
    return this.#index.size === 0 ? NONE : this.#index.match(event.action)
  }

  /** Loads it, unless a load is under way. A store that fails is logged, and what is known stays. */
  load(): Promise<void> {
    this.#loading ??= this.#outside(() => this.#load()).finally(() => {
      this.#loading = null
    })
    return this.#loading
  }

  /** Resolves when every event so far has its endpoints. @throws WebhooksUnavailable (503) where they cannot be loaded */
  async settled(): Promise<void> {
    if (this.#held.length === 0) return
    const missed = this.#missed
    await this.load()
    if (!this.#known || missed || this.#missed)
      throw new WebhooksUnavailable('the webhook endpoints cannot be loaded at the moment')
  }

  /** Loads it after any load that is under way: what was changed before this call is known afterwards. */
  async reload(): Promise<void> {
    await this.#loading
    if (!this.#frozen) await this.load()
  }

  /** Loads nothing any more. */
  freeze(): void {
    this.#frozen = true
  }

  set({ id, events, enabled }: Pick<WebhookRecord, 'id' | 'events' | 'enabled'>): void {
    this.#change(id, enabled ? { id, events } : null)
  }

  remove(id: string): void {
    this.#change(id, null)
  }

  #change(id: string, subscription: Subscription | null): void {
    if (this.#loading !== null) this.#changes.set(id, subscription)
    if (subscription === null && !this.#endpoints.delete(id)) return
    if (subscription !== null) this.#endpoints.set(id, subscription)
    this.#index = new SubscriptionIndex(this.#endpoints.values())
  }

  async #load(): Promise<void> {
    const { store, clock, log } = this.#parts
    const began = clock.now()
    this.#changes.clear()
    try {
      this.#take(await inTime(clock, () => store.enabled()))
      this.#loadedAt = began
    } catch (error) {
      if (this.#known) this.#held = []
      logStoreFailure(log, error, 'the webhook endpoints could not be loaded')
      this.#loadedAt = clock.now() - this.#ttlMs + Math.min(this.#ttlMs, ASK_AGAIN_MS)
    }
  }

  #take(loaded: readonly WebhookRecord[]): void {
    const { onLoaded } = this.#parts
    if (onLoaded !== undefined) loaded.forEach(onLoaded)
    const before = this.#index
    this.#endpoints = new Map(loaded.map(({ id, events }) => [id, { id, events }]))
    for (const [id, subscription] of this.#changes) {
      if (subscription === null) this.#endpoints.delete(id)
      else this.#endpoints.set(id, subscription)
    }
    this.#index = new SubscriptionIndex(this.#endpoints.values())
    this.#deliverLate(before, new Map(loaded.map(({ id, updatedAt }) => [id, updatedAt])))
  }

  /** @param changedAt when each endpoint was registered, or last changed, by the clock of the instance that did it */
  #deliverLate(before: SubscriptionIndex, changedAt: ReadonlyMap<string, number>): void {
    const { onLate } = this.#parts
    const held = this.#held
    this.#held = []
    const isFirst = !this.#known
    this.#known = true
    this.#missed = false
    if (onLate === undefined) return
    for (const late of held) {
      const { event } = late
      const known = new Set(before.match(event.action))
      for (const id of this.#index.match(event.action)) {
        const isOlder = isFirst || (changedAt.get(id) ?? Number.POSITIVE_INFINITY) <= event.ts
        if (isOlder && !known.has(id) && !onLate(id, late)) this.#missed = true
      }
    }
  }
}

export interface Subscription {
  readonly id: string
  /** `*`, an action, or `prefix.*`. Anything else matches nothing. */
  readonly events: readonly string[]
}

/** The journal knows a few dozen actions; more than this can only come from elsewhere. */
const MAX_REMEMBERED = 256

/**
 * Which endpoints an action goes to, whatever their number: a look-up per exact name, one per dot of the action, and a
 * memo, as the same few actions come again and again. Made again for every change of the subscriptions.
 */
export class SubscriptionIndex {
  /** Number of subscriptions. */
  readonly size: number
  readonly #everything: string[] = []
  readonly #exact = new Map<string, string[]>()
  /** By the part before `.*`. */
  readonly #prefixes = new Map<string, string[]>()
  readonly #remembered = new Map<string, readonly string[]>()

  constructor(subscriptions: Iterable<Subscription>) {
    let size = 0
    for (const { id, events } of subscriptions) {
      size += 1
      for (const pattern of events) this.#add(pattern, id)
    }
    this.size = size
  }

  /** Ids of the endpoints that want this action, each once. */
  match(action: string): readonly string[] {
    const known = this.#remembered.get(action)
    if (known !== undefined) return known
    const found = this.#find(action)
    if (this.#remembered.size === MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(action, found)
    return found
  }

  #add(pattern: string, id: string): void {
    if (pattern === '*') this.#everything.push(id)
    else if (pattern.endsWith('.*')) append(this.#prefixes, pattern.slice(0, -2), id)
    else append(this.#exact, pattern, id)
  }

  #find(action: string): readonly string[] {
    const ids = new Set(this.#everything)
    for (const id of this.#exact.get(action) ?? NONE) ids.add(id)
    for (let dot = action.indexOf('.'); dot !== -1; dot = action.indexOf('.', dot + 1)) {
      for (const id of this.#prefixes.get(action.slice(0, dot)) ?? NONE) ids.add(id)
    }
    return ids.size === 0 ? NONE : [...ids]
  }
}

function append(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [id])
  else list.push(id)
}
