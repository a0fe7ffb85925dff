/**
 * Loads relations of rows that were read: a statement per relation for all rows, never one per row. A reference whose row
 * is gone, or does not meet what is asked of it, loads as null.
 */
import type { Condition, Grouping, Table } from 'svc-stores/table'
import type { Inclusion, RelationCount, RowShape } from '../criteria/row-shape.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { addRunning, type RunningRows } from './running-totals.ts'

/** A statement that names more ids than this comes near the size that servers take. */
const BATCH = 10_000

/** Gives each row its relations, and takes from it what only served to find them. @param tableOf by entity @param read for running totals */
export async function loadRelations(
  rows: readonly AnyRow[],
  { include, counts, running, unasked }: RowShape,
  tableOf: (entity: string) => Table<AnyRow>,
  read?: RunningRows
): Promise<void> {
  if (rows.length === 0) return
  if (running.length > 0 && read !== undefined) await addRunning(rows, running, read)
  for (const inclusion of include) {
    if (inclusion.relation.type === 'one-to-many') await loadChildren(rows, inclusion, tableOf)
    else await loadReferenced(rows, inclusion, tableOf)
  }
  if (counts.length > 0) await loadCounts(rows, counts, tableOf)
  for (const row of rows) for (const name of unasked) delete row[name]
}

async function loadCounts(
  rows: readonly AnyRow[],
  counts: readonly RelationCount[],
  tableOf: (entity: string) => Table<AnyRow>
): Promise<void> {
  const none: Readonly<Record<string, number>> = Object.fromEntries(counts.map(({ name }) => [name, 0]))
  const counted = new Map(rows.map(({ id }) => [id as unknown, { ...none }]))
  for (const { name, relation, where } of counts) {
    const { field } = relation
    for (const values of batches([...counted.keys()] as string[])) {
      const among: readonly Condition[] = [{ field, operator: 'in', values, orNull: false }, ...where]
      for (const group of await tableOf(relation.target).group(among, rowsBy(field))) {
        const numbers = counted.get(group[field])
        if (numbers !== undefined) numbers[name] = group[rowsOf(field)] as number
      }
    }
  }
  for (const row of rows) row.counts = counted.get(row.id)
}

const groupings = new Map<string, Grouping>()

/** The same object for each call: what tables make of it, they keep. */
function rowsBy(field: string): Grouping {
  const known = groupings.get(field)
  if (known !== undefined) return known
  const made: Grouping = { by: [field], measures: { [rowsOf(field)]: { of: 'count' } }, unordered: true }
  groupings.set(field, made)
  return made
}

/** No field has this name. */
function rowsOf(field: string): string {
  return `rows of ${field}`
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
  if (inclusion.shape.running.length > 0) await addRunning(found, inclusion.shape.running)
  for (const child of found) byParent.get(child[field])?.push(child)
  await loadRelations(found, inclusion.shape, tableOf)
  for (const row of rows) row[name] = byParent.get(row.id)
}

async function selectAmong(
  { relation, where, selection, limit }: Inclusion,
  field: string,
  ids: readonly string[],
  tableOf: (entity: string) => Table<AnyRow>
): Promise<AnyRow[]> {
  const target = tableOf(relation.target)
  const found: AnyRow[] = []
  for (const values of batches([...new Set(ids)])) {
    const among: readonly Condition[] = [{ field, operator: 'in', values, orNull: false }, ...where]
    const rows =
      limit === undefined
        ? await target.find(among, selection)
        : await target.find(where, { ...selection, each: { column: field, values, limit } })
    for (const row of rows) found.push(row)
  }
  return found
}

function batches(ids: readonly string[]): readonly (readonly string[])[] {
  if (ids.length > 0 && ids.length <= BATCH) return [ids]
  return Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, place) =>
    ids.slice(place * BATCH, (place + 1) * BATCH)
  )
}

function copyOf(row: AnyRow, { include, counts, running }: RowShape): AnyRow {
  const copy = { ...row }
  if (counts.length > 0) copy.counts = { ...copy.counts }
  if (running.length > 0) copy.running = { ...copy.running }
  for (const { relation, shape } of include) {
    const related: AnyRow | AnyRow[] | null = copy[relation.name]
    if (Array.isArray(related)) copy[relation.name] = related.map((each) => copyOf(each, shape))
    else if (related !== null) copy[relation.name] = copyOf(related, shape)
  }
  return copy
}
