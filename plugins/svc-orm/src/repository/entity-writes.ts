/**
 * The writes of an entity: checks values, compares the version that the caller read, and removes rows or marks them as
 * deleted. Hooks of a write run around it in one transaction: see `HookedWrites`.
 */
import type { MaybePromise } from 'svc-kernel'
import { type Change, type Condition, runOperation, type Table, type Transaction } from 'svc-stores/table'
import { type GivenChanges, type ReadChanges, readChanges, readVersion } from '../criteria/changes.ts'
import { presentRows } from '../criteria/presence.ts'
import type { UniqueKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { HookName } from '../entities/entity-definition.ts'
import { isReadOnly } from '../entities/existing-table.ts'
import { readNewRow } from '../entities/new-row.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, InvalidValue, ReadOnlyEntity, UniqueViolation, VersionConflict } from '../errors.ts'
import { hasDeleteHooks, isFollowed, type RemovalKind } from '../references/referrers.ts'
import { updateOneWithin, updateWithin } from './bounded-updates.ts'
import { changingUpsert } from './changing-upsert.ts'
import { type DeletedRows, deleteOwned, readBatchSize } from './delete-owned.ts'
import { assertHeld } from './held-row.ts'
import { HookedWrites } from './hooked-writes.ts'
import { ManyRows } from './many-rows.ts'
import { inTransaction, Removal } from './removal.ts'
import type { RepositoryHost } from './repository-host.ts'
import { endRequestRows } from './request-rows.ts'

type Where = readonly Condition[]

const CREATING = ['beforeCreate', 'afterCreate'] as const
const UPDATING = ['beforeUpdate', 'afterUpdate'] as const
const UPSERTING = [...CREATING, ...UPDATING] as const

export class EntityWrites {
  readonly #entity: CompiledEntity
  readonly #host: RepositoryHost
  readonly #table: Table<AnyRow>
  readonly #tx: Transaction | null

  /** @param tx the transaction of the table; `null` outside of any */
  constructor(entity: CompiledEntity, host: RepositoryHost, table: Table<AnyRow>, tx: Transaction | null) {
    this.#entity = entity
    this.#host = host
    this.#table = table
    this.#tx = tx
  }

  /** Before each call of its repository. @throws ReadOnlyEntity, InvalidFindOptions */
  begun(): this {
    refuseReadOnly(this.#entity)
    this.#host.wrote()
    return this
  }

  many(seesDeleted: boolean): ManyRows {
    return new ManyRows(this.#entity, this.#host, this.#table, this.#tx, seesDeleted)
  }

  /** All values are checked before anything is written. */
  insert(given: readonly unknown[]): MaybePromise<AnyRow[]> {
    if (!Array.isArray(given)) throw new InvalidValue(this.#entity.name, 'a list of the values of rows')
    const plain = async () => {
      const rows = Array.from(given, (values) => this.#newRow(values))
      if (rows.length > 0) await this.#table.insert(rows)
      return rows
    }
    return this.#around(CREATING, plain, (hooked) => hooked.insert(given))
  }

  /**
   * @param where criteria of the key @param seesDeleted whether the existing row may be a
   * deleted one @param changes of the existing row; `null`: none
   */
  upsert(
    where: () => Where,
    given: unknown,
    key: UniqueKey,
    seesDeleted: boolean,
    changes: GivenChanges | null
  ): MaybePromise<AnyRow> {
    return changes === null
      ? this.#upsertNew(where, given, key, seesDeleted)
      : this.#upsertChanging(where, given, key, seesDeleted, changes)
  }

  async #upsertNew(where: () => Where, given: unknown, key: UniqueKey, seesDeleted: boolean): Promise<AnyRow> {
    const plain = async () => {
      const row = this.#newRow(given)
      assertHeld(this.#entity, row, key)
      return this.#table.insertIfAbsent(row, key.fields)
    }
    const standing = await this.#around(CREATING, plain, (hooked) => hooked.upsert(where(), given, key))
    const isDeleted = this.#entity.softDelete && standing.deletedAt !== null
    if (isDeleted && !seesDeleted) throw new UniqueViolation(this.#entity.name, key.fields)
    return standing
  }

  #upsertChanging(
    where: () => Where,
    given: unknown,
    key: UniqueKey,
    seesDeleted: boolean,
    changes: GivenChanges
  ): MaybePromise<AnyRow> {
    const entity = this.#entity
    const expected = readVersion(entity, changes)
    const plain = () => {
      const [row, read] = [this.#newRow(given), this.#changes(changes)]
      return changingUpsert(this.#table, { entity, row, key, where, read, expected, seesDeleted })
    }
    const hooked = (writes: HookedWrites) => writes.upsertChanging(where(), given, key, changes, expected, seesDeleted)
    return this.#around(UPSERTING, plain, hooked)
  }

  updateOne(where: Where, changes: GivenChanges): MaybePromise<AnyRow | null> {
    const expected = readVersion(this.#entity, changes)
    const plain = () => {
      const read = this.#changes(changes)
      return expected === null ? this.#updated(where, read) : this.#compared(where, read, expected)
    }
    return this.#around(UPDATING, plain, (hooked) => hooked.updateOne(where, changes, expected))
  }

  update(where: Where, changes: GivenChanges): MaybePromise<number> {
    if (readVersion(this.#entity, changes) !== null) {
      throw new InvalidValue('version', 'updateOne, because each row has its own version')
    }
    const plain = () => {
      const { change, keeps } = this.#changes(changes)
      if (change === null) return this.#table.count(where)
      if (keeps.length === 0) return this.#table.update(where, change)
      return this.#inTransaction((table) => updateWithin(table, where, change, keeps))
    }
    return this.#around(UPDATING, plain, (hooked) => hooked.update(where, changes))
  }

  delete(where: Where): MaybePromise<number> {
    const present = [...where, ...presentRows(this.#entity)]
    if (this.#deletesAlone()) {
      return this.#entity.softDelete ? this.#table.update(present, this.#deleted()) : this.#table.delete(present)
    }
    return this.#removed(this.#kind, present).then(({ length }) => length)
  }

  /** @returns the row as it was */
  async deleteOne(where: Where): Promise<AnyRow | null> {
    const present = [...where, ...presentRows(this.#entity)]
    if (!this.#deletesAlone()) return (await this.#removed(this.#kind, present, 1))[0] ?? null
    if (!this.#entity.softDelete) return this.#table.deleteOne(present)
    const marked = await this.#table.updateOne(present, this.#deleted())
    return marked && { ...marked, deletedAt: null }
  }

  /** @throws InvalidFindOptions */
  deleteOwned(where: Where, options: unknown): Promise<DeletedRows> {
    const batchSize = readBatchSize(options)
    endRequestRows()
    return deleteOwned(where, { host: this.#host, entity: this.#entity, tx: this.#tx, batchSize })
  }

  /** @param where deleted rows @throws InvalidFindOptions */
  restore(where: Where): MaybePromise<number> {
    this.#assertMarks('restore')
    const restored: Change<AnyRow> = {
      set: { deletedAt: null },
      ...(this.#entity.version && { add: { version: 1 } })
    }
    const plain = () => this.#table.update(where, restored)
    return this.#around(UPDATING, plain, (hooked) => hooked.update(where, {}, restored))
  }

  /** Hooks ran when the rows were deleted. @param where deleted rows @throws InvalidFindOptions */
  purge(where: Where): MaybePromise<number> {
    this.#assertMarks('purge')
    endRequestRows()
    if (!this.#follows('remove')) return this.#table.delete(where)
    return this.#removed('remove', where, undefined, false).then(({ length }) => length)
  }

  /** One statement does all of it. */
  #deletesAlone(): boolean {
    endRequestRows()
    return !hasDeleteHooks(this.#entity) && !this.#follows(this.#kind)
  }

  get #kind(): RemovalKind {
    return this.#entity.softDelete ? 'mark' : 'remove'
  }

  #follows(kind: RemovalKind): boolean {
    const { database } = this.#host
    return this.#host.referrers(this.#entity.name).some((referrer) => isFollowed(referrer, kind, database))
  }

  /** With what belongs to them. */
  async #removed(kind: RemovalKind, where: Where, limit?: number, hooked?: boolean): Promise<AnyRow[]> {
    const [host, entity] = [this.#host, this.#entity]
    const work = (tx: Transaction | null) => new Removal({ host, tx, kind }).run(entity, where, { limit, hooked })
    return inTransaction(host, entity, this.#tx, work)
  }

  #around<T>(
    names: readonly HookName[],
    plain: () => MaybePromise<T>,
    hooked: (writes: HookedWrites) => Promise<T>
  ): MaybePromise<T> {
    // A new row does not invalidate cached rows.
    if (names !== CREATING) endRequestRows()
    const { hooks } = this.#entity
    if (names.every((name) => hooks[name] === undefined)) return plain()
    const host = this.#host
    // A refusal of a hook must not remain part of a transaction that continues.
    const work = (tx: Transaction) =>
      runOperation(tx, () => hooked(new HookedWrites(this.#entity, host, this.#table.within(tx), tx)))
    return this.#tx === null ? host.transaction(work) : work(this.#tx)
  }

  #updated(where: Where, { change, keeps }: ReadChanges): MaybePromise<AnyRow | null> {
    return change === null ? this.#table.findOne(where) : updateOneWithin(this.#table, where, change, keeps)
  }

  /** @throws VersionConflict */
  async #compared(where: Where, read: ReadChanges, expected: number): Promise<AnyRow | null> {
    const asRead: Where = [...where, { field: 'version', operator: 'eq', value: expected }]
    const row = await this.#updated(asRead, read)
    if (row === null && (await this.#table.exists(where))) throw new VersionConflict(this.#entity.name)
    return row
  }

  #inTransaction<T>(work: (table: Table<AnyRow>) => Promise<T>): Promise<T> {
    return this.#tx === null ? this.#host.transaction((tx) => work(this.#table.within(tx))) : work(this.#table)
  }

  #changes(changes: GivenChanges): ReadChanges {
    return readChanges(this.#entity, changes, this.#host.database.ids, this.#now())
  }

  #deleted(): Change<AnyRow> {
    return { set: { deletedAt: new Date(this.#now()) } }
  }

  #newRow(given: unknown): AnyRow {
    return readNewRow(this.#entity, given, this.#host.database.ids, this.#now())
  }

  #assertMarks(operation: string): void {
    if (!this.#entity.softDelete) throw new InvalidFindOptions(operation, 'an entity with softDelete')
  }

  #now(): number {
    return this.#host.clock.now()
  }
}

/** @throws ReadOnlyEntity, InvalidFindOptions */
function refuseReadOnly(entity: CompiledEntity): void {
  if (isReadOnly(entity)) throw new ReadOnlyEntity(entity.name)
  if (entity.part !== undefined)
    throw new InvalidFindOptions('shown()', 'reads only, because its rows lack the hidden fields')
}
