/** What a database has of the entities, as the shapes that a first migration begins with: their tables, found by driver. */
import type { ColumnType } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan, retiredColumns } from '../entities/entity-plan.ts'
import type { SchemaPort } from '../schema/drift.ts'
import type { StandingTable } from '../schema/standing-table.ts'
import { migratedIndex, migratedReference, ownEntities, type SchemaShape } from './entity-shape.ts'
import type { MigratedReference } from './migration.ts'

export interface StandingShape {
  /** Entities under the names that they have there. */
  readonly shape: SchemaShape
  /** Columns that belong to no field, by entity; they stay as they are. */
  readonly others: Readonly<Record<string, readonly string[]>>
  /** Types that a column may have had, by `Entity.column` as they are now. */
  readonly doubts: ReadonlyMap<string, readonly ColumnType[]>
}

/** @throws ConnectionUnavailable */
export async function standingShape(
  schema: SchemaPort | undefined,
  entities: readonly CompiledEntity[]
): Promise<StandingShape> {
  const own = ownEntities(entities)
  const plans = own.map((entity) => {
    const plan = entityPlan(entity)
    return { ...plan, columns: [...plan.columns, ...retiredColumns(entity)] }
  })
  const tables = (await schema?.standing(plans)) ?? []
  const found = own.flatMap((entity, place) => {
    const table = tables.find(({ plan }) => plan === plans[place])
    return table === undefined ? [] : [{ entity, table, name: nameOf(entity, table) }]
  })
  const named = new Map(found.map(({ name, table: { plan, former } }) => [tableNow(plan, former), name]))
  for (const { name, existing } of entities) if (existing !== undefined) named.set(existing.name, name)
  return {
    shape: Object.fromEntries(found.map(({ name, table }) => [name, shapeOf(table, named)])),
    others: Object.fromEntries(found.map(({ name, table }) => [name, table.others])),
    doubts: new Map(
      found.flatMap(({ entity, table }) =>
        Object.entries(table.doubts).map(([column, types]) => [`${entity.name}.${column}`, types] as const)
      )
    )
  }
}

function nameOf({ name, was }: CompiledEntity, { former }: StandingTable): string {
  return former && was !== undefined ? was : name
}

function tableNow({ name, was }: StandingTable['plan'], former: boolean): string {
  return former && was !== undefined ? was.name : name
}

/** @param entityOf entities by the names that their tables have there */
function shapeOf(
  { plan, columns, indexes, references = [] }: StandingTable,
  entityOf: ReadonlyMap<string, string>
): SchemaShape[string] {
  const plain = columns.map(({ was: _was, ...column }) => column)
  const kept = references.flatMap((reference): MigratedReference[] => {
    const to = entityOf.get(reference.table)
    return to === undefined ? [] : [migratedReference(reference, to)]
  })
  const isThere = (name: string) => columns.some((column) => column.name === name)
  const nameThere = (name: string) =>
    isThere(name) ? name : (plan.columns.find((column) => column.name === name)?.was ?? name)
  return {
    ...(plan.key !== undefined && !isThere('id') && { key: plan.key.map(nameThere) }),
    columns: plain,
    indexes: indexes.map((index) => migratedIndex(index, plain)),
    ...(kept.length > 0 && { references: kept })
  }
}
