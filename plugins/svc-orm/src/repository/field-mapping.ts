/** Which column of its table each field of an entity is kept in, and which of its ids are integers there. Compiled once. */
import type { Rewrite, TablePlan } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { columnOf } from '../entities/existing-table.ts'
import type { AnyRow } from '../entities/row-of.ts'

interface MappedField {
  readonly field: string
  readonly column: string
  readonly isInteger: boolean
}

/** The fields of an entity with their columns. */
export class FieldMapping {
  readonly fields: readonly MappedField[]
  readonly #byField: ReadonlyMap<string, MappedField>

  constructor(entity: CompiledEntity) {
    this.fields = [entity.id, ...entity.fields.values()].map(({ name, idType }) => ({
      field: name,
      column: columnOf(entity, name),
      isInteger: idType === 'integer'
    }))
    this.#byField = new Map(this.fields.map((each) => [each.field, each]))
  }

  column(field: string): string {
    return this.#byField.get(field)?.column ?? field
  }

  /** Of the column, where no field is kept in it. */
  field(column: string): string {
    return this.fields.find((each) => each.column === column)?.field ?? column
  }

  value<Value>(field: string, value: Value): Value {
    const isText = typeof value === 'string' && this.#byField.get(field)?.isInteger === true
    return isText ? (Number(value) as Value) : value
  }

  /** A value of the column as rows have it. */
  shown(field: string, value: unknown): unknown {
    return value !== null && this.#byField.get(field)?.isInteger === true ? String(value) : value
  }

  into(row: AnyRow): AnyRow {
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [this.column(name), this.value(name, value)])
    ) as AnyRow
  }

  /** Columns that were not read are left out. */
  out(row: AnyRow): AnyRow {
    const shown: Record<string, unknown> = {}
    for (const { field, column, isInteger } of this.fields) {
      const value: unknown = row[column]
      if (value !== undefined) shown[field] = isInteger && value !== null ? String(value) : value
    }
    return shown as AnyRow
  }
}

/** Those of a connector, by the plans of their tables. */
export type FieldMappings = ReadonlyMap<TablePlan, FieldMapping>

/** `null` where every column has the name of its field. */
export function fieldMappings(entities: readonly CompiledEntity[]): FieldMappings | null {
  if (entities.every(({ existing }) => existing === undefined)) return null
  return new Map(entities.map((entity) => [entityPlan(entity), new FieldMapping(entity)]))
}

/** Questions about fields as questions about columns. @param mapping absent: fields have the names of their columns */
export function mappedRewrite(mapping: FieldMapping | undefined, mappings: FieldMappings): Rewrite {
  const of = (table: TablePlan) => mappedRewrite(mappings.get(table), mappings)
  if (mapping === undefined) return { of }
  return { of, column: (field) => mapping.column(field), value: (field, value) => mapping.value(field, value) }
}
