/**
 * What is asked of an `id` that is made of several columns, as it is asked of those: conditions, orders and places in them.
 * Pure.
 */
import {
  type AnyCondition,
  type ColumnCondition,
  type Condition,
  type ConditionValue,
  type IdForm,
  NOTHING,
  type SortKey
} from 'svc-stores/table'
import type { CompositeKey } from '../entities/composite-key.ts'
import { InvalidCriteria } from '../errors.ts'

/** Fields as their table has them. */
interface Columns {
  column(field: string): string
  value<Value>(field: string, value: Value): Value
}

/** A key with the columns of its table. */
interface KeyColumns {
  readonly key: CompositeKey
  readonly columns: Columns
  /** Of the database. */
  readonly ids: IdForm
}

/** What is left of `id` where nothing can be made of it. */
export function noColumn(key: CompositeKey): Error {
  return new InvalidCriteria('id', `the fields of the key here: ${key.names.join(', ')}`)
}

export function keyConditions(condition: ColumnCondition, given: KeyColumns): readonly Condition[] {
  const row = (id: ConditionValue) => rowConditions(id, given)
  switch (condition.operator) {
    case 'eq':
      return row(condition.value)
    case 'ne':
      return [{ operator: 'not', of: row(condition.value) }]
    case 'in':
      return [among(condition.values, given)]
    case 'nin':
      return [{ operator: 'not', of: [among(condition.values, given)] }]
    case 'gt':
    case 'lt':
      return [beyond(condition.operator, condition.value, given)]
    case 'gte':
    case 'lte': {
      const strict = condition.operator === 'gte' ? 'gt' : 'lt'
      return [{ operator: 'any', of: [row(condition.value), [beyond(strict, condition.value, given)]] }]
    }
    case 'null':
      return condition.value ? [NOTHING] : []
    default:
      throw noColumn(given.key)
  }
}

/** The order of the key in the place of the order of `id`. Columns that are named before decide nothing more. */
export function keyOrder(order: readonly SortKey[], key: CompositeKey): readonly SortKey[] {
  return order.flatMap((each, place) =>
    isId(each) ? parts(order, place, key).map((field) => ({ ...each, field })) : [each]
  )
}

/** Values by the order with `id`, as the other order has them. @returns `null` for an id that names no row */
export function keyPlaces(
  order: readonly SortKey[],
  values: readonly ConditionValue[],
  key: CompositeKey
): readonly ConditionValue[] | null {
  const id = values[order.findIndex(isId)]
  const held = id === undefined ? [] : key.valuesOf(String(id))
  if (held === null) return null
  const heldIn = (field: string) => held[key.names.indexOf(field)] as ConditionValue
  return order.flatMap((each, place) =>
    isId(each) ? parts(order, place, key).map(heldIn) : [values[place] as ConditionValue]
  )
}

function parts(order: readonly SortKey[], place: number, key: CompositeKey): readonly string[] {
  const before = order.slice(0, place).flatMap(({ field, by }) => (by === undefined ? [field] : []))
  return key.names.filter((name) => !before.includes(name))
}

function isId({ field, by }: SortKey): boolean {
  return field === 'id' && by === undefined
}

function rowConditions(id: ConditionValue, { key, columns, ids }: KeyColumns): readonly Condition[] {
  const values = key.valuesOf(String(id), ids)
  if (values === null) return [NOTHING]
  return key.names.map((name, place) => ({
    field: columns.column(name),
    operator: 'eq',
    value: columns.value(name, values[place] as ConditionValue)
  }))
}

/** By all parts but the last, so that a statement has few values. */
function among(rows: readonly ConditionValue[], { key, columns, ids }: KeyColumns): AnyCondition {
  const known = rows.flatMap((id) => {
    const values = key.valuesOf(String(id), ids)
    return values === null ? [] : [values.map((part, place) => columns.value(key.names[place] as string, part))]
  })
  const names = key.names.map((name) => columns.column(name))
  const [first, last] = [names.slice(0, -1), names.at(-1) as string]
  const sets = Map.groupBy(known, (values) => JSON.stringify(values.slice(0, -1)))
  return {
    operator: 'any',
    of: [...sets.values()].map((same) => [
      ...first.map((field, place) => ({ field, operator: 'eq' as const, value: same[0]?.[place] as ConditionValue })),
      {
        field: last,
        operator: 'in' as const,
        values: [...new Set(same.map((values) => values.at(-1) as ConditionValue))],
        orNull: false
      }
    ])
  }
}

function beyond(operator: 'gt' | 'lt', id: ConditionValue, { key, columns, ids }: KeyColumns): Condition {
  const values = key.valuesOf(String(id), ids)
  if (values === null) return NOTHING
  const direction = operator === 'gt' ? 'ASC' : 'DESC'
  return {
    operator: 'after',
    order: key.names.map((name) => ({ field: columns.column(name), direction })),
    values: key.names.map((name, place) => columns.value(name, values[place] as ConditionValue))
  }
}
