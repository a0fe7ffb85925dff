/** What puts rows into a collection: by themselves, unless one is there, or in the place of one. */
import type { Document, Filter } from 'mongodb'
import { TransactionConflict, UniqueViolation } from 'svc-stores'
import {
  type Change,
  type Condition,
  type ConditionValue,
  conditionsOf,
  keyOf,
  type PutOptions,
  rowMatcher,
  rowsOfIndex,
  type TablePlan,
  uniqueIndexOf,
  type Where
} from 'svc-stores/table'
import { onlyKnownKeys } from '../connection/storage-failure.ts'
import { losingRaces } from '../transactions/lost-race.ts'
import { ATTEMPTS, type OperationRunner, type WithSession } from '../transactions/operation-runner.ts'
import { conditionFilter } from './condition-filter.ts'
import type { DocumentAccess } from './document-access.ts'
import { type DocumentColumns, objectIds } from './document-columns.ts'
import { changeUpdate, insertionUpdate, isEmpty, putUpdate } from './document-update.ts'
import { EqualRows } from './equal-rows.ts'

export interface CollectionParts {
  readonly runner: OperationRunner
  readonly columns: DocumentColumns
  readonly access: DocumentAccess
  /** Several documents are inserted by one command, of which nothing but a key can be refused. */
  readonly insertsAtOnce: boolean
}

export class RowInserts<Row extends object> {
  readonly #plan: TablePlan
  readonly #key: readonly string[]
  readonly #parts: CollectionParts
  #equal: EqualRows | null = null

  constructor(parts: CollectionParts) {
    this.#plan = parts.columns.plan
    this.#key = keyOf(this.#plan)
    this.#parts = parts
  }

  /** Defaults and hooks of a native class may change a row: it is then completed in place. */
  insert(rows: readonly Row[]): Promise<void> {
    return this.#insert(rows, async () => null)
  }

