/**
 * What an endpoint missed in a range of time: events whose delivery failed, as its history has it, and events of the audit
 * journal that match its subscription and have no delivery at all, as while it was disabled or not yet there.
 */
import type { AuditEvent } from 'svc-kernel'
import type { AuditListing } from 'svc-kernel/plugin'
import { SubscriptionIndex } from '../endpoints/endpoint-snapshot.ts'
import { OWN_CATEGORY } from '../endpoints/event-types.ts'
import type { LastingHistory } from '../history/lasting-history.ts'
import { messageId } from '../signature/message.ts'

/** `failed`: delivered to no avail; `missing`: never delivered. */
export const MISSED = ['failed', 'missing'] as const

/** Why an event was missed: `failed`, no attempt delivered it; `missing`, it has no delivery at all. */
export type Missed = (typeof MISSED)[number]

/** By the time of the events. */
export interface RecoveryRange {
  /** Epoch ms, inclusive. */
  readonly since: number
  /** Epoch ms, inclusive. */
  readonly until: number
  /** One kind alone. Absent: both. */
  readonly status?: Missed
}

export interface MissedEvent {
  readonly event: AuditEvent
  /** The one it had; where there was none, always the same for this event and endpoint. */
  readonly messageId: string
}

/** What happened, of which an endpoint may have missed some. */
export interface MissedJournal {
  /** Epoch ms: what happened before may be gone from it. Absent: it keeps everything that a history does. */
  readonly begin?: () => number
  /** Any order. @param range by the time of the events */
  list(endpointId: string, range: Omit<RecoveryRange, 'status'>, page: JournalPage): Promise<AuditListing>
}

export interface JournalPage {
  readonly limit: number
  readonly cursor?: string
}

export interface MissedParts {
  readonly history: Pick<LastingHistory, 'entries'>
  readonly journal: MissedJournal
  /** Asked between two pages. */
  readonly stopped: () => boolean
}

/** Held in memory while they are sent. */
export const MOST_MISSED = 10_000

const PAGE = 200

export class TooManyMissed extends Error {}

/** Oldest first. @throws TooManyMissed, and what history and journal throw */
export async function missedEvents(
  { id, events }: { readonly id: string; readonly events: readonly string[] },
  range: RecoveryRange,
  parts: MissedParts
): Promise<readonly MissedEvent[]> {
  const { delivered, failed } = await attempted(id, range, parts)
  const missed = new Map<string, MissedEvent>()
  const take = (found: MissedEvent) => {
    if (missed.size === MOST_MISSED) throw new TooManyMissed()
    missed.set(found.event.id, found)
  }
  if (range.status !== 'missing') for (const found of failed.values()) take(found)
  if (range.status !== 'failed') {
    const subscription = new SubscriptionIndex([{ id, events }])
    for await (const event of recorded(id, range, parts)) {
      if (event.category === OWN_CATEGORY || delivered.has(event.id) || failed.has(event.id)) continue
      if (subscription.match(event.action).length > 0) take({ event, messageId: messageId(event.id, id) })
    }
  }
  return [...missed.values()].sort(({ event: a }, { event: b }) => a.ts - b.ts || (a.id < b.id ? -1 : 1))
}

/** A delivery ends after its event, at any time: the history is read from the beginning of the range to now. */
async function attempted(endpointId: string, { since, until }: RecoveryRange, { history, stopped }: MissedParts) {
  const delivered = new Set<string>()
  const failed = new Map<string, MissedEvent>()
  let cursor: string | null = null
  do {
    const page = cursor === null ? { limit: PAGE } : { limit: PAGE, cursor }
    const { items, nextCursor } = await history.entries(endpointId, { since }, page)
    for (const { event, messageId: id, outcome } of items) {
      if (outcome === 'delivered') delivered.add(event.id)
      else if (event.category !== OWN_CATEGORY && event.ts >= since && event.ts <= until && !failed.has(event.id)) {
        failed.set(event.id, { event, messageId: id })
      }
    }
    cursor = nextCursor
  } while (cursor !== null && !stopped())
  // One of its deliveries is enough, whichever came first.
  for (const id of delivered) failed.delete(id)
  return { delivered, failed }
}

async function* recorded(endpointId: string, { since, until }: RecoveryRange, { journal, stopped }: MissedParts) {
  let cursor: string | null = null
  do {
    const page: JournalPage = cursor === null ? { limit: PAGE } : { limit: PAGE, cursor }
    const found: AuditListing = await journal.list(endpointId, { since, until }, page)
    yield* found.items
    cursor = found.nextCursor
  } while (cursor !== null && !stopped())
}
