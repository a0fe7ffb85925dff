/**
 * A table of the storage port in one collection. Every operation is one command of the server, and so atomic; several
 * rows are inserted in one transaction where a unique index may refuse one of them and the server has transactions.
 */
import type { Document } from 'mongodb'
import { UniqueViolation } from 'svc-stores'
import {
  type Change,
  type Condition,
  conditionsOf,
  type FirstOfEach,
  type Group,
  type Grouping,
  type Merge,
  type Order,
  type PutOptions,
  type RowLock,
  reachedNames,
  type Selection,
  type Table,
  type TablePlan,
  type Transaction,
  type Where
} from 'svc-stores/table'
import { NativeModelRequired } from '../errors.ts'
import { changedUnique } from '../schema/collection-indexes.ts'
import type { OperationRunner, WithSession } from '../transactions/operation-runner.ts'
import { claimDocuments } from './claimed-documents.ts'
import { afterFilter, conditionFilter } from './condition-filter.ts'
import type { DocumentAccess, WriteOptions } from './document-access.ts'
import { objectIds } from './document-columns.ts'
import { changeUpdate, isEmpty } from './document-update.ts'
import { firstOfEach } from './first-of-each.ts'
import { groupInPasses, isOnePass } from './group-passes.ts'
import { readGroups } from './group-pipeline.ts'
import { hasJoinedKeys, JoinedOrder } from './joined-order.ts'
import { resolvedConditions } from './related-documents.ts'
import { type CollectionParts, RowInserts } from './row-inserts.ts'
import { mergeDocuments } from './row-merge.ts'

export interface DocumentTableParts extends CollectionParts {
  /** `false`: no indexes were made, and a listing in an order would read the whole collection. */
  readonly indexed: boolean
  /** Another table of the database. */
  readonly tableOf: (plan: TablePlan) => DocumentTable<object>
  /** The transaction that its operations run in. */
  readonly tx: Transaction | null
}

export class DocumentTable<Row extends object> implements Table<Row> {
  readonly plan: TablePlan
  readonly #parts: DocumentTableParts
  readonly #runner: OperationRunner
  readonly #inserts: RowInserts<Row>

  constructor(parts: DocumentTableParts) {
    this.plan = parts.columns.plan
    this.#parts = parts
    this.#runner = parts.runner
    this.#inserts = new RowInserts<Row>(parts)
  }

  /** The same table, whose operations go elsewhere. */
  readingBy(access: DocumentAccess): DocumentTable<Row> {
    return new DocumentTable<Row>({ ...this.#parts, access })
  }

  insert(rows: readonly Row[]): Promise<void> {
    return this.#inserts.insert(rows)
  }

  insertNew(rows: readonly Row[]): Promise<number> {
    return this.#inserts.insertNew(rows)
  }

  insertIfAbsent(row: Row, columns: readonly (keyof Row & string)[]): Promise<Row> {
    return this.#inserts.insertIfAbsent(row, columns)
  }

  put(row: Row, options: PutOptions<Row> = {}): Promise<Row | null> {
    return this.#inserts.put(row, options)
  }

  merge(rows: readonly Row[], merge: Merge<Row>): Promise<Row[]> {
    return this.#runner.together((runner) => {
      const parts = { ...this.#parts, runner }
      return mergeDocuments({ ...parts, table: new DocumentTable<Row>(parts) }, rows, merge)
    })
  }

  async find(where: Where<Row>, selection: Selection<Row> = {}): Promise<Row[]> {
    const { access, columns, indexed } = this.#parts
    const { order, limit, offset = 0, each, without = [], lock } = selection
    if (each !== undefined) return this.#firstOfEach(where, each, selection)
    if (order !== undefined && !indexed) throw new NativeModelRequired(this.plan.collection ?? this.plan.name)
    const conditions = await this.#conditions(where)
    if (order !== undefined && hasJoinedKeys(order)) return this.#joined(conditions, order, selection)
    const filter = conditionFilter(columns, conditions)
    const options = {
      ...(!columns.namesOneRow(conditions) && { sort: columns.sort(order) }),
      ...(offset > 0 && { skip: offset }),
      ...(limit !== undefined && { limit }),
      ...(without.length > 0 && { projection: columns.projection(without) })
    }
    const documents = await this.#locking(lock, (within) => access.find(filter, { ...options, ...within }))
    return documents.map((document) => columns.toRow<Row>(document, without))
  }

  /** In an order by what other collections have. */
  async #joined(
    conditions: readonly Condition[],
    order: Order,
    { limit, offset = 0, without = [], lock }: Selection<Row>
  ): Promise<Row[]> {
    const { access, columns } = this.#parts
    const joined = this.#joinedOrder(order)
    const own = conditions.filter(({ operator }) => operator !== 'after')
    const places = conditions.filter((condition) => condition.operator === 'after')
    const pipeline = [
      { $match: conditionFilter(columns, own) },
      ...joined.stages,
      ...places.map((place) => ({ $match: afterFilter(place, (key, value) => joined.placed(key, value)) })),
      { $sort: joined.sort },
      ...(offset > 0 ? [{ $skip: offset }] : []),
      ...(limit === undefined ? [] : [{ $limit: limit }]),
      ...(without.length > 0 ? [{ $project: columns.projection(without) }] : [])
    ]
    const documents = await this.#locking(lock, (within) => access.aggregate(pipeline, within))
    return documents.map((document) => ({ ...columns.toRow<Row>(document, without), ...joined.carried(document) }))
  }

