/** `fastify.events`: emits events of the application, and shows organisations what became of theirs. */
import { checkInteger } from 'svc-stores/plugin'
import type { Transaction } from 'svc-stores/table'
import type { Webhooks } from 'svc-webhooks'
import type { Organizations } from './access/organizations.ts'
import type { EventCatalogue, EventType } from './definitions/event-catalogue.ts'
import {
  type EmitOptions,
  type EmittedEvent,
  type EventData,
  type EventEmitter,
  type EventMaker,
  type EventName,
  emitterWithin,
  StoreEmitter
} from './emitting/emitter.ts'
import type { Endpoints } from './endpoints/endpoints.ts'
import { EventNotFound, EventsUnavailable } from './errors.ts'
import type { Portal, PortalLink, PortalLinkOptions } from './portal/portal.ts'
import type { EventFilter, StoredEvent } from './records/event-record.ts'
import type { EventStore } from './records/event-store.ts'
import { channelOf } from './relay/hand-on.ts'
import type { Listeners } from './relay/listeners.ts'

export interface EventsParts {
  readonly catalogue: EventCatalogue
  readonly organizations: Organizations
  readonly maker: EventMaker
  readonly store: EventStore
  readonly storeWithin: (tx: Transaction) => EventStore
  readonly listeners: Listeners
  /** A sentence that says why there are no endpoints, where there are none. */
  readonly endpoints: Endpoints | string
  /** `null` where it is off. */
  readonly portal: Portal | null
  /** Events have been stored: the relay of this process looks for them. */
  readonly stored: () => void
}

/** Which page of the journal. */
export interface EventListing extends EventFilter {
  /** 1 to 1000; default 50. */
  readonly limit?: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

/** A page of the journal of an organisation, the newest first. */
export interface EventPage {
  readonly events: readonly StoredEvent[]
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

/** Events that an export reads at a time. */
const EXPORTED = 200

/** `fastify.events`: emits events, and reads the journal and the endpoints of an organisation. */
export class Events implements EventEmitter {
  readonly #parts: EventsParts
  readonly #emitter: StoreEmitter

  constructor(parts: EventsParts) {
    this.#parts = parts
    this.#emitter = new StoreEmitter(parts.maker, parts.store, parts.stored)
  }

  /** The declared events, as customers see them. */
  get types(): readonly EventType[] {
    return this.#parts.catalogue.types
  }

  emit<Name extends EventName>(type: Name, data: EventData<Name>, options: EmitOptions): Promise<EmittedEvent> {
    return this.#emitter.emit(type, data, options)
  }

  /**
   * Emits within an open transaction of the database of events: they are stored with what else it writes, or not at all.
   *
   * @throws StoreOutsideTransaction (SVC_STORE_TRANSACTION) if events are stored elsewhere, TransactionOver
   */
  within(tx: Transaction): EventEmitter {
    const { maker, storeWithin, stored } = this.#parts
    return emitterWithin(maker, storeWithin(tx), tx, stored)
  }

  /**
   * Adds a job for each event of a type, once, with the event as its body; called while plugins register. The job is defined
   * with `fastify.jobs.define`, before or after.
   *
   * @throws InvalidListener (SVC_EVENTS_LISTENER)
   */
  on(type: EventName, job: string): void {
    this.#parts.listeners.listen(type, job)
  }

  /** The channel of svc-realtime on which the events of an organisation are published. @throws UnknownOrganization (404) */
  channelOf(organization: string): string {
    return channelOf(this.#parts.organizations.check(organization))
  }

  /** An event of an organisation. @throws EventNotFound, UnknownOrganization (404) */
  async find(organization: string, id: string): Promise<StoredEvent> {
    const { store, organizations } = this.#parts
    const event = await store.find(organizations.check(organization), id)
    if (event === null) throw new EventNotFound()
    return event
  }

  /** The journal of an organisation, the newest first. @throws InvalidFilter, InvalidPage (400), UnknownOrganization (404) */
  async list(organization: string, { limit = 50, cursor, ...filter }: EventListing = {}): Promise<EventPage> {
    const { store, organizations } = this.#parts
    checkInteger('limit', limit, 1, 1000)
    const page = { limit: limit + 1, ...(cursor === undefined ? {} : { cursor }) }
    const found = await store.list(organizations.check(organization), filter, {
      ...page,
      limit: Math.min(limit + 1, 1000)
    })
    const events = found.slice(0, limit)
    const isFull = found.length > limit || (limit === 1000 && found.length === 1000)
    return { events, nextCursor: isFull ? (events.at(-1)?.id ?? null) : null }
  }

  /** The journal of an organisation, the oldest first, read as it is asked for. @throws as `list` */
  async *export(organization: string, filter: EventFilter = {}): AsyncGenerator<StoredEvent> {
    const { store, organizations } = this.#parts
    const owner = organizations.check(organization)
    for (let cursor: string | undefined; ; ) {
      const page = { limit: EXPORTED, oldestFirst: true, ...(cursor === undefined ? {} : { cursor }) }
      const found = await store.list(owner, filter, page)
      yield* found
      cursor = found.at(-1)?.id
      if (cursor === undefined || found.length < EXPORTED) return
    }
  }

  /**
   * The registry of endpoints of an organisation; nothing of another one is there.
   *
   * @throws UnknownOrganization (404), EventsUnavailable (503) where nothing is delivered
   */
  endpoints(organization: string): Webhooks {
    const { endpoints, organizations } = this.#parts
    const owner = organizations.check(organization)
    if (typeof endpoints === 'string') throw new EventsUnavailable(endpoints)
    return endpoints.registry(owner)
  }

  /**
   * A link that opens the portal of an organisation once, for one of its administrators: who they are, the application has
   * checked before.
   *
   * @param organization its identifier; `null`, as `request.organization` without one, is refused
   * @throws UnknownOrganization (404), OrganizationSuspended (403), EventsUnavailable (503) where the portal is off
   */
  async portal(organization: string | null, options: PortalLinkOptions = {}): Promise<PortalLink> {
    const { portal } = this.#parts
    if (portal === null) throw new EventsUnavailable('there is no portal: the option portal is missing')
    return portal.link(organization, options)
  }

  /**
   * Removes everything of an organisation that is deleted: endpoints with their secrets and history, deliveries that wait,
   * and events. Call it once `state` of `parts.organizations` says `null`; calling it again changes nothing.
   */
  async forget(organization: string): Promise<void> {
    const { endpoints, organizations, store, portal } = this.#parts
    const owner = organizations.check(organization)
    await portal?.forget(owner)
    if (typeof endpoints !== 'string') await endpoints.forget(owner)
    await store.forget(owner)
  }
}
