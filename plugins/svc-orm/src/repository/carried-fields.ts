/** What rows carry of an order, for a table whose columns have other names than the fields of its entity. */
import type { SortKey, Step } from 'svc-stores/table'
import type { AnyRow } from '../entities/row-of.ts'
import type { FieldMappings } from './field-mapping.ts'

/** The values of the rows that keys reach, as fields have them, by the names of the keys. */
export function carriedFields(
  row: AnyRow,
  order: readonly SortKey[],
  mappings: FieldMappings
): Record<string, unknown> {
  return Object.fromEntries(
    order.flatMap(({ field, by }) => {
      if (by?.kind !== 'reached') return []
      const mapping = mappings.get((by.steps.at(-1) as Step).table)
      return [[field, mapping === undefined ? row[field] : mapping.shown(by.column, row[field])]]
    })
  )
}
