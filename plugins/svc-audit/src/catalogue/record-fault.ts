/** What is wrong with a record, seen from the catalogue. Pure. */
import type { AuditRecord } from 'svc-kernel'
import { nearestName } from 'svc-kernel'
import { ACTIONS, CATALOGUE } from './catalogue.ts'

/** @returns one sentence, or `null` when the catalogue has the action with this category and outcome */
export function recordFault({ action, category, outcome }: AuditRecord): string | null {
  const entry = CATALOGUE.get(action)
  if (entry === undefined) {
    const near = typeof action === 'string' && action.length <= 64 ? nearestName(action, ACTIONS) : undefined
    return `the action is not in the catalogue${near === undefined ? '' : ` (did you mean ${near}?)`}`
  }
  if (entry.category !== category) return `the category of ${action} is ${entry.category}`
  if (!entry.outcomes.includes(outcome)) return `the outcome of ${action} is ${entry.outcomes.join(' or ')}`
  return null
}
