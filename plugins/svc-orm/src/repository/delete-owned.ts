/**
 * Deletes rows with all that cascades from them: in one transaction where that is little, else in batches, each of which
 * is kept, the rows that refer to others first. What was interrupted goes on where it is called again.
 */
import { type Condition, isRecord, type Transaction } from 'svc-stores/table'
import { presentRows } from '../criteria/presence.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { InvalidFindOptions } from '../errors.ts'
import { among } from '../references/owners.ts'
import type { RemovalKind } from '../references/referrers.ts'
import { inTransaction, Removal, TooManyRows } from './removal.ts'
import type { RepositoryHost } from './repository-host.ts'

type Where = readonly Condition[]

export interface OwnedDeletion {
  readonly host: RepositoryHost
  readonly entity: CompiledEntity
  /** The transaction of the caller: then all of it is part of that. */
  readonly tx: Transaction | null
  readonly batchSize: number
}

/** How many rows were deleted, by entity. */
export type DeletedRows = Readonly<Record<string, number>>

const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

const BATCH = 1000
const LARGEST = 10_000

/** @throws InvalidFindOptions */
export function readBatchSize(options: unknown = {}): number {
  if (!isRecord(options)) throw new InvalidFindOptions('options of deleteOwned', 'an object')
  const unknown = Object.keys(options).find((key) => key !== 'batchSize')
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, 'batchSize, the one option of deleteOwned')
  const { batchSize = BATCH } = options
  const isSize = typeof batchSize === 'number' && Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= LARGEST
  if (!isSize) throw new InvalidFindOptions('batchSize', `an integer from 1 to ${LARGEST}`)
  return batchSize
}

/** @throws ReferencedRow */
export async function deleteOwned(where: Where, given: OwnedDeletion): Promise<DeletedRows> {
  const { host, entity, tx, batchSize } = given
  const kind = entity.softDelete ? 'mark' : 'remove'
  const present = [...where, ...presentRows(entity)]
  // What runs again counts again.
  const atOnce = (bound: { readonly most?: number }) =>
    inTransaction(host, entity, tx, async (open) => {
      const removal = new Removal({ host, tx: open, kind, everything: true, ...bound })
      const { most } = bound
      await removal.run(entity, present, { limit: most === undefined ? undefined : most + 1 })
      return Object.fromEntries(removal.counts)
    })
  if (tx !== null) return atOnce({})
  if (host.database.transactions !== false) {
    try {
      return await atOnce({ most: batchSize })
    } catch (error) {
      if (!(error instanceof TooManyRows)) throw error
    }
  }
  const batches = new Batches(given, kind)
  await batches.delete(entity, present, new Set())
  return Object.fromEntries(batches.counts)
}

class Batches {
  readonly #given: OwnedDeletion
  readonly #kind: RemovalKind
  readonly counts = new Map<string, number>()

  constructor(given: OwnedDeletion, kind: RemovalKind) {
    this.#given = given
    this.#kind = kind
  }

  /** @param above rows whose own rows are being deleted: of a circle each is met once */
  async delete(entity: CompiledEntity, where: Where, above: ReadonlySet<string>): Promise<void> {
    const { host, batchSize } = this.#given
    // The rows are of the scope of the caller, what belongs to them of any.
    const table = above.size === 0 ? host.table(entity.name) : host.whole(entity.name, null)
    const others: Where = above.size === 0 ? [] : [{ field: 'id', operator: 'nin', values: [...above], orNull: false }]
    for (;;) {
      const rows = await table.find([...where, ...others], { order: BY_ID, limit: batchSize })
      if (rows.length === 0) return
      const ids = rows.map(({ id }) => id)
      const below = new Set([...above, ...ids])
      for (const { entity: owned, relation, reference } of host.referrers(entity.name)) {
        if (reference.onDelete !== 'cascade' || (this.#kind === 'mark' && !owned.softDelete)) continue
        const present = this.#kind === 'mark' ? presentRows(owned) : []
        await this.delete(owned, [among(relation.field, ids), ...present], below)
      }
      await this.#remove(entity, [among('id', ids), ...(this.#kind === 'mark' ? presentRows(entity) : [])])
    }
  }

  async #remove(entity: CompiledEntity, where: Where): Promise<void> {
    const { host } = this.#given
    const counts = await inTransaction(host, entity, null, async (tx) => {
      const removal = new Removal({ host, tx, kind: this.#kind, everything: true })
      await removal.run(entity, where, { inScope: false })
      return removal.counts
    })
    for (const [name, count] of counts) this.counts.set(name, (this.counts.get(name) ?? 0) + count)
  }
}
