/**
 * A deletion with what belongs to the rows: marks or removes rows of several entities in one transaction, with their
 * hooks, the rows that refer to others first. What a database does for its foreign keys it does itself.
 */
import { type Condition, runOperation, type Selection, type Table, type Transaction } from 'svc-stores/table'
import { DELETED_ROWS, presentRows } from '../criteria/presence.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { ReferencedRow } from '../errors.ts'
import { deferCheck } from '../references/deferred-checks.ts'
import { deletionOrder } from '../references/deletion-order.ts'
import { among, batches, checkAtEnd } from '../references/owners.ts'
import { hasDeleteHooks, isFollowed, type Referrer, type RemovalKind } from '../references/referrers.ts'
import type { AnyHooks, HookContext } from './entity-hooks.ts'
import type { RepositoryHost } from './repository-host.ts'

type Where = readonly Condition[]

export interface RemovalParts {
  readonly host: RepositoryHost
  /** `null` on a server without transactions. */
  readonly tx: Transaction | null
  readonly kind: RemovalKind
  /** Also what the database would do itself, so that all rows are counted. Default `false`. */
  readonly everything?: boolean
  /** Gives up beyond so many rows. Default: none. @throws TooManyRows */
  readonly most?: number
}

/** Which rows a deletion begins with. */
export interface RemovedRows {
  /** At most so many, by id. Default: all. */
  readonly limit?: number | undefined
  /** `false`: their hooks ran when they were marked. Default `true`. */
  readonly hooked?: boolean | undefined
  /** Of the scope of the caller; what belongs to them is of any. Default `true`. */
  readonly inScope?: boolean
}

/** More rows go than the caller wants in one transaction. */
export class TooManyRows extends Error {}

const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

