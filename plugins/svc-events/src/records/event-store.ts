/** Events at rest: an outbox that a transaction writes with its data, a journal, and the deliveries that follow from both. */
import type { NewJob, Queue } from 'svc-queue/driver'
import type { Transaction } from 'svc-stores/table'
import type { EventFilter, EventPageQuery, StoredEvent } from './event-record.ts'

/** What follows from an event, all of it or nothing. */
export interface HandOn {
  readonly event: StoredEvent
  /** `false`: the journal does not keep the data. */
  readonly keepsData: boolean
  readonly deliveries: readonly Omit<NewJob, 'held'>[]
  /** More to be written. @param tx `null`: the database has no transactions */
  readonly besides: (tx: Transaction | null) => Promise<void>
}

export interface EventStore {
  /** The outbox: events that wait to be handed on, by organisation. */
  readonly outbox: Queue
  readonly deliveries: Queue
  /** Stores an event in the outbox: one statement. @param traceparent of what emits it */
  add(event: StoredEvent, traceparent: string | null): Promise<void>
  /**
   * Writes what follows from an event, once: in a transaction where the database has them.
   *
   * @returns `false`: that was done before
   */
  handOn(handOn: HandOn): Promise<boolean>
  find(organization: string, id: string): Promise<StoredEvent | null>
  /** @throws InvalidFilter, InvalidPage (400) */
  list(organization: string, filter: EventFilter, page: EventPageQuery): Promise<readonly StoredEvent[]>
  /** Removes what happened before. @param before epoch ms @returns how many */
  purge(before: number): Promise<number>
  /** Removes all events of an organisation, handed on or not. @returns how many of the journal */
  forget(organization: string): Promise<number>
}
