/**
 * Loads relations of rows that were read: a statement per relation for all rows, never one per row. A reference whose row
 * is gone, or does not meet what is asked of it, loads as null.
 */
import type { Condition, Table } from 'svc-stores/table'
import type { Inclusion, RowShape } from '../criteria/parse-find-options.ts'
import type { AnyRow } from '../entities/row-of.ts'

/** A statement that names more ids than this comes near the size that servers take. */
const BATCH = 10_000

/** Gives each row its relations, and takes from it what only served to find them. @param tableOf by entity */
export async function loadRelations(
  rows: readonly AnyRow[],
  { include, unasked }: RowShape,
  tableOf: (entity: string) => Table<AnyRow>
): Promise<void> {
  if (rows.length === 0) return
  for (const inclusion of include) {
    if (inclusion.relation.type === 'one-to-many') await loadChildren(rows, inclusion, tableOf)
    else await loadReferenced(rows, inclusion, tableOf)
  }
  for (const row of rows) for (const name of unasked) delete row[name]
}

async function loadReferenced(
  rows: readonly AnyRow[],
  inclusion: Inclusion,
  tableOf: (entity: string) => Table<AnyRow>
): Promise<void> {
  const { name, field } = inclusion.relation
  const references = rows.map((row) => row[field] as unknown).filter((id) => typeof id === 'string')
  const found = await selectAmong(inclusion, 'id', references, tableOf)
  await loadRelations(found, inclusion.shape, tableOf)
  const byId = new Map(found.map((row) => [row.id, row]))
  for (const row of rows) {
    const related = byId.get(row[field] as string)
    // Rows with the same reference share nothing.
    row[name] = related === undefined ? null : copyOf(related, inclusion.shape)
  }
}

async function loadChildren(
  rows: readonly AnyRow[],
  inclusion: Inclusion,
  tableOf: (entity: string) => Table<AnyRow>
): Promise<void> {
  const { name, field } = inclusion.relation
  const byParent = new Map(rows.map(({ id }): [unknown, AnyRow[]] => [id, []]))
  const found = await selectAmong(inclusion, field, [...byParent.keys()] as string[], tableOf)
  for (const child of found) byParent.get(child[field])?.push(child)
  await loadRelations(found, inclusion.shape, tableOf)
  for (const row of rows) row[name] = byParent.get(row.id)
}

async function selectAmong(
  { relation, where, selection }: Inclusion,
  field: string,
  ids: readonly string[],
  tableOf: (entity: string) => Table<AnyRow>
): Promise<AnyRow[]> {
  const target = tableOf(relation.target)
  const distinct = [...new Set(ids)]
  const found: AnyRow[] = []
  for (let start = 0; start < distinct.length; start += BATCH) {
    const values = distinct.slice(start, start + BATCH)
    const among: readonly Condition[] = [{ field, operator: 'in', values, orNull: false }, ...where]
    found.push(...(await target.find(among, selection)))
  }
  return found
}

function copyOf(row: AnyRow, { include }: RowShape): AnyRow {
  const copy = { ...row }
  for (const { relation, shape } of include) {
    const related: AnyRow | AnyRow[] | null = copy[relation.name]
    if (Array.isArray(related)) copy[relation.name] = related.map((each) => copyOf(each, shape))
    else if (related !== null) copy[relation.name] = copyOf(related, shape)
  }
  return copy
}
