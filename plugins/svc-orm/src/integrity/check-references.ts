/** References that name a row that is gone, or one of another scope: counted, listed and mended, on every database. */
import type { OnDelete } from '../entities/entity-definition.ts'
import { among } from '../references/owners.ts'
import { type Referrer, referrersOf } from '../references/referrers.ts'
import type { EntityRepositories } from '../repository/entity-repositories.ts'
import { inTransaction, Removal } from '../repository/removal.ts'
import { faultyRows, type ReferenceFault, someFaulty } from './faulty-references.ts'

/** A relation with a reference, and the rows whose reference is wrong. */
export interface CheckedReference {
  readonly connector: string
  readonly entity: string
  readonly relation: string
  /** The reference field. */
  readonly field: string
  readonly target: string
  readonly onDelete: Exclude<OnDelete, 'none'>
  /** The number of rows that name a missing row. */
  readonly dangling: number
  /** Ids of the first five, by id. */
  readonly first: readonly string[]
  /** What a repair does: deletes rows of `cascade` and rows whose reference must not be null; else sets the reference to null. */
  readonly repair: 'setNull' | 'delete'
  /** Rows that name a row of another scope. */
  readonly crossing: {
    readonly rows: number
    /** Ids of the first five, by id. */
    readonly first: readonly string[]
    /** What a repair does; `null`: nothing, because the reference must not be null. */
    readonly repair: 'setNull' | null
  }
}

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
    const { crossing } = checked
    const dangling = checked.dangling === 0 ? 0 : await mendAll('dangling', referrer, repositories)
    const isMended = crossing.rows > 0 && crossing.repair !== null
    const rows = isMended ? await mendAll('crossing', referrer, repositories) : 0
    if (dangling + rows > 0) mended.push({ ...checked, dangling, crossing: { ...crossing, rows } })
  }
  return mended
}

function kept({ entities }: EntityRepositories): readonly Referrer[] {
  return [...referrersOf(entities).values()].flat()
}

async function checkReference(referrer: Referrer, repositories: EntityRepositories): Promise<CheckedReference> {
  const { entity, relation, reference } = referrer
  const { dangling, crossing } = await faultyRows(referrer, repositories)
  return {
    connector: repositories.database.name,
    entity: entity.name,
    relation: relation.name,
    field: relation.field,
    target: relation.target,
    onDelete: reference.onDelete,
    dangling: dangling.count,
    first: dangling.first,
    repair: repairOf(referrer),
    crossing: { rows: crossing.count, first: crossing.first, repair: mayBeNull(referrer) ? 'setNull' : null }
  }
}

function repairOf(referrer: Referrer): CheckedReference['repair'] {
  return referrer.reference.onDelete !== 'cascade' && mayBeNull(referrer) ? 'setNull' : 'delete'
}

function mayBeNull({ entity, relation }: Referrer): boolean {
  return entity.fields.get(relation.field)?.nullable === true
}

/** @returns how many rows it mended */
async function mendAll(fault: ReferenceFault, referrer: Referrer, repositories: EntityRepositories): Promise<number> {
  let count = 0
  for (;;) {
    const batch = await mendBatch(fault, referrer, repositories)
    if (batch === 0) return count
    count += batch
  }
}

async function mendBatch(fault: ReferenceFault, referrer: Referrer, repositories: EntityRepositories): Promise<number> {
  const { entity, relation } = referrer
  return inTransaction(repositories, entity, null, async (tx) => {
    const ids = await someFaulty(fault, referrer, repositories, tx)
    if (ids.length === 0) return 0
    if (fault === 'crossing' || repairOf(referrer) === 'setNull') {
      return repositories.writes(entity.name, tx).update([among('id', ids)], { [relation.field]: null })
    }
    await new Removal({ host: repositories, tx, kind: 'remove' }).run(entity, [among('id', ids)], { inScope: false })
    return ids.length
  })
}
