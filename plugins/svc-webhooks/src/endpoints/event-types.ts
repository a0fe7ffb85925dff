/** What can be subscribed to, `*`, an action or `prefix.*`: the catalogue of the journal, without what is never delivered. Pure. */
import type { AuditCatalogueEntry } from 'svc-kernel/plugin'
import { nearestName } from 'svc-kernel/plugin'

/** A pattern of a subscription, as JSON schemas take it (spec, "Subscription patterns"). */
export const EVENT_PATTERN = '^(?:\\*|[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*(?:\\.\\*)?)$'

const FORM = new RegExp(EVENT_PATTERN)

export function isEventPattern(given: unknown): boolean {
  return typeof given === 'string' && FORM.test(given)
}

/** Category of the events about webhooks; they are never delivered (spec, "Source and categories"). */
export const OWN_CATEGORY = 'webhook'

/** What the journal records, by action. */
export type Catalogue = ReadonlyMap<string, AuditCatalogueEntry>

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

/**
 * What an administrator should know of the events an endpoint subscribes to: names that the journal never records, and
 * the category that is never delivered.
 *
 * @param catalogue without one nothing is known of any name @returns a sentence per doubtful pattern
 */
export function eventWarnings(patterns: readonly string[], catalogue: Catalogue | undefined): string[] {
  if (catalogue === undefined) return []
  return patterns.flatMap((pattern) => warningOf(pattern, catalogue) ?? [])
}

function warningOf(pattern: string, catalogue: Catalogue): string | null {
  if (pattern === '*') return null
  const matching = [...catalogue].filter(([action]) => matches(pattern, action))
  if (matching.length === 0) {
    return `"${pattern}" matches no known audit action; webhooks carry audit events only${hint(pattern, catalogue)}`
  }
  if (matching.some(([, { category }]) => category !== OWN_CATEGORY)) return null
  return `"${pattern}" is never delivered: events about webhooks are not sent by webhook`
}

function matches(pattern: string, action: string): boolean {
  return pattern.endsWith('.*') ? action.startsWith(pattern.slice(0, -1)) : action === pattern
}

function hint(pattern: string, catalogue: Catalogue): string {
  const near = nearestName(pattern, catalogue.keys())
  return near === undefined ? '' : ` (did you mean "${near}"?)`
}
