/** Makes events of what an application emits, and stores them: one statement each, whoever listens. */
import type { Clock, JobCause } from 'svc-kernel'
import { currentCause, currentTraceparent } from 'svc-kernel/plugin'
import { afterCommit, type Transaction, UuidIds } from 'svc-stores/table'
import type { Organizations } from '../access/organizations.ts'
import type { ApplicationEvents } from '../definitions/application-events.ts'
import type { EventCatalogue } from '../definitions/event-catalogue.ts'
import { InvalidEventData } from '../errors.ts'
import type { StoredEvent } from '../records/event-record.ts'
import type { EventStore } from '../records/event-store.ts'

/** The names of events: those of `ApplicationEvents`, or any where it is empty. */
export type EventName = keyof ApplicationEvents extends never ? string : keyof ApplicationEvents & string

/** The data of an event. */
export type EventData<Name extends string> = Name extends keyof ApplicationEvents ? ApplicationEvents[Name] : unknown

/** To whom an event belongs. */
export interface EmitOptions {
  /**
   * Identifier of the organisation: 1 to 200 letters, digits and `.`, `_`, `:`, `~`, `-`. `null`, as `request.organization`
   * without one, is refused.
   */
  readonly organization: string | null
}

/** An event that is stored. */
export interface EmittedEvent {
  /** A UUID of version 7: later events sort after earlier ones. */
  readonly id: string
}

/** What emits events, inside a transaction or outside. */
export interface EventEmitter {
  /**
   * Stores an event of an organisation. What follows from it happens at least once after that is committed.
   *
   * @throws UnknownEvent (SVC_EVENTS_UNKNOWN), InvalidEventData (SVC_EVENTS_DATA), UnknownOrganization (404)
   */
  emit<Name extends EventName>(type: Name, data: EventData<Name>, options: EmitOptions): Promise<EmittedEvent>
}

export interface EmitterParts {
  readonly catalogue: EventCatalogue
  readonly organizations: Organizations
  readonly clock: Clock
  readonly maxBytes: number
}

export class EventMaker {
  readonly #parts: EmitterParts
  readonly #ids: UuidIds

  constructor(parts: EmitterParts) {
    this.#parts = parts
    this.#ids = new UuidIds(parts.clock)
  }

  async make(type: string, given: unknown, organization: unknown): Promise<StoredEvent> {
    const { catalogue, organizations, clock, maxBytes } = this.#parts
    const { version, data } = await catalogue.check(type, given)
    const text = jsonText(type, data)
    if (Buffer.byteLength(text) > maxBytes) throw new InvalidEventData(type, `it has more than ${maxBytes} bytes`)
    const owner = await organizations.known(organization)
    const value: unknown = JSON.parse(text)
    const event = { id: this.#ids.generate(), type, version, organization: owner, ts: clock.now(), data: value }
    return { ...event, cause: shown(currentCause()) }
  }
}

export class StoreEmitter implements EventEmitter {
  readonly #maker: EventMaker
  readonly #store: Pick<EventStore, 'add'>
  readonly #stored: () => void

  /** @param stored called once an event is stored */
  constructor(maker: EventMaker, store: Pick<EventStore, 'add'>, stored: () => void) {
    this.#maker = maker
    this.#store = store
    this.#stored = stored
  }

  async emit<Name extends EventName>(type: Name, data: EventData<Name>, options: EmitOptions): Promise<EmittedEvent> {
    const event = await this.#maker.make(type, data, options?.organization)
    await this.#store.add(event, currentTraceparent())
    this.#stored()
    return { id: event.id }
  }
}

/** Within a transaction: the relay looks once that is committed. */
export function emitterWithin(maker: EventMaker, store: EventStore, tx: Transaction, look: () => void): EventEmitter {
  return new StoreEmitter(maker, store, () => afterCommit(tx, look))
}

/** Without what a job has besides. */
function shown(cause: JobCause | null): JobCause | null {
  if (cause === null) return null
  const { user, token, requestId, job } = cause
  return { user, token, requestId, job }
}

/** @throws InvalidEventData for what JSON cannot hold */
function jsonText(type: string, data: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(data)
  } catch {
    // Below.
  }
  if (text === undefined) throw new InvalidEventData(type, 'it is not JSON')
  return text
}
