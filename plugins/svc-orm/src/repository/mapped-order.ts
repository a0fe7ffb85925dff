/** Orders of fields as orders of columns, and what of them rows carry, for a table whose columns have other names. */
import type { ReachedValue, SortKey, SortValue, Step } from 'svc-stores/table'
import type { AnyRow } from '../entities/row-of.ts'
import type { FieldMapping, FieldMappings } from './field-mapping.ts'

/** Of fields, or of what groups have. */
export type NameMapping = Pick<FieldMapping, 'column' | 'value'>

export function mappedKey(key: SortKey, mapping: NameMapping, mappings: FieldMappings): SortKey {
  const { field, by } = key
  return by === undefined
    ? { ...key, field: mapping.column(field) }
    : { ...key, by: mappedValue(by, mapping, mappings) }
}

function mappedValue(by: SortValue, mapping: NameMapping, mappings: FieldMappings): SortValue {
  switch (by.kind) {
    case 'path':
      return { ...by, column: mapping.column(by.column) }
    case 'counted':
      return { ...by, ...mappedStep(by, mapping, mappings) }
    case 'reached':
      return mappedReach(by, mapping, mappings)
  }
}

export function mappedReach(by: ReachedValue, mapping: NameMapping, mappings: FieldMappings): ReachedValue {
  const from = [mapping, ...by.steps.map(({ table }) => mappings.get(table))]
  const steps = by.steps.map((step, place) => mappedStep(step, from[place], mappings))
  return { ...by, steps, column: from.at(-1)?.column(by.column) ?? by.column }
}

function mappedStep(step: Step, from: NameMapping | undefined, mappings: FieldMappings): Step {
  const { field, table, column, unless, only } = step
  const other = mappings.get(table)
  return {
    table,
    field: from?.column(field) ?? field,
    column: other?.column(column) ?? column,
    ...(unless !== undefined && { unless: other?.column(unless) ?? unless }),
    ...(only !== undefined && { only: mappedOnly(only, other) })
  }
}

function mappedOnly(
  { column, value }: NonNullable<Step['only']>,
  mapping: NameMapping | undefined
): NonNullable<Step['only']> {
  return mapping === undefined
    ? { column, value }
    : { column: mapping.column(column), value: mapping.value(column, value) }
}

/** The mapping of the rows that a key reaches, and the field there. */
function reachedBy({ by }: SortKey, mappings: FieldMappings): readonly [mapping: FieldMapping, field: string] | null {
  if (by?.kind !== 'reached') return null
  const mapping = mappings.get((by.steps.at(-1) as Step).table)
  return mapping === undefined ? null : [mapping, by.column]
}

/** A place in the order, as columns have it. */
export function mappedPlace<Value>(key: SortKey, value: Value, mapping: NameMapping, mappings: FieldMappings): Value {
  if (key.by === undefined) return mapping.value(key.field, value)
  const reached = reachedBy(key, mappings)
  return reached === null ? value : reached[0].value(reached[1], value)
}

/** What rows carry of an order, as fields have it. */
export function carried(row: AnyRow, order: readonly SortKey[], mappings: FieldMappings): Record<string, unknown> {
  const keys = order.filter(({ by }) => by?.kind === 'reached')
  return Object.fromEntries(
    keys.map((key) => {
      const [mapping, field] = reachedBy(key, mappings) ?? []
      const value: unknown = row[key.field]
      return [key.field, mapping === undefined ? value : mapping.shown(field as string, value)]
    })
  )
}
