/** Conditions of fields as conditions of columns, for a table whose columns have other names. Pure. */
import type { ColumnCondition, MeasuredCondition } from 'svc-stores/table'
import type { FieldMapping } from './field-mapping.ts'
import type { NameMapping } from './mapped-order.ts'

/** What is measured, and what it is compared with. */
export function mappedMeasure(
  condition: MeasuredCondition,
  mapping: NameMapping,
  other: FieldMapping | undefined
): object {
  const { measure } = condition
  const against = 'other' in condition ? { other: mapping.column(condition.other) } : {}
  if (measure.of === 'count' || other === undefined) return against
  return { ...against, measure: { ...measure, column: other.column(measure.column) } }
}

export function columnCondition(condition: ColumnCondition, mapping: NameMapping): ColumnCondition {
  const field = mapping.column(condition.field)
  if ('values' in condition) {
    return { ...condition, field, values: condition.values.map((value) => mapping.value(condition.field, value)) }
  }
  if (condition.operator === 'path') return { ...condition, field }
  if (condition.operator === 'fields') return { ...condition, field, other: mapping.column(condition.other) }
  if ('value' in condition) {
    return { ...condition, field, value: mapping.value(condition.field, condition.value) } as ColumnCondition
  }
  return { ...condition, field }
}
