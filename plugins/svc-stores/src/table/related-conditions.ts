/**
 * Conditions on other tables, for engines that cannot ask two tables in one step: the rows that belong are found first,
 * and what they hold takes the place of the condition. Pure.
 */
import type { Condition, ConditionValue, ListCondition, RelatedCondition } from './condition.ts'

/** Those that the conditions have, but for those within them. */
export function relatedConditions(conditions: readonly Condition[]): readonly RelatedCondition[] {
  return conditions.flatMap((condition) => {
    switch (condition.operator) {
      case 'related':
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

/** @param valuesOf what the rows hold that belong; null among it is passed over */
export function resolveRelated(
  conditions: readonly Condition[],
  valuesOf: (related: RelatedCondition) => readonly (ConditionValue | null)[]
): readonly Condition[] {
  if (!hasRelated(conditions)) return conditions
  const resolved = (condition: Condition): Condition => {
    switch (condition.operator) {
      case 'related':
        return among(condition.field, valuesOf(condition))
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
    if (condition.operator === 'related') return true
    if (condition.operator === 'any' && condition.of.some(hasRelated)) return true
    if (condition.operator === 'not' && hasRelated(condition.of)) return true
  }
  return false
}

function among(field: string, found: readonly (ConditionValue | null)[]): ListCondition {
  const values = [...new Set(found.filter((value) => value !== null))]
  return { field, operator: 'in', values, orNull: false }
}
