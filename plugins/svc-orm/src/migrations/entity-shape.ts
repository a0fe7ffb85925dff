/**
 * An entity as a migration sees it: what the database keeps of it, and nothing that only this process knows. Snapshots
 * are made of shapes. Pure.
 */
import { type ColumnPlan, columnName, type IndexPlan, type ReferencePlan } from 'svc-stores/table'
import { snakeCase } from '../entities/compile-fields.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan, retiredColumns } from '../entities/entity-plan.ts'
import { hashColumn } from '../entities/hash-column.ts'
import { narrowingOf } from './migrated-column.ts'
import type { MigratedColumn, MigratedIndex, MigratedReference, TableShape } from './migration.ts'

export interface EntityShape extends TableShape {
  readonly indexes: readonly MigratedIndex[]
  /** Absent: there is none, or the snapshot is of a version that kept none. */
  readonly references?: readonly MigratedReference[]
}

/** Entities by name. */
export type SchemaShape = Readonly<Record<string, EntityShape>>

/** Names that entities and their columns had before. */
export interface RenameHints {
  /** By entity. */
  readonly entities: Readonly<Record<string, string>>
  /** By entity, by column. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Of those whose tables are the application's own. @param before what is there: a retired column stays, and is never made */
export function schemaShape(entities: readonly CompiledEntity[], before: SchemaShape = {}): SchemaShape {
  return Object.fromEntries(
    ownEntities(entities).map((entity) => {
      const old = before[entity.name] ?? (entity.was === undefined ? undefined : before[entity.was])
      return [entity.name, entityShape(entity, old)]
    })
  )
}

export function ownEntities(entities: readonly CompiledEntity[]): readonly CompiledEntity[] {
  return entities.filter(({ existing }) => existing === undefined)
}

/** What was the application's own, without the tables that it has handed over: no migration drops them. */
export function stillOwn(before: SchemaShape, entities: readonly CompiledEntity[]): SchemaShape {
  const given = new Set(entities.filter(({ existing }) => existing !== undefined).map(({ name }) => name))
  return Object.fromEntries(Object.entries(before).filter(([name]) => !given.has(name)))
}

function entityShape(entity: CompiledEntity, old: EntityShape | undefined): EntityShape {
  const { columns, indexes = [], key } = entityPlan(entity)
  const isThere = ({ name, was }: ColumnPlan) => old?.columns.some((each) => each.name === name || each.name === was)
  const kept = [...columns, ...retiredColumns(entity).filter(isThere)]
  const migrated = kept.map(({ was: _was, ...column }): MigratedColumn => {
    const field = entity.fields.get(column.name)
    return field === undefined ? column : { ...column, ...narrowingOf(field, column.type) }
  })
  const references = migratedReferences(entity)
  return {
    ...(key !== undefined && { key }),
    columns: migrated,
    indexes: indexes.map((index) => migratedIndex(index, migrated)),
    ...(references.length > 0 && { references })
  }
}

function migratedReferences(entity: CompiledEntity): MigratedReference[] {
  const rules = new Map(entityPlan(entity).references?.map((plan) => [plan.column, plan]))
  return [...entity.relations.values()].flatMap(({ field: column, target: to }) => {
    const plan = rules.get(column)
    if (plan === undefined) return []
    return [migratedReference({ ...plan, column }, to)]
  })
}

/** @param to the entity that it names */
export function migratedReference(plan: ReferencePlan, to: string): MigratedReference {
  const { column, table, key, within, onDelete, deferrable } = plan
  const isExisting = table !== snakeCase(to) || key !== 'id'
  return {
    column,
    to,
    ...(within !== undefined && { within }),
    onDelete,
    ...(deferrable && { deferrable }),
    ...(isExisting && { existing: { table, key } })
  }
}

export function migratedIndex(index: IndexPlan, columns: readonly ColumnPlan[]): MigratedIndex {
  const names = index.columns.map(columnName)
  const nullable = columns.filter((column) => column.nullable === true && names.includes(column.name))
  return nullable.length === 0 ? index : { ...index, nullable: nullable.map(({ name }) => name) }
}

export function renameHints(entities: readonly CompiledEntity[]): RenameHints {
  const columnsOf = (entity: CompiledEntity) =>
    Object.fromEntries(
      [...entity.fields.values(), ...entity.retired].flatMap((field) => {
        const copies = entityPlan(entity).columns.filter(({ folds }) => folds === field.name)
        const hash =
          field.sealed === 'searchable' && field.was !== undefined
            ? [{ name: hashColumn(field.name), was: hashColumn(field.was) }]
            : []
        return [field, ...copies, ...hash].flatMap(({ name, was }) => (was === undefined ? [] : [[name, was]]))
      })
    )
  return {
    entities: Object.fromEntries(entities.flatMap(({ name, was }) => (was === undefined ? [] : [[name, was]]))),
    columns: Object.fromEntries(entities.map((entity) => [entity.name, columnsOf(entity)]))
  }
}
