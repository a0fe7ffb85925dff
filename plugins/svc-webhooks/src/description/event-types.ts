/** What can be subscribed to: the catalogue of the journal, without what is never delivered. Pure. */
import { OWN_CATEGORY } from '../events/own-category.ts'
import type { Catalogue } from '../registry/event-warnings.ts'

export interface EventType {
  /** The audit action. */
  readonly type: string
  readonly category: string
  readonly outcomes: readonly string[]
  /** When it happens, as half a sentence. */
  readonly description: string
  /** `false` for events about webhooks, which no subscription brings. */
  readonly deliverable: boolean
}

/** Forms of a subscription (spec, "Subscription patterns"). */
export const PATTERNS: readonly string[] = Object.freeze(['*', '<action>', '<prefix>.*'])

/** The headers of a message that a receiver verifies it by. */
export const MESSAGE_HEADERS: readonly string[] = Object.freeze([
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature'
])

/** @param catalogue absent where no journal says what it records: the list is then empty */
export function eventTypes(catalogue: Catalogue | undefined): EventType[] {
  return [...(catalogue ?? [])].map(([type, { category, outcomes, when }]) => ({
    type,
    category,
    outcomes,
    description: when,
    deliverable: category !== OWN_CATEGORY
  }))
}
