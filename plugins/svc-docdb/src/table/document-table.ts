/**
 * A table of the storage port in one collection. Every operation is one command of the server, and so atomic; several
 * rows are inserted in one transaction, where the server has them.
 */
import type { Document, Filter } from 'mongodb'
import { UniqueViolation } from 'svc-stores'
import {
  type Change,
  type Condition,
  type ConditionValue,
  conditionsOf,
  keyOf,
  type Order,
  type PutOptions,
  rowMatcher,
  type Selection,
  type Table,
  type TablePlan,
  type Transaction,
  type Where
} from 'svc-stores/table'
import { onlyKnownKeys } from '../connection/storage-failure.ts'
import { NativeModelRequired } from '../errors.ts'
import type { OperationRunner, WithSession } from '../transactions/operation-runner.ts'
import { conditionFilter } from './condition-filter.ts'
import type { DocumentAccess, WriteOptions } from './document-access.ts'
import type { DocumentColumns } from './document-columns.ts'
import { changeUpdate, insertionUpdate, putUpdate } from './document-update.ts'
import { objectIds } from './object-ids.ts'

export interface DocumentTableParts {
  readonly runner: OperationRunner
  readonly columns: DocumentColumns
  readonly access: DocumentAccess
  /** `false`: no indexes were made, and a listing in an order would read the whole collection. */
  readonly indexed: boolean
}

export class DocumentTable<Row extends object> implements Table<Row> {
  readonly plan: TablePlan
  readonly #parts: DocumentTableParts
  readonly #runner: OperationRunner

  constructor(parts: DocumentTableParts) {
    this.plan = parts.columns.plan
    this.#parts = parts
    this.#runner = parts.runner
  }

  /** Defaults and hooks of a native class may change a row: it is then completed in place. */
  async insert(rows: readonly Row[]): Promise<void> {
    const { access, columns } = this.#parts
    if (rows.length === 0) return
    const write = async (within: WithSession) => {
      const standing = await access.insert(
        rows.map((row) => columns.toDocument(row)),
        within
      )
      for (const [index, document] of standing?.entries() ?? []) {
        Object.assign(rows[index] as Row, columns.toRow(document))
      }
    }
    return rows.length === 1 ? this.#runner.runOne(write) : this.#runner.together((runner) => runner.run(write))
  }