  /** @param holder reads the row of which others may hold the key */
  async #insert(rows: readonly Row[], holder: () => Promise<unknown>): Promise<void> {
    const { access, columns, runner, insertsAtOnce } = this.#parts
    if (rows.length === 0) return
    const write = async (within: WithSession) => {
      const documents = rows.map((row) => columns.toDocument(row))
      const standing = await losingRaces(within, () => access.insert(documents, within), holder)
      for (const [index, document] of standing?.entries() ?? []) {
        Object.assign(rows[index] as Row, columns.toRow(document))
      }
    }
    const [row] = rows
    if (rows.length === 1 && row !== undefined) {
      if (insertsAtOnce || runner.inTransaction) return runner.runOne(write)
      this.#equal ??= new EqualRows(this.#plan)
      return this.#equal.inTurn(row, () => runner.runOne(write))
    }
    // A transaction is another command, and what it costs: it is for rows that others may well stand against.
    return insertsAtOnce ? runner.run(write) : runner.together((together) => together.run(write))
  }

  async insertNew(rows: readonly Row[]): Promise<number> {
    const { access, columns, runner } = this.#parts
    if (rows.length === 0) return 0
    if (runner.inTransaction) return this.#insertAbsent(rows)
    return runner.run(async () => {
      const documents = rows.map((row) => columns.toDocument(row))
      try {
        await access.insertEach(documents)
        return rows.length
      } catch (error) {
        const known = onlyKnownKeys(error, this.#plan)
        if (known === null) throw error
        return rows.length - known
      }
    })
  }

  /** Of two that come at once the server refuses one, or lets it lose: by then the other's row stands, and is answered. */
  async insertIfAbsent(row: Row, names: readonly string[]): Promise<Row> {
    const { access, columns, runner } = this.#parts
    const of = this.#besides(row, names)
    const filter = conditionFilter(columns, [...sameValues(row, names), ...of])
    const update = insertionUpdate(columns, row, names)
    const write = (within: WithSession) => {
      const upsert = () =>
        of.length === 0 ? access.upsert(filter, update, within) : this.#foundOrInserted(row, filter, within)
      return losingRaces(within, upsert, () => access.findOne(filter, {}))
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return columns.toRow<Row>(await runner.run(write))
      } catch (error) {
        const lost = error instanceof TransactionConflict
        if (runner.inTransaction || !(lost || error instanceof UniqueViolation)) throw error
        const standing = await runner.run((within) => access.findOne(filter, within))
        if (standing !== null) return columns.toRow<Row>(standing)
        if (!lost || attempt === ATTEMPTS) throw error
      }
    }
  }

  /** What the rows of the unique index over these columns meet besides. */
  #besides(row: Row, names: readonly string[]): readonly Condition[] {
    const index = uniqueIndexOf(this.#plan, names, row)
    return index === undefined ? [] : rowsOfIndex(index).filter((each) => !names.includes(each.field))
  }

  /** An upsert would write what its filter asks for, null included. */
  async #foundOrInserted(row: Row, filter: Filter<Document>, within: WithSession): Promise<Document> {
    const { access, columns } = this.#parts
    const standing = await access.findOne(filter, within)
    if (standing !== null) return standing
    const document = columns.toDocument(row)
    const made = await access.insert([document], within)
    return made?.[0] ?? document
  }

  /** The guard is part of the filter: where it does not hold the server can only insert, and refuses the key. */
  async put(row: Row, options: PutOptions<Row>): Promise<Row | null> {
    const { change, by = this.#key } = options
    if (change !== undefined) return this.#changeOrInsert(row, change, by, options.guard)
    const { access, columns, runner } = this.#parts
    const key = sameValues(row, this.#key)
    const guard = options.guard === undefined ? [] : conditionsOf(this.#plan, options.guard, objectIds)
    const filter = conditionFilter(columns, [...key, ...guard])
    const update = putUpdate(columns, row, options)
    const upsert = (within: WithSession) =>
      losingRaces(within, () => access.upsert(filter, update, within), this.#holder(key))
    const write = async () => columns.toRow<Row>(await runner.runOne(upsert))
    const isRefused = async () => {
      const [standing] = guard.length === 0 ? [] : await this.#standing(key)
      return standing !== undefined && !rowMatcher(guard)(columns.toRow(standing))
    }
    // A refused key would end the transaction.
    if (runner.inTransaction && (await isRefused())) return null
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof UniqueViolation) || runner.inTransaction) throw error
      if (await isRefused()) return null
      // Another one inserted the row first: now it is there to be replaced.
      return write()
    }
  }

  /** Two commands where the row is new: the server computes on no document that it only now inserts. */
  async #changeOrInsert(
    row: Row,
    change: Change<Row>,
    by: readonly string[],
    where: Where<Row> | undefined
  ): Promise<Row | null> {
    const { access, columns, runner } = this.#parts
    const key = [...sameValues(row, by), ...this.#besides(row, by)]
    const guard = conditionsOf(this.#plan, where ?? [], objectIds)
    const filter = conditionFilter(columns, [...key, ...guard])
    const update = changeUpdate(columns, change)
    for (let attempt = 1; ; attempt += 1) {
      const changed = await runner.runOne((within) =>
        isEmpty(update) ? access.findOne(filter, within) : access.updateOne(filter, update, within)
      )
      if (changed !== null) return columns.toRow<Row>(changed)
      if (guard.length > 0 && (await this.#standing(key)).length > 0) return null
      try {
        await this.#insert([row], this.#holder(key))
        return columns.toRow<Row>(columns.toDocument(row))
      } catch (error) {
        const isKnown = error instanceof UniqueViolation || error instanceof TransactionConflict
        if (runner.inTransaction || !isKnown || attempt === ATTEMPTS) throw error
        // Another one inserted it first, or another index refuses it.
        if (error instanceof UniqueViolation && (await this.#standing(key)).length === 0) throw error
      }
    }
  }

  /** Inside a transaction, which a refused key would end. */
  async #insertAbsent(rows: readonly Row[]): Promise<number> {
    const keyText = (row: Row) => JSON.stringify(sameValues(row, this.#key))
    const among = (some: readonly Row[]): readonly Condition[] => {
      return [{ operator: 'any', of: some.map((row) => sameValues(row, this.#key)) }]
    }
    const standing = await this.#standing(among(rows))
    const known = new Set(standing.map((document) => keyText(this.#parts.columns.toRow(document))))
    const absent = rows.filter((row) => !known.has(keyText(row)) && known.add(keyText(row)))
    await this.#insert(absent, this.#holder(among(absent)))
    return absent.length
  }

  /** Outside of a transaction. */
  #holder(conditions: readonly Condition[]): () => Promise<unknown> {
    const { access, columns } = this.#parts
    return () => access.findOne(conditionFilter(columns, conditions), {})
  }

  #standing(conditions: readonly Condition[]): Promise<Document[]> {
    const { access, columns, runner } = this.#parts
    const filter = conditionFilter(columns, conditions)
    return runner.run((within) => access.find(filter, within))
  }
}

/** Rows that hold the same as this one in these columns. */
function sameValues(row: object, names: readonly string[]): readonly Condition[] {
  const held = row as Readonly<Record<string, ConditionValue>>
  return names.map((field) => ({ field, operator: 'eq', value: held[field] as ConditionValue }))
}
