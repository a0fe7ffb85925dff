/** What conditions and orders mean, in plain code: the reading that every engine is compared with. Pure. */
import { isItem, listOf } from './change.ts'
import { compareHeld } from './compare-held.ts'
import type {
  AfterCondition,
  Comparison,
  Condition,
  ConditionValue,
  FieldsCondition,
  ItemCondition,
  ListCondition,
  RelatedCondition,
  ValueCondition
} from './condition.ts'
import { fold } from './condition.ts'
import { compareJson } from './json-path.ts'
import { likeMatcher } from './like-matcher.ts'
import type { SortKey } from './sort-key.ts'
import type { TablePlan } from './table-plan.ts'

type AnyRow = Readonly<Record<string, unknown>>

type RowTest = (row: object) => boolean

/** The rows of another table. */
export type RowsOf = (plan: TablePlan) => Iterable<object>

/** @param rowsOf for conditions on other tables @returns whether a row meets every condition */
export function rowMatcher(conditions: readonly Condition[], rowsOf: RowsOf = noOther): RowTest {
  const tests = conditions.map((each) => testOf(each, rowsOf)) as ((row: AnyRow) => boolean)[]
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only as RowTest
  return (row) => tests.every((test) => test(row as AnyRow))
}

/** Compares rows in an order; null sorts lowest. */
export function rowOrder(order: readonly SortKey[]): (a: object, b: object) => number {
  return (a, b) => {
    for (const { field, direction, by } of order) {
      const [one, two] = [heldBy(a as AnyRow, field), heldBy(b as AnyRow, field)]
      const compared = by?.kind === 'path' ? compareJson(one, two) : compareHeld(one, two)
      if (compared !== 0) return direction === 'ASC' ? compared : -compared
    }
    return 0
  }
}

function testOf(condition: Condition, rowsOf: RowsOf): (row: AnyRow) => boolean {
  switch (condition.operator) {
    case 'any': {
      const some = condition.of.map((each) => rowMatcher(each, rowsOf))
      return (row) => some.some((test) => test(row))
    }
    case 'not': {
      const whole = rowMatcher(condition.of, rowsOf)
      return (row) => !whole(row)
    }
    case 'related':
      return relatedTest(condition, rowsOf)
    case 'after':
      return afterTest(condition)
    case 'null':
      return (row) => (heldBy(row, condition.field) === null) === condition.value
    case 'fields':
      return fieldsTest(condition)
    case 'like':
      return textTest(condition.field, likeMatcher(condition.pattern))
    case 'contains':
      return textTest(condition.field, (text) => fold(text).includes(condition.text))
    case 'starts':
      return textTest(condition.field, (text) => fold(text).startsWith(condition.text))
    case 'holds':
    case 'lacks':
      return itemTest(condition)
    case 'in':
    case 'nin':
    case 'has':
    case 'hasnt':
      return listTest(condition)
    default:
      return valueTest(condition)
  }
}

function textTest(field: string, matches: (text: string) => boolean): (row: AnyRow) => boolean {
  return (row) => typeof row[field] === 'string' && matches(row[field])
}

function valueTest({ field, operator, value }: ValueCondition): (row: AnyRow) => boolean {
  return (row) => {
    const held = heldBy(row, field)
    if (held === null) return operator === 'ne'
    const order = compareHeld(held, value)
    return operator === 'ne' ? order !== 0 : isMet(operator, order)
  }
}

function fieldsTest({ field, comparison, other }: FieldsCondition): (row: AnyRow) => boolean {
  return (row) => {
    const [held, compared] = [heldBy(row, field), heldBy(row, other)]
    return held !== null && compared !== null && isMet(comparison, compareHeld(held, compared))
  }
}

function isMet(comparison: Comparison, order: number): boolean {
  switch (comparison) {
    case 'eq':
      return order === 0
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

function listTest({ field, operator, values, orNull }: ListCondition): (row: AnyRow) => boolean {
  const wanted = new Set(values.map(comparable))
  const isWanted = (row: AnyRow) => {
    const held = heldBy(row, field)
    if (held === null) return orNull
    return Array.isArray(held)
      ? held.some((item) => wanted.has(comparable(item as ConditionValue)))
      : wanted.has(comparable(held as ConditionValue))
  }
  return operator === 'in' || operator === 'has' ? isWanted : (row) => !isWanted(row)
}

function itemTest({ field, operator, item }: ItemCondition): (row: AnyRow) => boolean {
  return (row) => listOf(row[field]).some((one) => isItem(one, item)) === (operator === 'holds')
}

function relatedTest({ field, table, column, of }: RelatedCondition, rowsOf: RowsOf): (row: AnyRow) => boolean {
  const belonging = [...(rowsOf(table) as Iterable<AnyRow>)].filter(rowMatcher(of, rowsOf))
  const values = new Set(belonging.map((row) => comparable(row[column] as ConditionValue)))
  return (row) => heldBy(row, field) !== null && values.has(comparable(row[field] as ConditionValue))
}

function noOther({ name }: TablePlan): never {
  throw new TypeError(`the rows of ${name} are not loaded`)
}

/** The first column that differs decides. */
function afterTest({ order, values }: AfterCondition): (row: AnyRow) => boolean {
  const position = Object.fromEntries(order.map(({ field }, index) => [field, values[index]]))
  const compare = rowOrder(order)
  return (row) => compare(row, position) > 0
}

function heldBy(row: AnyRow, field: string): unknown {
  return row[field] ?? null
}

/** Dates are equal by value; nothing else in a column is a number as well. */
function comparable(value: ConditionValue): string | number | bigint | boolean {
  return value instanceof Date ? value.getTime() : value
}
