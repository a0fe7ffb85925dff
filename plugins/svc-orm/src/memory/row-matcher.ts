/** What conditions mean, in plain code: the reading every driver is compared with. Pure. */

import { likeMatcher } from 'svc-stores/table'
import type { Condition, ConditionValue, ListCondition, ValueCondition } from '../criteria/condition.ts'
import type { StoredRow } from '../driver/entity-gateway.ts'
import { compareValues } from './compare-values.ts'

type RowTest = (row: StoredRow) => boolean

/** @returns whether a row meets every condition */
export function rowMatcher(conditions: readonly Condition[]): RowTest {
  const tests = conditions.map(conditionTest)
  return (row) => tests.every((test) => test(row))
}

function conditionTest(condition: Condition): RowTest {
  const { field } = condition
  switch (condition.operator) {
    case 'null':
      return (row) => (heldBy(row, field) === null) === condition.value
    case 'like': {
      const matches = likeMatcher(condition.pattern)
      return (row) => typeof row[field] === 'string' && matches(row[field])
    }
    case 'in':
    case 'nin':
    case 'has':
    case 'hasnt':
      return listTest(condition)
    default:
      return valueTest(condition)
  }
}

function valueTest({ field, operator, value }: ValueCondition): RowTest {
  return (row) => {
    const held = heldBy(row, field)
    if (held === null) return operator === 'ne'
    const order = compareValues(held as ConditionValue, value)
    switch (operator) {
      case 'eq':
        return order === 0
      case 'ne':
        return order !== 0
      case 'gt':
        return order > 0
      case 'gte':
        return order >= 0
      case 'lt':
        return order < 0
      case 'lte':
        return order <= 0
    }
  }
}

function listTest({ field, operator, values, orNull }: ListCondition): RowTest {
  const wanted = new Set(values.map(comparable))
  const isWanted = (row: StoredRow) => {
    const held = heldBy(row, field)
    if (held === null) return orNull
    return Array.isArray(held)
      ? held.some((item) => wanted.has(comparable(item as ConditionValue)))
      : wanted.has(comparable(held as ConditionValue))
  }
  return operator === 'in' || operator === 'has' ? isWanted : (row) => !isWanted(row)
}

function heldBy(row: StoredRow, field: string): unknown {
  return row[field] ?? null
}

/** Dates are equal by value; nothing else in a field is a number as well. */
function comparable(value: ConditionValue): string | number | boolean {
  return value instanceof Date ? value.getTime() : value
}
