/**
 * Loads relations of rows that were read: a query per relation and 500 rows,
 * never one per row. What the reference names and is gone loads as null.
 */

import type { Transaction } from 'svc-stores/table'
import type { EntityGateway, StoredRow } from '../driver/entity-gateway.ts'
import type { RepositoryHost } from '../driver/repository-host.ts'
import type { CompiledEntity, CompiledRelation } from '../entity/compiled-entity.ts'
import type { AnyRow } from '../entity/row-of.ts'

const BATCH = 500
const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

/** Sets a property per relation on each row. @param names of declared relations */
export async function loadRelations(
  entity: CompiledEntity,
  rows: readonly AnyRow[],
  names: readonly string[],
  host: RepositoryHost,
  tx: Transaction | null
): Promise<void> {
  for (const name of names) {
    const relation = entity.relations.get(name)
    if (relation === undefined || rows.length === 0) continue
    const { gateway } = host.gateway(relation.target)
    const target = tx === null ? gateway : gateway.within(tx)
    if (relation.type === 'one-to-many') await loadChildren(rows, relation, target)
    else await loadReferenced(rows, relation, target)
  }
}

async function loadReferenced(
  rows: readonly AnyRow[],
  { name, field }: CompiledRelation,
  target: EntityGateway
): Promise<void> {
  const references = rows.map((row) => row[field] as unknown).filter((id) => typeof id === 'string')
  const found = await selectAmong(target, 'id', references)
  const byId = new Map(found.map((row) => [row.id, row]))
  for (const row of rows) {
    const related = byId.get(row[field])
    row[name] = related === undefined ? null : { ...related }
  }
}

async function loadChildren(
  rows: readonly AnyRow[],
  { name, field }: CompiledRelation,
  target: EntityGateway
): Promise<void> {
  const found = await selectAmong(
    target,
    field,
    rows.map(({ id }) => id)
  )
  const byParent = new Map(rows.map(({ id }): [unknown, StoredRow[]] => [id, []]))
  for (const child of found) byParent.get(child[field])?.push(child)
  for (const row of rows) row[name] = byParent.get(row.id)
}

async function selectAmong(target: EntityGateway, field: string, ids: readonly string[]): Promise<StoredRow[]> {
  const distinct = [...new Set(ids)]
  const found: StoredRow[] = []
  for (let start = 0; start < distinct.length; start += BATCH) {
    const values = distinct.slice(start, start + BATCH)
    const conditions = [{ field, operator: 'in', values, orNull: false }] as const
    found.push(...(await target.select({ conditions, order: BY_ID, limit: null, offset: 0 })))
  }
  return found
}
