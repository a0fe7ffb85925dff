/** Whether the rows that references name are there, and in the same scope, for databases that do not look themselves. */
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

/** The rows that a reference names, by id, with their scope where it matters. Inside a transaction they stay until it ends. */
export async function namedRows(
  { relation: { target }, reference: { within } }: Pick<OwnerReference, 'relation' | 'reference'>,
  ids: readonly string[],
  tableOf: TableOf,
  tx: Transaction | null
): Promise<ReadonlyMap<string, AnyRow>> {
  const table = tableOf(target, tx)
  const { columns, existing } = table.plan
  const others = columns.map(({ name }) => name).filter((name) => name !== 'id' && name !== within)
  const found = new Map<string, AnyRow>()
  for (const some of batches(ids)) {
    const selection = { without: existing === true ? [] : others, ...(tx !== null && { lock: 'share' as const }) }
    for (const row of await table.find([among('id', some)], selection)) found.set(row.id, row)
  }
  return found
}

/** At the end of a transaction: what may have changed since is looked at again. @throws ReferenceMissing */
export async function checkAtEnd(
  owner: OwnerReference,
  ids: readonly string[],
  tableOf: TableOf,
  tx: Transaction
): Promise<void> {
  const { entity, relation, reference } = owner
  const there = await namedRows(owner, ids, tableOf, tx)
  const refuse = async (named: readonly string[], of: readonly Condition[] = []) => {
    for (const some of batches(named)) {
      if (await tableOf(entity.name, tx).exists([among(relation.field, some), ...of]))
        throw new ReferenceMissing(entity.name, relation.field)
    }
  }
  await refuse(ids.filter((id) => !there.has(id)))
  const { within } = reference
  if (within === undefined) return
  const scopes = Map.groupBy(there.values(), (row) => row[within] as string)
  for (const [scope, rows] of scopes)
    await refuse(
      rows.map(({ id }) => id),
      [ofOtherScope(within, scope)]
    )
}

export function ofOtherScope(within: string, scope: string): Condition {
  return { field: within, operator: 'ne', value: scope }
}
