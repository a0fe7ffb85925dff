/**
 * What an administrator should know of the events an endpoint subscribes to: names that
 * the journal never records, and the category that is never delivered. Pure.
 */
import { type AuditCatalogueEntry, nearestName } from 'svc-kernel'
import { OWN_CATEGORY } from '../events/own-category.ts'

export type Catalogue = ReadonlyMap<string, AuditCatalogueEntry>

/** @param catalogue of the journal; without one nothing is known of any name @returns a sentence per doubtful pattern */
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
