/** The repository for every database: checks arguments, loads relations, counts operations. `EntityWrites` does the writes. */
import type { MaybePromise } from 'svc-kernel'
import {
  after,
  all,
  type Condition,
  isRecord,
  type Selection,
  type Table,
  type Transaction,
  type TransactionOptions
} from 'svc-stores/table'
import type { Amount } from '../criteria/arithmetic.ts'
import { type Changes, incrementOf } from '../criteria/changes.ts'
import type { Criteria } from '../criteria/criteria.ts'
import type { ReadCache } from '../criteria/find-options.ts'
import type { FindScope } from '../criteria/find-scope.ts'
import type { Measures } from '../criteria/measures.ts'
import { parseFound } from '../criteria/parse-criteria.ts'
import { type ParsedFindOptions, parseFindOptions, readCache } from '../criteria/parse-find-options.ts'
import { DELETED_ROWS } from '../criteria/presence.ts'
import { isPlain, type RowShape } from '../criteria/row-shape.ts'
import { searchedScope } from '../criteria/search-criteria.ts'
import { parseFoundKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { shownEntity } from '../entities/shown-entity.ts'
import { InvalidFindOptions } from '../errors.ts'
import { treeRows } from '../trees/tree-rows.ts'
import { countsInFind } from './counts-in-find.ts'
import { EntityWrites } from './entity-writes.ts'
import { GroupedRows } from './grouped-rows.ts'
import { readUpsert } from './read-upsert.ts'
import { loadRelations } from './relations.ts'
import type { DeleteOwnedOptions, KeysetPage, Repository } from './repository.ts'
import { RepositoryCalls } from './repository-calls.ts'
import type { RepositoryHost, RepositoryView } from './repository-host.ts'
import { cachedRow } from './request-rows.ts'
import { type ReadRows, readRows } from './running-totals.ts'
import { refuseOptions, WALKED_AT_ONCE, walkedPage, walkedRows } from './walked-rows.ts'

export class PortableRepository implements Repository {
  readonly #entity: CompiledEntity
  readonly #host: RepositoryHost
  readonly #table: Table<AnyRow>
  readonly #tx: Transaction | null
  readonly #scope: FindScope
  readonly #writing: EntityWrites
  readonly #calls: RepositoryCalls
  readonly #replica: Table<AnyRow> | null
  readonly #grouped: GroupedRows
  #shown: PortableRepository | null = null

  constructor(
    entity: CompiledEntity,
    host: RepositoryHost,
    table: Table<AnyRow>,
    tx: Transaction | null = null,
    { withDeleted = false, replica = null }: RepositoryView = {}
  ) {
    this.#replica = replica
    this.#entity = entity
    this.#host = host
    this.#table = table
    this.#tx = tx
    const entityOf = (name: string) => (entity.part === undefined ? host.entity(name) : shownEntity(host.entity(name)))
    this.#scope = { ids: host.database.ids, entityOf, withDeleted }
    this.#writing = new EntityWrites(entity, host, table, tx)
    this.#calls = new RepositoryCalls(entity, host, table)
    this.#grouped = new GroupedRows(entity, () => this.#reads, this.#calls, this.#scope)
  }

  find(criteria: Criteria<AnyRow> = {}, options?: object): Promise<AnyRow[]> {
    return this.#find('find', criteria, options)
  }

  async findOne(criteria: Criteria<AnyRow>, options = this.#entity.part && ({} as object)): Promise<AnyRow | null> {
    if (options === undefined) return this.#among('findOne', criteria, (where) => this.#reads.findOne(where))
    const { cache, ...given } = isRecord(options) ? options : { options }
    if (cache !== undefined && this.#entity.part === undefined)
      return this.#findCached(criteria, readCache(cache, given), given)
    return (await this.#find('findOne', criteria, given, 1))[0] ?? null
  }

  async page(criteria: Criteria<AnyRow>, options: object): Promise<KeysetPage<AnyRow>> {
    const { after: cursor, ...given } = isRecord(options) ? options : { options }
    refuseOptions('page', given, ['offset', 'lock'])
    const where = this.#conditions(criteria)
    const { selection, shape } = this.#options(given, true)
    const { order, ...page } = await walkedPage(this.#entity, cursor, selection, this.#scope, (some, last) =>
      this.#walk('page', where, some, last)
    )
    await this.#relate(page.items, shape, { where, order, isBegin: cursor === undefined, isEnd: page.next === null })
    return page
  }

  stream(criteria: Criteria<AnyRow> = {}, options: object = {}): AsyncIterableIterator<AnyRow> {
    const begin = () => {
      refuseOptions('stream', options, ['offset', 'limit'])
      const where = this.#conditions(criteria)
      const { shape, selection } = this.#options(options, true)
      const some = { ...selection, limit: WALKED_AT_ONCE }
      return {
        next: (last: AnyRow | null) => this.#walk('stream', where, some, last),
        relate: (rows: readonly AnyRow[]) => this.#relate(rows, shape, readRows(where, { ...some, offset: 1 }, 0))
      }
    }
    return walkedRows(this.#entity, begin, this.#host.scopes.held())
  }

  descendants(id: string, options?: object): Promise<AnyRow[]> {
    return treeRows(this, this.#entity, 'descendants', id, options)
  }

  ancestors(id: string, options?: object): Promise<AnyRow[]> {
    return treeRows(this, this.#entity, 'ancestors', id, options)
  }

  async create(values: Partial<AnyRow>): Promise<AnyRow> {
    return (await this.#calls.run('create', () => this.#writes.insert([values])))[0] as AnyRow
  }

  async createMany(values: readonly Partial<AnyRow>[]): Promise<AnyRow[]> {
    return this.#calls.run('createMany', () => this.#writes.insert(values))
  }

  updateEach(rows: readonly object[]): Promise<AnyRow[]> {
    return this.#calls.run('updateEach', () => this.#writes.many(this.#scope.withDeleted).updateEach(rows))
  }

  upsertMany(rows: readonly object[], options: object): Promise<AnyRow[]> {
    return this.#calls.run('upsertMany', () => this.#writes.many(this.#scope.withDeleted).upsertMany(rows, options))
  }

  updateOne(criteria: Criteria<AnyRow>, changes: Changes<AnyRow>): Promise<AnyRow | null> {
    return this.#among('updateOne', criteria, (where) => this.#writes.updateOne(where, changes), { changes })
  }

  async upsert(criteria: Criteria<AnyRow>, values: Partial<AnyRow>, options?: object): Promise<AnyRow> {
    const { key, values: row, changes, where } = readUpsert(this.#entity, criteria, values, options, this.#scope.ids)
    const upsert = () => this.#writes.upsert(where, row, key, this.#scope.withDeleted, changes)
    return this.#calls.run('upsert', upsert, [], { changes: changes ?? {} })
  }

  increment(criteria: Criteria<AnyRow>, field: string, delta: Amount = 1): Promise<AnyRow | null> {
    const change = () => incrementOf(this.#entity, field, delta)
    return this.#among('increment', criteria, (where) => this.#writes.updateOne(where, change()))
  }

  updateMany(criteria: Criteria<AnyRow>, changes: Changes<AnyRow>): Promise<number> {
    return this.#among('updateMany', criteria, (where) => this.#writes.update(where, changes), { changes })
  }

  delete(criteria: Criteria<AnyRow>): Promise<number> {
    return this.#among('delete', criteria, (where) => this.#writes.delete(where))
  }

  async deleteOne(criteria: Criteria<AnyRow>): Promise<boolean> {
    return (await this.#among('deleteOne', criteria, (where) => this.#writes.deleteOne(where))) !== null
  }

  findOneAndDelete(criteria: Criteria<AnyRow>): Promise<AnyRow | null> {
    return this.#among('findOneAndDelete', criteria, (where) => this.#writes.deleteOne(where))
  }

  deleteOwned(criteria: Criteria<AnyRow>, options?: DeleteOwnedOptions): ReturnType<Repository['deleteOwned']> {
    return this.#among('deleteOwned', criteria, (where) => this.#writes.deleteOwned(where, options))
  }

  restore(criteria: Criteria<AnyRow>): Promise<number> {
    return this.withDeleted().#among('restore', criteria, (where) => this.#writes.restore([...where, ...DELETED_ROWS]))
  }

  purge(criteria: Criteria<AnyRow>): Promise<number> {
    return this.withDeleted().#among('purge', criteria, (where) => this.#writes.purge([...where, ...DELETED_ROWS]))
  }

  withDeleted(): PortableRepository {
    return this.#viewed({ withDeleted: true })
  }

  primary(): PortableRepository {
    return this.#viewed({ replica: null })
  }

  shown(): PortableRepository {
    this.#shown ??= this.#viewed({}, shownEntity(this.#entity))
    return this.#shown
  }

  count(criteria: Criteria<AnyRow> = {}): Promise<number> {
    return this.#among('count', criteria, (where) => this.#reads.count(where))
  }

  async aggregate(criteria: Criteria<AnyRow>, measures: Measures<AnyRow>): Promise<never> {
    return this.#grouped.aggregate(this.#conditions(criteria), measures)
  }

  async groupBy(criteria: Criteria<AnyRow>, options: object): Promise<never[]> {
    return this.#grouped.groupBy(this.#conditions(criteria), options)
  }

  async distinct(field: string, criteria: Criteria<AnyRow> = {}): Promise<never[]> {
    return this.#grouped.distinct(this.#conditions(criteria), field)
  }

  exists(criteria: Criteria<AnyRow>): Promise<boolean> {
    return this.#among('exists', criteria, (where) => this.#reads.exists(where))
  }

  withTransaction(tx: Transaction): Repository
  withTransaction<T>(
    work: (repository: Repository, tx: Transaction) => Promise<T>,
    options?: TransactionOptions
  ): Promise<T>
  withTransaction<T>(
    given: Transaction | ((repository: Repository, tx: Transaction) => Promise<T>),
    options?: TransactionOptions
  ): Repository | Promise<T> {
    if (typeof given !== 'function') return this.#within(given)
    const inside = (tx: Transaction) => given(this.#within(tx), tx)
    if (this.#tx === null) return this.#host.transaction(inside, options)
    if (options !== undefined) return Promise.reject(new InvalidFindOptions('options', 'none inside a transaction'))
    // Inside a transaction, work that must be rolled back on its own becomes a savepoint.
    return this.#tx.savepoint(inside)
  }

  get #writes(): EntityWrites {
    return this.#writing.begun()
  }

  get #reads(): Table<AnyRow> {
    return this.#replica === null ? this.#table : this.#host.readTable(this.#entity.name)
  }

  #within(tx: Transaction): Repository {
    const table = this.#host.table(this.#entity.name).within(tx)
    return new PortableRepository(this.#entity, this.#host, table, tx, { withDeleted: this.#scope.withDeleted })
  }

  #viewed(view: RepositoryView, entity = this.#entity): PortableRepository {
    const own = { withDeleted: this.#scope.withDeleted, replica: this.#replica, ...view }
    return new PortableRepository(entity, this.#host, this.#table, this.#tx, own)
  }

  async #find(operation: string, criteria: Criteria<AnyRow>, options: unknown, limit?: number): Promise<AnyRow[]> {
    const where = this.#conditions(criteria)
    const { shape, selection: asked } = this.#options(options, false, where)
    const selection = limit === undefined ? asked : { ...asked, limit }
    if (selection.limit === 0) return []
    const rows = await this.#calls.run(operation, () => this.#reads.find(where, selection), where, asked)
    if (!isPlain(shape)) await this.#relate(rows, shape, readRows(where, selection, rows.length))
    return rows
  }

  /** Caches the row without its relations, which are loaded each time. */
  async #findCached(criteria: Criteria<AnyRow>, cache: ReadCache, given: object): Promise<AnyRow | null> {
    parseFoundKey(this.#entity, criteria, this.#scope.withDeleted)
    const { shape } = this.#options(given)
    const read = () => this.#among('findOne', criteria, (where) => this.#reads.findOne(where))
    const key = this.#tx === null && !this.#scope.withDeleted ? this.#host.scopes.key(this.#entity, criteria) : null
    const row = await (key === null ? read() : cachedRow(this.#entity, key, cache, read))
    if (row !== null) await this.#relate([row], shape)
    return row
  }

  async #walk(operation: string, where: readonly Condition[], selection: Selection<AnyRow>, last: AnyRow | null) {
    const behind = last === null ? where : all<AnyRow>(where, after(selection.order ?? [], last))
    return this.#calls.run(operation, () => this.#reads.find(behind, selection), behind, selection)
  }

  #options(given: unknown, walked = false, where: readonly Condition[] = []): ParsedFindOptions {
    const scope = searchedScope(this.#scope, this.#entity, where)
    const use = { walked, locks: this.#tx !== null }
    return countsInFind(parseFindOptions(this.#entity, given, scope, use), this.#host, scope.entityOf)
  }

  #conditions(criteria: unknown): readonly Condition[] {
    return parseFound(this.#entity, criteria, this.#scope)
  }

  async #relate(rows: readonly AnyRow[], shape: RowShape, read?: ReadRows): Promise<void> {
    if (isPlain(shape)) return
    const [tx, host, replica] = [this.#tx, this.#host, this.#replica]
    const outside = (name: string) => (replica === null ? host.table(name) : host.readTable(name))
    const tableOf = (name: string) => (tx === null ? outside(name) : host.table(name).within(tx))
    await loadRelations(rows, shape, tableOf, read && { ...read, entity: this.#entity, table: this.#reads })
  }

  async #among<T>(
    operation: string,
    criteria: Criteria<AnyRow>,
    work: (where: readonly Condition[]) => MaybePromise<T>,
    asked?: { readonly changes: unknown }
  ): Promise<T> {
    const where = this.#conditions(criteria)
    return this.#calls.run(operation, () => work(where), where, asked)
  }
}
