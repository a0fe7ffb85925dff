/**
 * What a query says beyond equal values: operators on a column, and how sets of conditions are joined. Null is asked for
 * by `isNull`; `given()` drops the fields of a filter that are not asked for.
 */
import { hasOnlyStorableText } from '../records/record-values.ts'
import { type ConditionValue, fold, NOTHING, type ValueCondition } from './condition.ts'
import type { SortKey } from './sort-key.ts'
import { After, Combination, compared, isScalar, isValueOf, Test, type Where } from './where.ts'

/** Rows that meet every one of these. */
export function all<Row>(...parts: readonly Where<Row>[]): Where<Row> {
  return new Combination('all', parts)
}

/** Rows that meet one of these; without any, none. */
export function any<Row>(...parts: readonly Where<Row>[]): Where<Row> {
  return new Combination('any', parts)
}

/** Rows that do not meet all of it; a row without a value meets what asks for one as little as one with another. */
export function except<Row>(part: Where<Row>): Where<Row> {
  return new Combination('notAll', [part])
}

/** Rows that come after this one in the order: the page that follows it. */
export function after<Row extends object>(order: readonly SortKey[], row: Row): Where<Row> {
  return new After(order, row)
}

/** Without the fields that are `undefined`: the parts of a filter that were not asked for. */
export function given<Fields extends object>(
  fields: Fields
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const asked = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(asked) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}

/** Null or absent. */
export const isNull: Test = new Test(({ name: field }) => ({ field, operator: 'null', value: true }))

/** Anything but null. */
export const held: Test = new Test(({ name: field }) => ({ field, operator: 'null', value: false }))

/** Another value, or null. */
export const not = (value: ConditionValue): Test => comparing('ne', value)

export const above = (value: number | Date): Test => comparing('gt', value)
export const atLeast = (value: number | Date): Test => comparing('gte', value)
export const below = (value: number | Date): Test => comparing('lt', value)
export const atMost = (value: number | Date): Test => comparing('lte', value)

/** One of these values; of none, no row. */
export const oneOf = (values: readonly ConditionValue[]): Test => among('in', values)

/** A list that holds one of these items. */
export const holding = (...items: readonly ConditionValue[]): Test => among('has', items)

/** A list of objects that holds an item with these values. */
export function holdingItem(item: Readonly<Record<string, ConditionValue>>): Test {
  return new Test(({ name: field }) => (isItem(item) ? { field, operator: 'holds', item } : NOTHING))
}

/** A list of objects without an item that has these values. */
export function lackingItem(item: Readonly<Record<string, ConditionValue>>): Test {
  return new Test(({ name: field }) => (isItem(item) ? { field, operator: 'lacks', item } : null))
}

/** Text with this part, in any case; every character is literal. */
export const containing = (term: string): Test => searching('contains', term)

/** Text that begins so, in any case; every character is literal. */
export const startingWith = (term: string): Test => searching('starts', term)

function comparing(operator: ValueCondition['operator'], value: ConditionValue): Test {
  return new Test((column, ids) => compared(column, operator, value, ids))
}

function among(operator: 'in' | 'has', values: readonly ConditionValue[]): Test {
  return new Test((column, ids) => {
    const storable = values.filter((value) => isValueOf(column, value, ids))
    return storable.length === 0 ? NOTHING : { field: column.name, operator, values: storable, orNull: false }
  })
}

/** Bytes of UTF-8: SQLite reads patterns up to 50,000. */
const LONGEST_TERM = 10_000

function searching(operator: 'contains' | 'starts', term: string): Test {
  return new Test(({ name: field }) => {
    const text = typeof term === 'string' && hasOnlyStorableText(term) ? fold(term) : null
    return text !== null && text.length <= LONGEST_TERM ? { field, operator, text } : NOTHING
  })
}

function isItem(item: Readonly<Record<string, unknown>>): boolean {
  return Object.values(item).every(
    (value) => isScalar(value) && (typeof value !== 'string' || hasOnlyStorableText(value))
  )
}
