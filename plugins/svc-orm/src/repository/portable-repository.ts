/**
 * The repository above every gateway: it reads what the application gives, keeps
 * ids and timestamps, loads relations and counts operations. Storage, and what
 * must be atomic in it, is the gateway's.
 */

import type { Transaction, TransactionOptions } from 'svc-stores/table'
import { runOperation } from 'svc-stores/table'
import type { Changes, ParsedChanges } from '../criteria/changes.ts'
import type { Condition } from '../criteria/condition.ts'
import type { Criteria } from '../criteria/criteria.ts'
import type { FindOptions, ParsedFindOptions } from '../criteria/find-options.ts'
import { parseCriteria } from '../criteria/parse-criteria.ts'
import { parseFindOptions } from '../criteria/parse-find-options.ts'
import { parseKey } from '../criteria/parse-key.ts'
import type { EntityGateway } from '../driver/entity-gateway.ts'
import type { RepositoryHost } from '../driver/repository-host.ts'
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import type { AnyRow } from '../entity/row-of.ts'
import { InvalidFindOptions, InvalidValue } from '../errors.ts'
import { isRecord } from '../values/is-record.ts'
import { readChanges, readIncrement } from '../values/read-changes.ts'
import { readNewRow } from '../values/read-new-row.ts'
import { loadRelations } from './load-relations.ts'
import type { Repository } from './repository.ts'
import { readTransactionOptions } from './transaction-options.ts'

const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

export class PortableRepository implements Repository {
  readonly #entity: CompiledEntity
  readonly #host: RepositoryHost
  readonly #gateway: EntityGateway
  readonly #tx: Transaction | null

  /** @param tx the transaction its operations run in; `null` outside of any */
  constructor(entity: CompiledEntity, host: RepositoryHost, tx: Transaction | null = null) {
    const { gateway } = host.gateway(entity.name)
    this.#entity = entity
    this.#host = host
    this.#gateway = tx === null ? gateway : gateway.within(tx)
    this.#tx = tx
  }

  async find(criteria: Criteria<AnyRow> = {}, options?: FindOptions<AnyRow>): Promise<AnyRow[]> {
    const conditions = this.#conditions(criteria)
    const { relations, ...rest } = this.#options(options)
    if (rest.limit === 0) return []
    const rows = await this.#measured('find', () => this.#gateway.select({ conditions, ...rest }))
    await this.#relate(rows, relations)
    return rows
  }