  async insertNew(rows: readonly Row[]): Promise<number> {
    const { access, columns } = this.#parts
    if (rows.length === 0) return 0
    if (this.#runner.inTransaction) return this.#insertAbsent(rows)
    return this.#runner.run(async () => {
      const documents = rows.map((row) => columns.toDocument(row))
      try {
        await access.insertEach(documents)
        return rows.length
      } catch (error) {
        const known = onlyKnownKeys(error, this.plan)
        if (known === null) throw error
        return rows.length - known
      }
    })
  }

  /** Of two that come at once the server refuses one: by then the other's row stands, and is answered. */
  async insertIfAbsent(row: Row, names: readonly (keyof Row & string)[]): Promise<Row> {
    const { access, columns } = this.#parts
    const filter = conditionFilter(columns, this.#same(row, names))
    const update = insertionUpdate(columns, row, names)
    try {
      return await this.#runner.runOne(async (within) => {
        const standing = await access.upsert(filter, update, within)
        return standing === null ? row : columns.toRow<Row>(standing)
      })
    } catch (error) {
      if (!(error instanceof UniqueViolation) || this.#runner.inTransaction) throw error
      const standing = await this.#runner.run((within) => access.findOne(filter, within))
      if (standing === null) throw error
      return columns.toRow<Row>(standing)
    }
  }

  /** The guard is part of the filter: where it does not hold the server can only insert, and refuses the key. */
  async put(row: Row, options: PutOptions<Row> = {}): Promise<Row | null> {
    const { access, columns } = this.#parts
    const key = this.#same(row, keyOf(this.plan) as readonly (keyof Row & string)[])
    const guard = options.guard === undefined ? [] : this.#conditions(options.guard)
    const refuses = async () => {
      if (guard.length === 0) return false
      const standing = await this.findOne(key)
      return standing !== null && !rowMatcher(guard)(standing)
    }
    const filter = conditionFilter(columns, [...key, ...guard])
    const update = putUpdate(columns, row, options)
    const write = () => this.#runner.runOne((within) => access.upsert(filter, update, within))
    // A refused key would end the transaction.
    if (this.#runner.inTransaction && (await refuses())) return null
    try {
      return this.#rowOf(await write())
    } catch (error) {
      if (!(error instanceof UniqueViolation) || this.#runner.inTransaction) throw error
      if (await refuses()) return null
      // Another one inserted the row first: now it is there to be replaced.
      return this.#rowOf(await write())
    }
  }

  async find(where: Where<Row>, selection: Selection<Row> = {}): Promise<Row[]> {
    const { access, columns, indexed } = this.#parts
    const { order, limit, offset = 0, without = [], lock = false } = selection
    if (order !== undefined && !indexed) throw new NativeModelRequired(this.plan.collection ?? this.plan.name)
    const conditions = this.#conditions(where)
    const filter = conditionFilter(columns, conditions)
    const options = {
      ...(!columns.namesOneRow(conditions) && { sort: columns.sort(order) }),
      ...(offset > 0 && { skip: offset }),
      ...(limit !== undefined && { limit }),
      ...(without.length > 0 && { projection: columns.projection(without) })
    }
    return this.#runner.run(async (within) => {
      const found = await access.find(filter, { ...options, ...within })
      if (lock && within.session !== undefined) await access.lock(found, within.session)
      return found.map((document) => columns.toRow<Row>(document, without))
    })
  }

  async findOne(where: Where<Row>): Promise<Row | null> {
    const { access, columns } = this.#parts
    const conditions = this.#conditions(where)
    const filter = conditionFilter(columns, conditions)
    const first = this.#first(conditions)
    return this.#rowOf(await this.#runner.run((within) => access.findOne(filter, { ...first, ...within })))
  }

  async count(where: Where<Row>): Promise<number> {
    const filter = conditionFilter(this.#parts.columns, this.#conditions(where))
    return this.#runner.run((within) => this.#parts.access.count(filter, within))
  }

  async exists(where: Where<Row>): Promise<boolean> {
    const filter = conditionFilter(this.#parts.columns, this.#conditions(where))
    return this.#runner.run((within) => this.#parts.access.exists(filter, within))
  }

  async counts<Name extends string>(
    where: Where<Row>,
    parts: Readonly<Record<Name, Where<Row>>>
  ): Promise<Readonly<Record<Name | 'total', number>>> {
    const all = this.#conditions(where)
    const named = Object.entries<Where<Row>>(parts).map(
      ([name, part]) => [name, [...all, ...this.#conditions(part)]] as const
    )
    const counting = [['total', all] as const, ...named].map(
      async ([name, conditions]) => [name, await this.count(conditions)] as const
    )
    return Object.fromEntries(await Promise.all(counting)) as Record<Name | 'total', number>
  }

  async update(where: Where<Row>, change: Change<Row>): Promise<number> {
    const { access, columns } = this.#parts
    const conditions = this.#conditions(where)
    const update = changeUpdate(columns, change)
    if (isEmpty(update)) return this.count(conditions)
    const filter = conditionFilter(columns, conditions)
    const one = columns.namesOneRow(conditions)
    const write = (within: WithSession) => access.update(filter, update, within, one)
    return one ? this.#runner.runOne(write) : this.#runner.run(write)
  }

  async updateOne(where: Where<Row>, change: Change<Row>): Promise<Row | null> {
    const { access, columns } = this.#parts
    const conditions = this.#conditions(where)
    const update = changeUpdate(columns, change)
    if (isEmpty(update)) return this.findOne(conditions)
    const filter = conditionFilter(columns, conditions)
    const first = this.#first(conditions)
    return this.#rowOf(await this.#runner.runOne((within) => access.updateOne(filter, update, { ...first, ...within })))
  }

  async delete(where: Where<Row>, atMost?: number): Promise<number> {
    const { access, columns } = this.#parts
    const filter = conditionFilter(columns, this.#conditions(where))
    if (atMost === undefined) return this.#runner.run((within) => access.deleteMany(filter, within))
    for (let removed = 0; ; ) {
      const options = { limit: atMost - removed, projection: { _id: 1 } }
      const found = await this.#runner.run((within) => access.find(filter, { ...options, ...within }))
      if (found.length === 0) return removed
      const among = both(filter, { _id: { $in: found.map(({ _id }) => _id as never) } })
      removed += await this.#runner.run((within) => access.deleteMany(among, within))
      if (removed === atMost || found.length < options.limit) return removed
    }
  }

  async deleteOne(where: Where<Row>): Promise<Row | null> {
    const { access, columns } = this.#parts
    const conditions = this.#conditions(where)
    const filter = conditionFilter(columns, conditions)
    const first = this.#first(conditions)
    return this.#rowOf(await this.#runner.runOne((within) => access.deleteOne(filter, { ...first, ...within })))
  }

  /** One after another: each is one command, which finds and changes. */
  async claim(where: Where<Row>, change: Change<Row>, limit: number, order?: Order): Promise<Row[]> {
    const { access, columns } = this.#parts
    const filter = conditionFilter(columns, this.#conditions(where))
    const update = changeUpdate(columns, change)
    const sort = columns.sort(order)
    const claimed: Document[] = []
    while (claimed.length < limit) {
      // The change need not take a row out of what the conditions match.
      const others = { _id: { $nin: claimed.map(({ _id }) => _id as never) } }
      const unclaimed = claimed.length === 0 ? filter : both(filter, others)
      const document = await this.#runner.runOne((within) => access.updateOne(unclaimed, update, { sort, ...within }))
      if (document === null) break
      claimed.push(document)
    }
    return claimed.map((document) => columns.toRow<Row>(document))
  }

  within(tx: Transaction): DocumentTable<Row> {
    return new DocumentTable({ ...this.#parts, runner: this.#runner.within(tx) })
  }

  /** Inside a transaction, which a refused key would end. */
  async #insertAbsent(rows: readonly Row[]): Promise<number> {
    const key = keyOf(this.plan) as readonly (keyof Row & string)[]
    const keyText = (row: Row) => JSON.stringify(key.map((name) => row[name]))
    const standing = await this.find([{ operator: 'any', of: rows.map((row) => this.#same(row, key)) }])
    const known = new Set(standing.map(keyText))
    const absent = rows.filter((row) => !known.has(keyText(row)) && known.add(keyText(row)))
    await this.insert(absent)
    return absent.length
  }

  #conditions(where: Where<Row>): readonly Condition[] {
    return conditionsOf(this.plan, where, objectIds)
  }

  /** Rows that hold the same in these columns. */
  #same(row: Row, names: readonly (keyof Row & string)[]): readonly Condition[] {
    return names.map((field) => ({ field, operator: 'eq', value: row[field] as ConditionValue }))
  }

  /** Of several matches the first by key. */
  #first(conditions: readonly Condition[]): WriteOptions {
    const { columns } = this.#parts
    return columns.namesOneRow(conditions) ? {} : { sort: columns.sort() }
  }

  #rowOf(document: Document | null): Row | null {
    return document === null ? null : this.#parts.columns.toRow<Row>(document)
  }
}

function both(one: Filter<Document>, other: Filter<Document>): Filter<Document> {
  return { $and: [one, other] }
}

function isEmpty(update: object): boolean {
  return Object.keys(update).length === 0
}