export class Removal {
  readonly #parts: RemovalParts
  /** Rows by id, by entity, in the order in which they were found. */
  readonly #doomed = new Map<CompiledEntity, Map<string, AnyRow>>()
  /** Rows that nothing has to be known of. */
  readonly #swept: { readonly entity: CompiledEntity; readonly where: Where }[] = []
  readonly #later: (() => Promise<void>)[] = []
  readonly #counts = new Map<string, number>()

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  /** How many rows went, by entity. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /**
   * @returns the rows as they were @throws ReferencedRow
   */
  async run(entity: CompiledEntity, where: Where, options: RemovedRows = {}): Promise<AnyRow[]> {
    const { limit, hooked = true, inScope = true } = options
    const { host, tx } = this.#parts
    const table = inScope ? inside(host.table(entity.name), tx) : host.whole(entity.name, tx)
    const rows = await this.#locked(table, where, limit)
    if (rows.length === 0) return rows
    await this.#doom(entity, rows, hooked)
    for (const work of this.#later) await work()
    for (const each of deletionOrder([...this.#doomed.keys(), ...this.#swept.map(({ entity: swept }) => swept)])) {
      await this.#delete(each)
    }
    for (const [each, gone] of this.#doomed) {
      if (each === entity && !hooked) continue
      for (const row of gone.values()) await hooksOf(each).afterDelete?.(row, this.#context)
    }
    return rows
  }

  async #doom(entity: CompiledEntity, rows: readonly AnyRow[], hooked = true): Promise<void> {
    const known = this.#doomed.get(entity) ?? new Map<string, AnyRow>()
    this.#doomed.set(entity, known)
    const fresh = rows.filter(({ id }) => !known.has(id))
    for (const row of fresh) known.set(row.id, row)
    this.#bound(known.size)
    const { host, tx, kind, everything = false } = this.#parts
    // Hooks run inside a transaction only: a server without any refuses this one.
    if (hooked && tx === null && fresh.length > 0 && hasDeleteHooks(entity))
      await host.transaction(async () => undefined)
    if (hooked) for (const row of fresh) await hooksOf(entity).beforeDelete?.(row, this.#context)
    for (const referrer of host.referrers(entity.name)) {
      const all = everything && kind === 'remove' && referrer.reference.onDelete !== 'restrict'
      if (!all && !isFollowed(referrer, kind, host.database)) continue
      for (const ids of batches(fresh.map(({ id }) => id))) await this.#follow(referrer, ids)
    }
  }

  async #follow(referrer: Referrer, ids: readonly string[]): Promise<void> {
    const { entity, relation, reference } = referrer
    const { kind, host, everything = false } = this.#parts
    const refer = among(relation.field, ids)
    if (reference.onDelete === 'restrict') return void this.#later.push(() => this.#refuse(referrer, ids))
    if (reference.onDelete === 'setNull') return void this.#later.push(() => this.#clear(referrer, ids))
    const where = [refer, ...(kind === 'mark' ? presentRows(entity) : entity.softDelete ? DELETED_ROWS : [])]
    // A row that is there does not go with those that were deleted before.
    if (kind === 'remove' && entity.softDelete) this.#later.push(() => this.#refuse(referrer, ids))
    const isLeaf = !hasDeleteHooks(entity) && host.referrers(entity.name).length === 0
    if (isLeaf && !everything) return void this.#swept.push({ entity, where })
    const rows = await this.#locked(this.#table(entity), where)
    if (rows.length > 0) await this.#doom(entity, rows, !(kind === 'remove' && entity.softDelete))
  }

  /** @throws ReferencedRow where rows that stay refer to these */
  async #refuse(referrer: Referrer, ids: readonly string[]): Promise<void> {
    const { entity, relation, reference } = referrer
    const { kind, tx, host } = this.#parts
    const atEnd = (of: Transaction) => () => checkAtEnd(referrer, ids, (name, within) => host.whole(name, within), of)
    if (kind === 'remove' && reference.deferrable && tx !== null && deferCheck(tx, atEnd(tx))) return
    const isMarked = kind === 'mark' || reference.onDelete === 'cascade'
    const staying = [among(relation.field, ids), ...(isMarked ? presentRows(entity) : []), ...this.#others(entity)]
    if (await this.#table(entity).exists(staying)) throw new ReferencedRow(entity.name, relation.name)
  }

  /** Its hooks, its version and its times know of it. */
  async #clear({ entity, relation: { field } }: Referrer, ids: readonly string[]): Promise<void> {
    const { host, tx } = this.#parts
    await host.writes(entity.name, tx).update([among(field, ids), ...this.#others(entity)], { [field]: null })
  }

  async #delete(entity: CompiledEntity): Promise<void> {
    const swept = this.#swept.filter((each) => each.entity === entity).map(({ where }) => where)
    // In one statement where they may refer to each other; of more, those that were found last refer to the others.
    const ids = [...(this.#doomed.get(entity)?.keys() ?? [])].reverse()
    const table = this.#table(entity)
    const deletedAt = new Date(this.#parts.host.clock.now())
    let count = ids.length
    const gone = (where: Where) =>
      this.#parts.kind === 'mark' ? table.update(where, { set: { deletedAt } }) : table.delete(where)
    for (const where of swept) count += await gone(where)
    // A database does not count rows that go by its own cascade.
    for (const some of batches(ids)) await gone([among('id', some)])
    this.#counts.set(entity.name, count)
  }

  /** Rows of an entity besides those that go. */
  #others(entity: CompiledEntity): Where {
    const values = [...(this.#doomed.get(entity)?.keys() ?? [])]
    const swept = this.#swept.filter((each) => each.entity === entity)
    return [
      ...(values.length === 0 ? [] : [{ field: 'id', operator: 'nin', values, orNull: false } as const]),
      ...swept.map(({ where: of }) => ({ operator: 'not', of }) as const)
    ]
  }

  #bound(rows: number): void {
    if (rows > (this.#parts.most ?? Number.POSITIVE_INFINITY)) throw new TooManyRows()
  }

  #locked(table: Table<AnyRow>, where: Where, limit?: number): Promise<AnyRow[]> {
    const { tx } = this.#parts
    const selection: Selection<AnyRow> = {
      order: BY_ID,
      ...(tx !== null && { lock: 'update' }),
      ...(limit !== undefined && { limit })
    }
    return table.find(where, selection)
  }

  #table({ name }: CompiledEntity): Table<AnyRow> {
    return this.#parts.host.whole(name, this.#parts.tx)
  }

  /** Hooks run inside a transaction only. */
  get #context(): HookContext {
    const { host, tx } = this.#parts
    const repository = (of: string | EntityDefinition) =>
      host.repository(typeof of === 'string' ? of : of.name).withTransaction(tx as Transaction)
    return { tx: tx as Transaction, repository: repository as HookContext['repository'] }
  }
}

/** In the transaction, in one of its own, or without any where the server has none and no hook needs one. */
export function inTransaction<T>(
  host: RepositoryHost,
  entity: CompiledEntity,
  tx: Transaction | null,
  work: (tx: Transaction | null) => Promise<T>
): Promise<T> {
  // A refusal must not remain part of a transaction that continues.
  const within = (open: Transaction) => runOperation(open, () => work(open))
  if (tx !== null) return within(tx)
  return host.database.transactions === false && !hasDeleteHooks(entity) ? work(null) : host.transaction(within)
}

function inside(table: Table<AnyRow>, tx: Transaction | null): Table<AnyRow> {
  return tx === null ? table : table.within(tx)
}

function hooksOf({ hooks }: CompiledEntity): AnyHooks {
  return hooks as AnyHooks
}
