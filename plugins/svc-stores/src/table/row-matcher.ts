/** What conditions and orders mean, in plain code: the reading that every engine is compared with. Pure. */
import { isItem, listOf } from './change.ts'
import { compareHeld } from './compare-held.ts'
import { isMet } from './comparison.ts'
import type {
  AfterCondition,
  Condition,
  ConditionValue,
  FieldsCondition,
  ItemCondition,
  ListCondition,
  MeasuredCondition,
  PathCondition,
  RelatedCondition,
  RelatedRows,
  TreeCondition,
  ValueCondition
} from './condition.ts'
import { fold } from './condition.ts'
import { compareJson, valueAt } from './json-path.ts'
import { likeMatcher } from './like-matcher.ts'
import { measureOf } from './measured-rows.ts'
import { searchMatcher } from './search-matcher.ts'
import type { SortKey } from './sort-key.ts'
import type { TablePlan } from './table-plan.ts'
import { treeKeys } from './tree-walk.ts'

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
    case 'measured':
      return measuredTest(condition, rowsOf)
    case 'tree':
      return treeTest(condition, rowsOf)
    case 'after':
      return afterTest(condition)
    case 'search':
      return searchMatcher(condition)
    case 'null':
      return (row) => (heldBy(row, condition.field) === null) === condition.value
    case 'fields':
      return fieldsTest(condition)
    case 'path':
      return pathTest(condition)
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

function pathTest(condition: PathCondition): (row: AnyRow) => boolean {
  const { field, path } = condition
  return (row) => {
    const held = valueAt(row[field], path)
    if (!('value' in condition))
      return condition.comparison === 'present' ? held !== undefined : (held ?? null) !== null
    return typeof held === typeof condition.value && isMet(condition.comparison, compareHeld(held, condition.value))
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

/** What is in the same place of another table, by the value that it holds in the column of the relation. */
function belonging(
  { table, column, of, first }: RelatedRows,
  rowsOf: RowsOf
): ReadonlyMap<string | number | bigint | boolean, readonly AnyRow[]> {
  const rows = [...(rowsOf(table) as Iterable<AnyRow>)]
  const looked = first === undefined ? rows : rows.filter(rowMatcher(first.of, rowsOf)).sort(rowOrder(first.order))
  const groups = new Map<string | number | bigint | boolean, AnyRow[]>()
  for (const row of looked) {
    if (heldBy(row, column) === null) continue
    const held = comparable(row[column] as ConditionValue)
    const group = groups.get(held) ?? []
    groups.set(held, group)
    if (first === undefined || group.length < first.limit) group.push(row)
  }
  const meets = rowMatcher(of, rowsOf)
  return new Map([...groups].map(([held, group]) => [held, group.filter(meets)]))
}

function relatedTest(condition: RelatedCondition, rowsOf: RowsOf): (row: AnyRow) => boolean {
  const groups = belonging(condition, rowsOf)
  return (row) => ownOf(groups, row, condition.field).length > 0
}

function measuredTest(condition: MeasuredCondition, rowsOf: RowsOf): (row: AnyRow) => boolean {
  const groups = belonging(condition, rowsOf)
  const { measure, comparison } = condition
  return (row) => {
    const found = measureOf(ownOf(groups, row, condition.field), measure)
    const measured = found === null && measure.of === 'sum' ? 0 : found
    if (measured === null || comparison === 'held') return measured !== null
    const against = 'other' in condition ? heldBy(row, condition.other) : condition.value
    return against !== null && isMet(comparison, compareMeasured(measured, against))
  }
}

function treeTest(condition: TreeCondition, rowsOf: RowsOf): (row: AnyRow) => boolean {
  const { table, from, of, field } = condition
  const rows = [...rowsOf(table)].filter(rowMatcher(of, rowsOf)) as AnyRow[]
  const keys = treeKeys(condition, rows, rows.filter(rowMatcher(from, rowsOf)))
  return (row) => keys.has(row[field])
}

/** Nothing adds up to a number, also where the others are 64 bits. */
function compareMeasured(measured: ConditionValue, against: unknown): number {
  return typeof against === 'bigint' && typeof measured === 'number'
    ? compareHeld(measured, Number(against))
    : compareHeld(measured, against)
}

function ownOf<Held>(groups: ReadonlyMap<Held, readonly AnyRow[]>, row: AnyRow, field: string): readonly AnyRow[] {
  const held = heldBy(row, field)
  return held === null ? [] : (groups.get(comparable(held as ConditionValue) as Held) ?? [])
}

export function noOther({ name }: TablePlan): never {
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