  #locking(lock: RowLock | undefined, find: (within: WithSession) => Promise<Document[]>): Promise<Document[]> {
    return this.#runner.run(async (within) => {
      const found = await find(within)
      if (lock !== undefined && within.session !== undefined) await this.#parts.access.lock(found, within.session)
      return found
    })
  }

  #joinedOrder(order: Order): JoinedOrder {
    return new JoinedOrder(this.#parts.columns, order, (plan) => {
      const { access, columns } = this.#parts.tableOf(plan).#parts
      return { name: access.name, columns }
    })
  }

  /** One after the other within a transaction, which is one conversation with the server. */
  async #firstOfEach(where: Where<Row>, each: FirstOfEach, { order, without }: Selection<Row>): Promise<Row[]> {
    const conditions = await this.#conditions(where)
    const selection = { limit: each.limit, ...(order && { order }), ...(without && { without }) }
    const findOf = (own: Condition) => this.find([own, ...conditions], selection)
    return firstOfEach(each, findOf, this.#parts.tx === null)
  }

  async findOne(where: Where<Row>): Promise<Row | null> {
    const { access, columns } = this.#parts
    const conditions = await this.#conditions(where)
    const filter = conditionFilter(columns, conditions)
    const first = this.#first(conditions)
    return this.#rowOf(await this.#runner.run((within) => access.findOne(filter, { ...first, ...within })))
  }

  async count(where: Where<Row>): Promise<number> {
    const filter = conditionFilter(this.#parts.columns, await this.#conditions(where))
    return this.#runner.run((within) => this.#parts.access.count(filter, within))
  }

  async exists(where: Where<Row>): Promise<boolean> {
    const filter = conditionFilter(this.#parts.columns, await this.#conditions(where))
    return this.#runner.run((within) => this.#parts.access.exists(filter, within))
  }

  async counts<Name extends string>(
    where: Where<Row>,
    parts: Readonly<Record<Name, Where<Row>>>
  ): Promise<Readonly<Record<Name | 'total', number>>> {
    const all = await this.#conditions(where)
    const named = Object.entries<Where<Row>>(parts).map(
      ([name, part]) => [name, [...all, ...conditionsOf(this.plan, part, objectIds)]] as const
    )
    const counting = [['total', all] as const, ...named].map(
      async ([name, conditions]) => [name, await this.count(conditions)] as const
    )
    return Object.fromEntries(await Promise.all(counting)) as Record<Name | 'total', number>
  }

  async group(where: Where<Row>, grouping: Grouping): Promise<Group[]> {
    const conditions = await this.#conditions(where)
    if (isOnePass(grouping)) return this.#groups(this.#runner, conditions, grouping)
    return this.#runner.together((runner) =>
      groupInPasses(grouping, async (pass) => {
        return this.#groups(runner, [...conditions, ...(await this.#conditions(pass.where))], pass.grouping)
      })
    )
  }

  async update(where: Where<Row>, change: Change<Row>): Promise<number> {
    const { access, columns } = this.#parts
    const conditions = await this.#conditions(where)
    const update = changeUpdate(columns, change)
    if (isEmpty(update)) return this.count(conditions)
    const filter = conditionFilter(columns, conditions)
    const one = columns.namesOneRow(conditions)
    const write = (within: WithSession) => access.update(filter, update, within, one)
    return this.#changing(change, () => (one ? this.#runner.runOne(write) : this.#runner.run(write)))
  }

  async updateOne(where: Where<Row>, change: Change<Row>): Promise<Row | null> {
    const { access, columns } = this.#parts
    const conditions = await this.#conditions(where)
    const update = changeUpdate(columns, change)
    if (isEmpty(update)) return this.findOne(conditions)
    const filter = conditionFilter(columns, conditions)
    const first = this.#first(conditions)
    const write = (within: WithSession) => access.updateOne(filter, update, { ...first, ...within })
    return this.#rowOf(await this.#changing(change, () => this.#runner.runOne(write)))
  }

  async delete(where: Where<Row>, atMost?: number): Promise<number> {
    const { access, columns } = this.#parts
    const filter = conditionFilter(columns, await this.#conditions(where))
    if (atMost === undefined) return this.#runner.run((within) => access.deleteMany(filter, within))
    for (let removed = 0; ; ) {
      const options = { limit: atMost - removed, projection: { _id: 1 } }
      const found = await this.#runner.run((within) => access.find(filter, { ...options, ...within }))
      if (found.length === 0) return removed
      const among = { $and: [filter, { _id: { $in: found.map(({ _id }) => _id as never) } }] }
      removed += await this.#runner.run((within) => access.deleteMany(among, within))
      if (removed === atMost || found.length < options.limit) return removed
    }
  }

  async deleteOne(where: Where<Row>): Promise<Row | null> {
    const { access, columns } = this.#parts
    const conditions = await this.#conditions(where)
    const filter = conditionFilter(columns, conditions)
    const first = this.#first(conditions)
    return this.#rowOf(await this.#runner.runOne((within) => access.deleteOne(filter, { ...first, ...within })))
  }

  async claim(where: Where<Row>, change: Change<Row>, limit: number, order?: Order): Promise<Row[]> {
    const { columns } = this.#parts
    const filter = conditionFilter(columns, await this.#conditions(where))
    const update = changeUpdate(columns, change)
    const sort = columns.sort(order)
    const claimed = await claimDocuments(this.#parts, { filter, update, sort }, limit)
    return claimed.map((document) => columns.toRow<Row>(document))
  }

  within(tx: Transaction): DocumentTable<Row> {
    return new DocumentTable({ ...this.#parts, runner: this.#runner.within(tx), tx })
  }

  #groups(runner: OperationRunner, conditions: readonly Condition[], grouping: Grouping): Promise<Group[]> {
    const { columns, access } = this.#parts
    const { reached } = grouping
    const joined = reached === undefined ? null : this.#joinedOrder(reachedNames(reached))
    return readGroups({ columns, conditions, joined }, grouping, (pipeline) =>
      runner.run((within) => access.aggregate(pipeline, within))
    )
  }

  /** What belongs in other collections is found first: the server joins none while it changes documents. */
  #conditions(where: Where<Row>): Promise<readonly Condition[]> {
    const conditions = conditionsOf(this.plan, where, objectIds)
    const { tableOf, tx } = this.#parts
    return resolvedConditions(conditions, this as unknown as Table<object>, (plan) => {
      const other = tableOf(plan)
      return tx === null ? other : other.within(tx)
    })
  }

  /** Some servers say of a refused update neither the pattern nor the name of the index. */
  async #changing<T>(change: Change<Row>, write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof UniqueViolation) || error.fields.length > 0) throw error
      throw new UniqueViolation(error.entity, changedUnique(this.plan, change))
    }
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
