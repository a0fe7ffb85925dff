/**
 * Rows whose reference names a row that is gone: counted, listed and mended, on every database. A database that keeps
 * references itself answers with an anti join; of any other, rows are read in pages by id.
 */
import type { Condition, Table, Transaction } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { OnDelete } from '../entities/entity-definition.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { among, withoutRow } from '../references/owners.ts'
import { type Referrer, referrersOf } from '../references/referrers.ts'
import type { EntityRepositories } from '../repository/entity-repositories.ts'
import { inTransaction, Removal } from '../repository/removal.ts'

/** A relation with a reference, and its rows that name no row. */
export interface CheckedReference {
  readonly connector: string
  readonly entity: string
  readonly relation: string
  /** The reference field. */
  readonly field: string
  readonly target: string
  readonly onDelete: Exclude<OnDelete, 'none'>
  /** How many rows name a row that is gone. */
  readonly dangling: number
  /** The first five of them, by id. */
  readonly first: readonly string[]
  /** What a repair does with them: as the relation says, else null where the reference may be null. */
  readonly repair: 'setNull' | 'delete'
}

/** Rows of one transaction, or of one page. */
const BATCH = 1000
const FIRST = 5
const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

/** Every relation of the entities that has a reference. @throws ConnectionUnavailable */
export async function checkReferences(repositories: EntityRepositories): Promise<readonly CheckedReference[]> {
  const checked: CheckedReference[] = []
  for (const referrer of kept(repositories)) checked.push(await checkReference(referrer, repositories))
  return checked
}

/** Mends them in batches, each in a transaction, with the hooks of the entities. @returns what it mended, by relation */
export async function repairReferences(repositories: EntityRepositories): Promise<readonly CheckedReference[]> {
  const mended: CheckedReference[] = []
  for (const referrer of kept(repositories)) {
    const checked = await checkReference(referrer, repositories)
    if (checked.dangling === 0) continue
    let count = 0
    for (;;) {
      const batch = await mendBatch(referrer, repositories)
      if (batch === 0) break
      count += batch
    }
    mended.push({ ...checked, dangling: count })
  }
  return mended
}

function kept({ entities }: EntityRepositories): readonly Referrer[] {
  return [...referrersOf(entities).values()].flat()
}

async function checkReference(referrer: Referrer, repositories: EntityRepositories): Promise<CheckedReference> {
  const { entity, relation, reference } = referrer
  return {
    connector: repositories.database.name,
    entity: entity.name,
    relation: relation.name,
    field: relation.field,
    target: relation.target,
    onDelete: reference.onDelete,
    ...(await found(referrer, repositories)),
    repair: repairOf(referrer)
  }
}

function repairOf({ entity, relation, reference }: Referrer): CheckedReference['repair'] {
  const isNullable = entity.fields.get(relation.field)?.nullable === true
  return reference.onDelete !== 'cascade' && isNullable ? 'setNull' : 'delete'
}

async function found(
  referrer: Referrer,
  repositories: EntityRepositories
): Promise<Pick<CheckedReference, 'dangling' | 'first'>> {
  const table = repositories.whole(referrer.entity.name, null)
  if (repositories.database.references === true) {
    const where = dangling(referrer, repositories)
    const count = await table.count(where)
    return { dangling: count, first: count === 0 ? [] : await idsOf(table, where, FIRST) }
  }
  const first: string[] = []
  let count = 0
  for await (const ids of danglingPages(referrer, repositories, null)) {
    count += ids.length
    first.push(...ids.slice(0, FIRST - first.length))
  }
  return { dangling: count, first }
}

/** @returns how many rows it mended */
async function mendBatch(referrer: Referrer, repositories: EntityRepositories): Promise<number> {
  const { entity, relation } = referrer
  return inTransaction(repositories, entity, null, async (tx) => {
    const ids = await danglingIds(referrer, repositories, tx)
    if (ids.length === 0) return 0
    if (repairOf(referrer) === 'setNull') {
      return repositories.writes(entity.name, tx).update([among('id', ids)], { [relation.field]: null })
    }
    await new Removal({ host: repositories, tx, kind: 'remove' }).run(entity, [among('id', ids)], { inScope: false })
    return ids.length
  })
}

async function danglingIds(
  referrer: Referrer,
  repositories: EntityRepositories,
  tx: Transaction | null
): Promise<readonly string[]> {
  if (repositories.database.references === true) {
    const table = repositories.whole(referrer.entity.name, null)
    return idsOf(tx === null ? table : table.within(tx), dangling(referrer, repositories), BATCH)
  }
  for await (const ids of danglingPages(referrer, repositories, tx)) if (ids.length > 0) return ids
  return []
}

function dangling({ relation }: Referrer, repositories: EntityRepositories): readonly Condition[] {
  const { field, target } = relation
  const table = entityPlan(repositories.entity(target))
  return [
    { field, operator: 'null', value: false },
    { operator: 'not', of: [{ operator: 'related', field, table, column: 'id', of: [] }] }
  ]
}

/** A page for each thousand rows with a reference: those of them that name no row. */
async function* danglingPages(
  { entity, relation }: Referrer,
  repositories: EntityRepositories,
  tx: Transaction | null
): AsyncGenerator<readonly string[]> {
  const tableOf = (name: string, within: Transaction | null) => repositories.whole(name, within)
  const without = othersOf(entity, ['id', relation.field])
  for (let last: string | null = null; ; ) {
    const after: readonly Condition[] = last === null ? [] : [{ field: 'id', operator: 'gt', value: last }]
    const where: readonly Condition[] = [{ field: relation.field, operator: 'null', value: false }, ...after]
    const rows: AnyRow[] = await tableOf(entity.name, tx).find(where, { order: BY_ID, limit: BATCH, without })
    const held = [...new Set(rows.map((row) => row[relation.field] as string))]
    const missing = new Set(await withoutRow(relation.target, held, tableOf, tx))
    yield rows.filter((row) => missing.has(row[relation.field])).map(({ id }) => id)
    last = rows.at(-1)?.id ?? null
    if (rows.length < BATCH) return
  }
}

async function idsOf(table: Table<AnyRow>, where: readonly Condition[], limit: number): Promise<string[]> {
  const without = table.plan.columns.map(({ name }) => name).filter((name) => name !== 'id')
  const rows = await table.find(where, { order: BY_ID, limit, without })
  return rows.map(({ id }) => id)
}

function othersOf(entity: CompiledEntity, names: readonly string[]): readonly string[] {
  return [...entity.fields.keys()].filter((name) => !names.includes(name))
}
