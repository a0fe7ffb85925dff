/**
 * Conditions on other tables, for engines that cannot ask two tables in one step: the rows that belong are found first,
 * and what they hold takes the place of the condition. Pure.
 */
import type { Condition, ConditionValue, ListCondition, SubqueryCondition } from './condition.ts'

/** Those that the conditions have, but for those within them. */
export function relatedConditions(conditions: readonly Condition[]): readonly SubqueryCondition[] {
  return conditions.flatMap((condition) => {
    switch (condition.operator) {
      case 'related':
      case 'measured':
      case 'tree':
        return [condition]
      case 'any':
        return condition.of.flatMap(relatedConditions)
      case 'not':
        return relatedConditions(condition.of)
      default:
        return []
    }
  })
}

/** @param replacement of a condition on another table */
export function resolveRelated(
  conditions: readonly Condition[],
  replacement: (related: SubqueryCondition) => Condition
): readonly Condition[] {
  if (!hasRelated(conditions)) return conditions
  const resolved = (condition: Condition): Condition => {
    switch (condition.operator) {
      case 'related':
      case 'measured':
      case 'tree':
        return replacement(condition)
      case 'any':
        return { operator: 'any', of: condition.of.map((set) => set.map(resolved)) }
      case 'not':
        return { operator: 'not', of: condition.of.map(resolved) }
      default:
        return condition
    }
  }
  return conditions.map(resolved)
}

function hasRelated(conditions: readonly Condition[]): boolean {
  for (const condition of conditions) {
    switch (condition.operator) {
      case 'related':
      case 'measured':
      case 'tree':
        return true
      case 'any':
        if (condition.of.some(hasRelated)) return true
        break
      case 'not':
        if (hasRelated(condition.of)) return true
    }
  }
  return false
}

/** The column holds one of these; null among them is passed over. */
export function among(field: string, found: readonly (ConditionValue | null)[]): ListCondition {
  const values = [...new Set(found.filter((value) => value !== null))]
  return { field, operator: 'in', values, orNull: false }
}
