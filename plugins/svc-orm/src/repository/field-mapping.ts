/** Which column of its table each field of an entity is kept in, and which of its ids are integers there. Compiled once. */
import type { IdForm, Rewrite, TablePlan } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { CompositeKey } from '../entities/composite-key.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { columnOf } from '../entities/existing-table.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { KeyParts, noColumn } from './key-parts.ts'

interface MappedField {
  readonly field: string
  readonly column: string
  readonly isInteger: boolean
}

/** The fields of an entity with their columns. */
export class FieldMapping {
  readonly fields: readonly MappedField[]
  /** Of several columns; `null`: `id` is one. */
  readonly key: CompositeKey | null
  /** Every field, `id` as well, has the column of its name, and its values: rows pass as they are. */
  readonly isSame: boolean
  readonly #byField: ReadonlyMap<string, MappedField>

  constructor(entity: CompiledEntity) {
    this.key = entity.id.key ?? null
    const own = this.key === null ? [entity.id] : []
    this.fields = [...own, ...entity.fields.values()].map(({ name, idType }) => ({
      field: name,
      column: columnOf(entity, name),
      isInteger: idType === 'integer'
    }))
    this.isSame =
      this.key === null && this.fields.every(({ field, column, isInteger }) => field === column && !isInteger)
    this.#byField = new Map(this.fields.map((each) => [each.field, each]))
  }

  /** @throws InvalidCriteria for an `id` of several columns */
  column(field: string): string {
    if (field === 'id' && this.key !== null) throw noColumn(this.key)
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

  /** The columns of several fields. */
  columns(fields: readonly string[]): readonly string[] {
    const { key } = this
    const named = key === null ? fields : fields.flatMap((name) => (name === 'id' ? key.names : [name]))
    return named.map((name) => this.column(name))
  }

  into(row: AnyRow): AnyRow {
    if (this.isSame) return row
    const stored: Record<string, unknown> = {}
    for (const name of Object.keys(row)) {
      if (name !== 'id' || this.key === null) stored[this.column(name)] = this.value(name, row[name])
    }
    return stored as AnyRow
  }

  /** Columns that were not read are left out. @param without fields that were read for the id alone */
  out(row: AnyRow, without: readonly string[] = []): AnyRow {
    if (this.isSame) return row
    // The id comes first.
    const shown: Record<string, unknown> = this.key === null ? {} : { id: '' }
    for (const { field, column, isInteger } of this.fields) {
      const value: unknown = row[column]
      if (value !== undefined) shown[field] = isInteger && value !== null ? String(value) : value
    }
    if (this.key === null) return shown as AnyRow
    shown.id = this.key.textOf(shown)
    for (const name of without) delete shown[name]
    return shown as AnyRow
  }
}

/** Those of a connector, by the plans of their tables. */
export type FieldMappings = ReadonlyMap<TablePlan, FieldMapping>

/** `null` where every field, `id` as well, has the column of its name. */
export function fieldMappings(entities: readonly CompiledEntity[]): FieldMappings | null {
  if (entities.every(({ id, existing }) => id.key === undefined && existing === undefined)) return null
  return new Map(entities.map((entity) => [entityPlan(entity), new FieldMapping(entity)]))
}

/** Questions about fields as questions about columns. @param mapping absent: fields have the names of their columns @param ids of the database */
export function mappedRewrite(mapping: FieldMapping | undefined, mappings: FieldMappings, ids: IdForm): Rewrite {
  const of = (table: TablePlan) => mappedRewrite(mappings.get(table), mappings, ids)
  if (mapping === undefined || mapping.isSame) return { of }
  return {
    of,
    column: (field) => mapping.column(field),
    value: (field, value) => mapping.value(field, value),
    ...(mapping.key !== null && { parts: new KeyParts(mapping.key, ids) })
  }
}
