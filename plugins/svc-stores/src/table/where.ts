/**
 * Which rows an operation takes, as data: `{ id, enabled: true, failureCount: atLeast(3) }`. Fields are ANDed.
 *
 * An operator is an instance that only the functions of `operators.ts` make. A value of a request that is an object is
 * none, and matches nothing: `{ id: JSON.parse(body).id }` can never become "any id". `undefined` and `null` match
 * nothing either, as they would widen the query.
 */
import { hasOnlyStorableText } from '../records/record-values.ts'
import { type Condition, type ConditionValue, NOTHING, type ValueCondition } from './condition.ts'
import type { IdForm } from './ids.ts'
import type { SortKey } from './sort-key.ts'
import type { ColumnPlan, TablePlan } from './table-plan.ts'

/** An operator on one column. */
export class Test {
  /** `null`: no condition. */
  readonly read: (column: ColumnPlan, ids: IdForm) => Condition | null

  constructor(read: Test['read']) {
    this.read = read
  }
}

/** Sets of conditions, joined. */
export class Combination<Row> {
  readonly kind: 'all' | 'any' | 'notAll'
  readonly parts: readonly Where<Row>[]

  constructor(kind: Combination<Row>['kind'], parts: readonly Where<Row>[]) {
    this.kind = kind
    this.parts = parts
  }
}

/** The rows behind this one in an order. */
export class After {
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

/**
 * The conditions of a query in the one form that drivers take. A value that the column cannot hold matches nothing.
 *
 * @throws TypeError for a column that the plan does not have
 */
export function conditionsOf<Row>(plan: TablePlan, where: Where<Row>, ids: IdForm): readonly Condition[] {
  if (Array.isArray(where)) return where as readonly Condition[]
  if (where instanceof Combination) {
    const of = where.parts.map((part) => conditionsOf(plan, part, ids))
    if (where.kind === 'any') return [{ operator: 'any', of }]
    return where.kind === 'all' ? of.flat() : [{ operator: 'not', of: of.flat() }]
  }
  if (where instanceof After) return [afterCondition(where)]
  const conditions: Condition[] = []
  for (const field of Object.keys(where)) {
    const column = columnOf(plan, field)
    const value = (where as Readonly<Record<string, unknown>>)[field]
    const condition = value instanceof Test ? value.read(column, ids) : compared(column, 'eq', value, ids)
    if (condition !== null) conditions.push(condition)
  }
  return conditions
}

function afterCondition({ order, row }: After): Condition {
  const values = order.map(({ field }) => (row as Readonly<Record<string, ConditionValue>>)[field] as ConditionValue)
  return { operator: 'after', order, values }
}

/** The one comparison of a column with a value. @returns `null`: every row meets it */
export function compared(
  column: ColumnPlan,
  operator: ValueCondition['operator'],
  value: unknown,
  ids: IdForm
): Condition | null {
  if (isValueOf(column, value, ids)) return { field: column.name, operator, value }
  // No row holds it: all differ from it, and none equals it or is above or below it.
  return operator === 'ne' ? null : NOTHING
}

export function isScalar(value: unknown): value is ConditionValue {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) || value instanceof Date
}

/** Whether rows can hold the value in this column. */
export function isValueOf({ type }: ColumnPlan, value: unknown, ids: IdForm): value is ConditionValue {
  switch (type) {
    case 'text':
      return typeof value === 'string' && hasOnlyStorableText(value)
    case 'id':
      return typeof value === 'string' && ids.accepts(value)
    case 'integer':
    case 'time':
    case 'float':
      return typeof value === 'number' && Number.isFinite(value)
    case 'bigint':
      return typeof value === 'bigint' && BigInt.asIntN(64, value) === value
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return value instanceof Date && !Number.isNaN(value.getTime())
    case 'json':
      return isScalar(value) && typeof value !== 'bigint'
    case 'bytes':
    case 'document':
    case 'words':
      return false
  }
}

const columnsByName = new WeakMap<TablePlan, ReadonlyMap<string, ColumnPlan>>()

/** @throws TypeError for a column that the plan does not have */
export function columnOf(plan: TablePlan, name: string): ColumnPlan {
  let columns = columnsByName.get(plan)
  if (columns === undefined) {
    columns = new Map(plan.columns.map((column) => [column.name, column]))
    columnsByName.set(plan, columns)
  }
  const column = columns.get(name)
  if (column === undefined) throw new TypeError(`table ${plan.name} has no column ${name}`)
  return column
}
