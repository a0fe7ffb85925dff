/** Whether the rows that references name are there, for databases that do not look themselves. */
import type { Condition, Table, Transaction } from 'svc-stores/table'
import type { CompiledEntity, CompiledReference, CompiledRelation } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { ReferenceMissing } from '../errors.ts'

export interface OwnerReference {
  readonly entity: CompiledEntity
  readonly relation: CompiledRelation
  readonly reference: CompiledReference
}

/** In the transaction, where there is one. */
export type TableOf = (entity: string, tx: Transaction | null) => Table<AnyRow>

/** Values of one statement: more of them come near the size that servers take. */
const BATCH = 10_000

export function among(field: string, values: readonly string[]): Condition {
  return { field, operator: 'in', values, orNull: false }
}

export function batches<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  return Array.from({ length: Math.ceil(values.length / BATCH) }, (_, index) =>
    values.slice(index * BATCH, (index + 1) * BATCH)
  )
}

/** Of these ids those that no row has. Inside a transaction the rows stay until it ends. */
export async function withoutRow(
  target: string,
  ids: readonly string[],
  tableOf: TableOf,
  tx: Transaction | null
): Promise<readonly string[]> {
  const table = tableOf(target, tx)
  const { columns, existing } = table.plan
  const without = existing === true ? [] : columns.map(({ name }) => name).filter((name) => name !== 'id')
  const found = new Set<string>()
  for (const some of batches(ids)) {
    const rows = await table.find([among('id', some)], { without, ...(tx !== null && { lock: 'share' }) })
    for (const { id } of rows) found.add(id)
  }
  return ids.filter((id) => !found.has(id))
}

/** At the end of a transaction: what may have changed since is looked at again. @throws ReferenceMissing */
export async function checkAtEnd(
  { entity, relation: { field, target } }: OwnerReference,
  ids: readonly string[],
  tableOf: TableOf,
  tx: Transaction
): Promise<void> {
  const missing = await withoutRow(target, ids, tableOf, tx)
  for (const some of batches(missing)) {
    if (await tableOf(entity.name, tx).exists([among(field, some)])) throw new ReferenceMissing(entity.name, field)
  }
}
