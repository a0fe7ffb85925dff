/**
 * Loads relations of rows that were read: a query per relation and 500 rows, never one per row. A reference whose row
 * is gone loads as null.
 */
import type { Condition, Table } from 'svc-stores/table'
import type { CompiledEntity, CompiledRelation } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'

const BATCH = 500

/** Sets a property per relation on each row. @param names of declared relations @param tableOf by entity */
export async function loadRelations(
  entity: CompiledEntity,
  rows: readonly AnyRow[],
  names: readonly string[],
  tableOf: (entity: string) => Table<AnyRow>
): Promise<void> {
  for (const name of names) {
    const relation = entity.relations.get(name)
    if (relation === undefined || rows.length === 0) continue
    const target = tableOf(relation.target)
    if (relation.type === 'one-to-many') await loadChildren(rows, relation, target)
    else await loadReferenced(rows, relation, target)
  }
}

async function loadReferenced(
  rows: readonly AnyRow[],
  { name, field }: CompiledRelation,
  target: Table<AnyRow>
): Promise<void> {
  const references = rows.map((row) => row[field] as unknown).filter((id) => typeof id === 'string')
  const found = await selectAmong(target, 'id', references)
  const byId = new Map(found.map((row) => [row.id, row]))
  for (const row of rows) {
    const related = byId.get(row[field] as string)
    row[name] = related === undefined ? null : { ...related }
  }
}

async function loadChildren(
  rows: readonly AnyRow[],
  { name, field }: CompiledRelation,
  target: Table<AnyRow>
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const found = await selectAmong(target, field, ids)
  const byParent = new Map(ids.map((id): [unknown, AnyRow[]] => [id, []]))
  for (const child of found) byParent.get(child[field])?.push(child)
  for (const row of rows) row[name] = byParent.get(row.id)
}

async function selectAmong(target: Table<AnyRow>, field: string, ids: readonly string[]): Promise<AnyRow[]> {
  const distinct = [...new Set(ids)]
  const found: AnyRow[] = []
  for (let start = 0; start < distinct.length; start += BATCH) {
    const values = distinct.slice(start, start + BATCH)
    const among: readonly Condition[] = [{ field, operator: 'in', values, orNull: false }]
    found.push(...(await target.find(among)))
  }
  return found
}