  async findOne(criteria: Criteria<AnyRow>, options?: Omit<FindOptions<AnyRow>, 'limit'>): Promise<AnyRow | null> {
    const conditions = this.#conditions(criteria)
    const { relations, order, offset, lock } = this.#options(options)
    const rows = await this.#measured('findOne', () =>
      this.#gateway.select({ conditions, order, offset, limit: 1, lock })
    )
    await this.#relate(rows, relations)
    return rows[0] ?? null
  }

  async create(values: Partial<AnyRow>): Promise<AnyRow> {
    const row = readNewRow(this.#entity, values, this.#host.ids, this.#now())
    await this.#measured('create', () => this.#gateway.insert([row]))
    return row
  }

  async createMany(values: readonly Partial<AnyRow>[]): Promise<AnyRow[]> {
    if (!Array.isArray(values)) throw new InvalidValue(this.#entity.name, 'a list of the values of rows')
    const now = this.#now()
    const rows = Array.from(values, (each) => readNewRow(this.#entity, each, this.#host.ids, now))
    if (rows.length > 0) await this.#measured('createMany', () => this.#gateway.insert(rows))
    return rows
  }

  async updateOne(criteria: Criteria<AnyRow>, changes: Changes<AnyRow>): Promise<AnyRow | null> {
    const conditions = this.#conditions(criteria)
    const parsed = readChanges(this.#entity, changes, this.#host.ids, this.#now())
    return parsed === null ? this.#first(conditions) : this.#update('updateOne', conditions, parsed)
  }

  async upsert(criteria: Criteria<AnyRow>, values: Partial<AnyRow>): Promise<AnyRow> {
    const key = parseKey(this.#entity, criteria)
    const row = readNewRow(this.#entity, withKey(criteria, values), this.#host.ids, this.#now())
    return this.#measured('upsert', () => this.#gateway.insertIfAbsent(row, key))
  }

  async increment(criteria: Criteria<AnyRow>, field: string, delta = 1): Promise<AnyRow | null> {
    const conditions = this.#conditions(criteria)
    return this.#update('increment', conditions, readIncrement(this.#entity, field, delta, this.#now()))
  }

  async updateMany(criteria: Criteria<AnyRow>, changes: Changes<AnyRow>): Promise<number> {
    const conditions = this.#conditions(criteria)
    const parsed = readChanges(this.#entity, changes, this.#host.ids, this.#now())
    if (parsed === null) return this.#measured('updateMany', () => this.#gateway.count(conditions))
    return this.#measured('updateMany', () => this.#gateway.updateMany(conditions, parsed))
  }

  async delete(criteria: Criteria<AnyRow>): Promise<number> {
    const conditions = this.#conditions(criteria)
    return this.#measured('delete', () => this.#gateway.deleteMany(conditions))
  }

  async deleteOne(criteria: Criteria<AnyRow>): Promise<boolean> {
    const conditions = this.#conditions(criteria)
    return (await this.#measured('deleteOne', () => this.#gateway.deleteOne(conditions))) !== null
  }

  async findOneAndDelete(criteria: Criteria<AnyRow>): Promise<AnyRow | null> {
    const conditions = this.#conditions(criteria)
    return this.#measured('findOneAndDelete', () => this.#gateway.deleteOne(conditions))
  }

  async count(criteria: Criteria<AnyRow> = {}): Promise<number> {
    const conditions = this.#conditions(criteria)
    return this.#measured('count', () => this.#gateway.count(conditions))
  }

  async exists(criteria: Criteria<AnyRow>): Promise<boolean> {
    const conditions = this.#conditions(criteria)
    return this.#measured('exists', () => this.#gateway.exists(conditions))
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
    if (typeof given !== 'function') return new PortableRepository(this.#entity, this.#host, given)
    const inside = (tx: Transaction) => given(new PortableRepository(this.#entity, this.#host, tx), tx)
    if (this.#tx === null) return this.#open(inside, options)
    if (options !== undefined) return Promise.reject(new InvalidFindOptions('options', 'none inside a transaction'))
    // Inside a transaction there is one already: what may be undone on its own is then a savepoint.
    return this.#tx.savepoint(inside)
  }

  async #open<T>(work: (tx: Transaction) => Promise<T>, options: unknown): Promise<T> {
    return this.#host.transaction(work, readTransactionOptions(this.#host, options))
  }

  #options(given: unknown): ParsedFindOptions {
    const options = parseFindOptions(this.#entity, given)
    if (!options.lock || this.#tx !== null) return options
    throw new InvalidFindOptions('lock', 'to be used inside a transaction, as it lasts until the transaction ends')
  }

  #conditions(criteria: unknown): readonly Condition[] {
    return parseCriteria(this.#entity, criteria, this.#host.ids)
  }

  #now(): number {
    return this.#host.clock.now()
  }

  #update(operation: string, conditions: readonly Condition[], changes: ParsedChanges): Promise<AnyRow | null> {
    return this.#measured(operation, () => this.#gateway.updateOne(conditions, changes))
  }

  async #first(conditions: readonly Condition[]): Promise<AnyRow | null> {
    const selection = { conditions, order: BY_ID, offset: 0, limit: 1 }
    const [row] = await this.#measured('updateOne', () => this.#gateway.select(selection))
    return row ?? null
  }

  async #relate(rows: readonly AnyRow[], relations: readonly string[]): Promise<void> {
    if (relations.length > 0) await this.#run(() => loadRelations(this.#entity, rows, relations, this.#host, this.#tx))
  }

  /** Failed operations count too: a database that times out is the slowest of all. */
  async #measured<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await this.#run(work)
    } finally {
      this.#host.flow.record(this.#entity.name, operation, performance.now() - start, this.#host.clock)
    }
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    return this.#tx === null ? work() : runOperation(this.#tx, work)
  }
}

/** The values of a row that an upsert would create: those of its key, and the given ones that agree with them. */
function withKey(key: Criteria<AnyRow>, values: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(values)) throw new InvalidValue('values', 'an object with the values of a row')
  const other = Object.keys(key).find((name) => {
    const given = Object.hasOwn(values, name) ? values[name] : undefined
    return given !== undefined && !isSame(given, key[name])
  })
  if (other !== undefined) throw new InvalidValue(other, 'the value that the criteria name')
  return { ...values, ...key }
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b
}
