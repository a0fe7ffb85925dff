/**
 * Stored events as jobs of the queue, a lane for each organisation: an attempt writes what follows from an event, in one
 * transaction with the mark that it was written. A process that is killed in between leaves the event in the outbox.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Attempt, Job, JobCodec, JobHandler } from 'svc-queue'
import type { HeldJob } from 'svc-queue/driver'
import type { StoredEvent } from '../records/event-record.ts'

export interface EventJob extends Job {
  readonly event: StoredEvent
}

export interface RelayParts {
  readonly log: FastifyBaseLogger
  /** Writes and announces what follows from an event. May run again for the same one. */
  readonly handOn: (event: StoredEvent, traceparent: string | null) => Promise<void>
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 300_000

export class EventRelay implements JobHandler<EventJob, Attempt>, JobCodec<EventJob> {
  readonly #parts: RelayParts

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  async attempt({ event, attempts, traceparent = null }: EventJob): Promise<Attempt> {
    try {
      await this.#parts.handOn(event, traceparent)
      return { verdict: 'done', health: 'quick', delayMs: null }
    } catch (error) {
      const { id, type } = event
      const fields = { code: 'SVC_EVENTS_RELAY', err: error, event: id, type }
      this.#parts.log.error(fields, 'a stored event could not be handed on, and is tried again')
      const delayMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_RETRY_MS)
      return { verdict: 'retry', health: 'failing', delayMs }
    }
  }

  async record(): Promise<void> {
    // What an event came to is written with what follows from it.
  }

  happened(): void {
    // The queue removes what is done.
  }

  withdrawn(): void {
    // No event is withdrawn.
  }

  impossible({ event }: EventJob, error: unknown): void {
    this.#parts.log.error({ code: 'SVC_EVENTS_RELAY', err: error, event: event.id }, 'an event could not be handed on')
  }

  roomAgain(): void {
    // Events wait in the database, which drops none.
  }

  idOf({ event }: EventJob): string {
    return event.id
  }

  write({ event }: EventJob): string {
    return JSON.stringify(event)
  }

  read({ id, lane, payload, attempts, traceparent = undefined }: HeldJob): EventJob | null {
    try {
      const event: StoredEvent = { cause: null, ...(JSON.parse(payload) as Omit<StoredEvent, 'cause'>) }
      const traced = traceparent === undefined ? {} : { traceparent }
      return { id, lane, event, manual: false, source: null, attempts, begunAt: null, ...traced }
    } catch {
      return null
    }
  }

  /** Without the payload: it is data of a customer. */
  unreadable({ id }: HeldJob): void {
    this.#parts.log.error({ code: 'SVC_EVENTS_RELAY', event: id }, 'a stored event is unreadable, and was discarded')
  }
}
