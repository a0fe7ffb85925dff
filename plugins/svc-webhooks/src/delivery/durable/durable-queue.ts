/**
 * The port of a queue that outlives the process and is shared by instances. What it has admitted it hands out until it is
 * told how it ended: at least once. A delivery that is held by one instance goes to no other, unless that one falls silent.
 */
import type { EndpointChanges } from '../../endpoints/endpoint-version.ts'

/** How often a holder that lives says so, ms. */
export const BEAT_MS = 5_000

/** Beats of another that a holder may miss before what it holds is free again: half a minute. */
export const MISSED_BEATS = 6

export interface NewDelivery {
  /** Of the message: the same for the same event and endpoint, so that a second admission changes nothing. */
  readonly id: string
  readonly endpointId: string
  /** The event as JSON; the same text for all of its endpoints. */
  readonly event: string
  /** Wanted by whoever admits it: there is a place for it, and nobody else need look at it. */
  readonly held: boolean
}

export interface HeldDelivery {
  readonly id: string
  readonly endpointId: string
  readonly event: string
  /** Attempts that have failed. */
  readonly attempts: number
}

/** What became of deliveries that a holder had. */
export interface Settlement {
  /** Over, however it ended; also where another one holds it by now. */
  readonly ended: readonly string[]
  /** To be tried again. Without effect where another one holds it by now. */
  readonly retried: readonly Retry[]
  /** Given back untried. Without effect where another one holds it by now. */
  readonly released: readonly string[]
}

export interface Retry {
  readonly id: string
  readonly attempts: number
  /** From now. */
  readonly delayMs: number
}

export interface DurableCounts {
  /** Held by nobody: due, or before a retry. */
  readonly waiting: number
  /** Held by an instance: about to be sent, or under way. */
  readonly held: number
  /** Age of the delivery that was admitted first; `null` where there is none. */
  readonly oldestMs: number | null
}

/** What nobody holds of an endpoint, the next first, and how much of it somebody holds. */
export interface DurablePending {
  readonly waiting: number
  readonly held: number
  readonly next: readonly DueDelivery[]
}

export interface DueDelivery extends HeldDelivery {
  /** Epoch ms; `null` where the queue cannot say. */
  readonly dueAt: number | null
}

/** @throws with status 503 where it cannot be asked: never answers as if there were nothing */
export interface DurableQueue {
  /** One write. What is there already stays as it is. @returns those that the holder holds now, which may be fewer than it wanted */
  admit(holder: string, deliveries: readonly NewDelivery[]): Promise<readonly string[]>
  /**
   * Takes deliveries that are due and that nobody holds. Endpoints take turns, so that a long line of one does not stand
   * before the others.
   *
   * @param room how many of an endpoint may be taken now
   */
  claim(holder: string, limit: number, room: (endpointId: string) => number): Promise<readonly HeldDelivery[]>
  /** Says that this holder lives: first, and then every `BEAT_MS`. @returns `false` where it was silent for too long: it holds nothing any more */
  extend(holder: string): Promise<boolean>
  settle(holder: string, settlement: Settlement): Promise<void>
  /**
   * Makes what nobody holds of an endpoint due at once. It goes in the order of its admission, before what is due otherwise.
   *
   * @returns how many it found, at most so many; fewer: there is no more
   */
  hasten(endpointId: string, limit: number): Promise<number>
  /** Removes what nobody holds of an endpoint. @returns how many */
  discard(endpointId: string): Promise<number>
  counts(): Promise<DurableCounts>
  /** @param limit of those that come first */
  pending(endpointId: string, limit: number): Promise<DurablePending>
  /** The holder ends: what it still holds is free. */
  leave(holder: string): Promise<void>
  /** Absent where what keeps it has no way to tell. */
  readonly changes?: EndpointChanges | undefined
}

/** Every operation: a ready object that lacks one is refused. */
export const DURABLE_OPERATIONS: readonly Exclude<keyof DurableQueue, 'changes'>[] = [
  'admit',
  'claim',
  'extend',
  'settle',
  'hasten',
  'discard',
  'counts',
  'pending',
  'leave'
]
