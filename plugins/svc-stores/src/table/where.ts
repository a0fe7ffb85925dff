/**
 * Which rows an operation takes, as data: `{ id, enabled: true, failureCount: atLeast(3) }`. Fields are ANDed.
 *
 * An operator is an instance that only the functions below make. A value of a request that is an object is none, and
 * matches nothing: `{ id: JSON.parse(body).id }` can never become "any id". `undefined` and `null` match nothing
 * either, as they would widen the query (null is asked for by `isNull`); `given()` drops the fields of a filter that are not asked for.
 */
import { hasOnlyStorableText } from '../records/storable-record.ts'
import { type ColumnCondition, type Condition, type ConditionValue, fold, NOTHING, type SortKey } from './condition.ts'
import type { IdForm } from './id-form.ts'
import type { ColumnPlan, TablePlan } from './table-plan.ts'

type Read = (field: string, column: ColumnPlan, ids: IdForm) => Condition | null

/** An operator on one column. `null`: no condition. */
class Test {
  readonly read: Read

  constructor(read: Read) {
    this.read = read
  }
}

export type { Test }

class Combination<Row> {
  readonly kind: 'all' | 'any'
  readonly parts: readonly Where<Row>[]

  constructor(kind: 'all' | 'any', parts: readonly Where<Row>[]) {
    this.kind = kind
    this.parts = parts
  }
}

class After {
  readonly order: readonly SortKey[]
  readonly row: object

  constructor(order: readonly SortKey[], row: object) {
    this.order = order
    this.row = row
  }
}

/** Conditions by column; several sets joined by `all` and `any`; or conditions that are parsed already. */
export type Where<Row> =
  | { readonly [Name in keyof Row & string]?: Exclude<Row[Name], null> | Test }
  | Combination<Row>
  | After
  | readonly Condition[]

/** Rows that meet every one of these. */
export function all<Row>(...parts: readonly Where<Row>[]): Where<Row> {
  return new Combination('all', parts)
}

/** Rows that meet one of these; without any, none. */
export function any<Row>(...parts: readonly Where<Row>[]): Where<Row> {
  return new Combination('any', parts)
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
export const isNull: Test = new Test((field) => ({ field, operator: 'null', value: true }))

/** Anything but null. */
export const held: Test = new Test((field) => ({ field, operator: 'null', value: false }))

/** Another value, or null. */
export function not(value: ConditionValue): Test {
  return comparing('ne', value)
}

export function above(value: number | Date): Test {
  return comparing('gt', value)
}

export function atLeast(value: number | Date): Test {
  return comparing('gte', value)
}

export function below(value: number | Date): Test {
  return comparing('lt', value)
}

export function atMost(value: number | Date): Test {
  return comparing('lte', value)
}

/** One of these values; of none, no row. */
export function oneOf(values: readonly ConditionValue[]): Test {
  return new Test((field, column, ids) => {
    const storable = values.filter((value) => isValueOf(column, value, ids))
    return storable.length === 0 ? NOTHING : { field, operator: 'in', values: storable, orNull: false }
  })
}

/** A list that holds one of these items. */
export function holding(...items: readonly ConditionValue[]): Test {
  return new Test((field, column, ids) => {
    const storable = items.filter((item) => isValueOf(column, item, ids))
    return storable.length === 0 ? NOTHING : { field, operator: 'has', values: storable, orNull: false }
  })
}

/** A list of objects that holds an item with these values. */
export function holdingItem(item: Readonly<Record<string, ConditionValue>>): Test {
  return new Test((field) => (isItem(item) ? { field, operator: 'holds', item } : NOTHING))
}

/** A list of objects without an item that has these values. */
export function lackingItem(item: Readonly<Record<string, ConditionValue>>): Test {
  return new Test((field) => (isItem(item) ? { field, operator: 'lacks', item } : null))
}

/** Text with this part, in any case; every character stands for itself. */
export function containing(term: string): Test {
  return searching('contains', term)
}

/** Text that begins so, in any case; every character stands for itself. */
export function startingWith(term: string): Test {
  return searching('starts', term)
}

/**
 * The conditions of a query in the one form that drivers take. A value that the column cannot hold matches nothing.
 *
 * @throws TypeError for a column that the plan does not have
 */
export function conditionsOf<Row>(plan: TablePlan, where: Where<Row>, ids: IdForm): readonly Condition[] {
  if (Array.isArray(where)) return where as readonly Condition[]
  if (where instanceof Combination) return combined(plan, where, ids)
  if (where instanceof After) return [afterCondition(where)]
  const conditions: Condition[] = []
  for (const [field, value] of Object.entries(where)) {
    const condition = read(columnOf(plan, field), value, ids)
    if (condition !== null) conditions.push(condition)
  }
  return conditions
}

/** @throws TypeError */
export function columnOf(plan: TablePlan, name: string): ColumnPlan {
  const column = plan.columns.find((each) => each.name === name)
  if (column === undefined) throw new TypeError(`table ${plan.name} has no column ${name}`)
  return column
}

function combined<Row>(plan: TablePlan, { kind, parts }: Combination<Row>, ids: IdForm): readonly Condition[] {
  const of = parts.map((part) => conditionsOf(plan, part, ids))
  return kind === 'all' ? of.flat() : [{ operator: 'any', of }]
}

function afterCondition({ order, row }: After): Condition {
  const values = order.map(({ field }) => (row as Readonly<Record<string, ConditionValue>>)[field] as ConditionValue)
  return { operator: 'after', order, values }
}

function read(column: ColumnPlan, value: unknown, ids: IdForm): Condition | null {
  const { name: field } = column
  if (value instanceof Test) return value.read(field, column, ids)
  return isValueOf(column, value, ids) ? { field, operator: 'eq', value } : NOTHING
}

function comparing(operator: 'ne' | 'gt' | 'gte' | 'lt' | 'lte', value: ConditionValue): Test {
  return new Test((field, column, ids): ColumnCondition | typeof NOTHING | null => {
    if (isValueOf(column, value, ids)) return { field, operator, value }
    // No row holds it: all differ from it, and none is above or below it.
    return operator === 'ne' ? null : NOTHING
  })
}

/** Bytes of UTF-8: SQLite reads patterns up to 50,000. */
const LONGEST_TERM = 10_000

function searching(operator: 'contains' | 'starts', term: string): Test {
  return new Test((field) => {
    const text = typeof term === 'string' ? fold(term) : ''
    const findable = typeof term === 'string' && text.length <= LONGEST_TERM && hasOnlyStorableText(text)
    return findable ? { field, operator, text } : NOTHING
  })
}

function isItem(item: Readonly<Record<string, unknown>>): boolean {
  return Object.values(item).every(
    (value) => isScalar(value) && (typeof value !== 'string' || hasOnlyStorableText(value))
  )
}

function isScalar(value: unknown): value is ConditionValue {
  return ['string', 'number', 'boolean'].includes(typeof value) || value instanceof Date
}

function isValueOf({ type }: ColumnPlan, value: unknown, ids: IdForm): value is ConditionValue {
  switch (type) {
    case 'text':
      return typeof value === 'string' && hasOnlyStorableText(value)
    case 'id':
      return typeof value === 'string' && ids.accepts(value)
    case 'integer':
    case 'time':
    case 'float':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return value instanceof Date && !Number.isNaN(value.getTime())
    case 'json':
      return isScalar(value)
    case 'document':
      return false
  }
}
