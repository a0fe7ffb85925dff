/**
 * Writes of an entity with hooks, inside a transaction: rows are read and locked first, so that a hook sees what is
 * changed, and each is changed on its own.
 */
import { type Change, type Condition, isRecord, type Selection, type Table, type Transaction } from 'svc-stores/table'
import { type GivenChanges, readChanges } from '../criteria/changes.ts'
import type { UniqueKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import { readNewRow } from '../entities/new-row.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { UniqueViolation, VersionConflict } from '../errors.ts'
import { updateOneWithin } from './bounded-updates.ts'
import type { AnyHooks, HookContext } from './entity-hooks.ts'
import { assertHeld } from './held-row.ts'
import type { RepositoryHost } from './repository-host.ts'

type Where = readonly Condition[]

const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

export class HookedWrites {
  readonly #entity: CompiledEntity
  readonly #host: RepositoryHost
  readonly #table: Table<AnyRow>
  readonly #hooks: AnyHooks
  readonly #context: HookContext

  /** @param table in the transaction */
  constructor(entity: CompiledEntity, host: RepositoryHost, table: Table<AnyRow>, tx: Transaction) {
    this.#entity = entity
    this.#host = host
    this.#table = table
    this.#hooks = entity.hooks as AnyHooks
    const repository = (of: string | EntityDefinition) =>
      host.repository(typeof of === 'string' ? of : of.name).withTransaction(tx)
    this.#context = { tx, repository: repository as HookContext['repository'] }
  }

  async insert(given: readonly unknown[]): Promise<AnyRow[]> {
    const rows: AnyRow[] = []
    for (const values of given) rows.push(await this.#newRow(values))
    if (rows.length > 0) await this.#table.insert(rows)
    for (const row of rows) await this.#hooks.afterCreate?.(row, this.#context)
    return rows
  }

  /** @param where that names the key */
  async upsert(where: Where, given: unknown, key: UniqueKey): Promise<AnyRow> {
    const found = await this.#table.findOne(where)
    if (found !== null) return found
    const row = await this.#newRow(given)
    assertHeld(this.#entity, row, key)
    const standing = await this.#table.insertIfAbsent(row, key.fields)
    if (standing.id === row.id) await this.#hooks.afterCreate?.(standing, this.#context)
    return standing
  }

  /** @param where that names the key @throws VersionConflict, UniqueViolation for a deleted row */
  async upsertChanging(
    where: Where,
    given: unknown,
    key: UniqueKey,
    changes: GivenChanges,
    expected: number | null,
    seesDeleted: boolean
  ): Promise<AnyRow> {
    const [found] = await this.#locked(where, 1)
    if (found === undefined) return this.create(given, key)
    if (this.#entity.softDelete && found.deletedAt !== null && !seesDeleted) {
      throw new UniqueViolation(this.#entity.name, key.fields)
    }
    if (expected !== null && found.version !== expected) throw new VersionConflict(this.#entity.name)
    return this.change(found, changes)
  }

  /** A row whose key no other one has. */
  async create(given: unknown, key: UniqueKey): Promise<AnyRow> {
    const row = await this.#newRow(given)
    assertHeld(this.#entity, row, key)
    await this.#table.insert([row])
    await this.#hooks.afterCreate?.(row, this.#context)
    return row
  }

  /** @param expected the version that was read @throws VersionConflict */
  async updateOne(where: Where, changes: GivenChanges, expected: number | null): Promise<AnyRow | null> {
    const [row] = await this.#locked(where, 1)
    if (row === undefined) return null
    if (expected !== null && row.version !== expected) throw new VersionConflict(this.#entity.name)
    return this.change(row, changes)
  }

  /** @param besides is written in any case */
  async update(where: Where, changes: GivenChanges, besides?: Change<AnyRow>): Promise<number> {
    const rows = await this.#locked(where)
    for (const row of rows) await this.change(row, changes, besides)
    return rows.length
  }

  /** A row that is locked. @param besides is written in any case */
  async change(row: AnyRow, given: GivenChanges, besides?: Change<AnyRow>): Promise<AnyRow> {
    const changes = isRecord(given) ? { ...given } : given
    if (isRecord(changes)) await this.#hooks.beforeUpdate?.(changes, { ...row }, this.#context)
    const { change, keeps } = readChanges(this.#entity, changes, this.#host.database.ids, this.#now())
    if (change === null && besides === undefined) return row
    const whole =
      besides === undefined
        ? change
        : { ...change, set: { ...change?.set, ...besides.set }, add: { ...change?.add, ...besides.add } }
    const own: Where = [{ field: 'id', operator: 'eq', value: row.id }]
    const after = await updateOneWithin(this.#table, own, whole ?? {}, keeps)
    // A hook may have removed the row.
    if (after === null) return row
    await this.#hooks.afterUpdate?.(after, row, this.#context)
    return after
  }

  async #newRow(given: unknown): Promise<AnyRow> {
    // The work may run again, on what the caller gave.
    const values = isRecord(given) ? { ...given } : given
    if (isRecord(values)) await this.#hooks.beforeCreate?.(values as never, this.#context)
    return readNewRow(this.#entity, values, this.#host.database.ids, this.#now())
  }

  #locked(where: Where, limit?: number): Promise<AnyRow[]> {
    const selection: Selection<AnyRow> = { order: BY_ID, lock: 'update', ...(limit !== undefined && { limit }) }
    return this.#table.find(where, selection)
  }

  #now(): number {
    return this.#host.clock.now()
  }
}
