/** `Table` over rows in memory: what conditions, orders and changes mean comes from `svc-stores/table`. */

import type { Change, Condition, Order, PutOptions, Selection, Table, TablePlan, Where } from 'svc-stores/table'
import { changedRow, conditionsOf, copyRow, groupRows, keyOf, rowMatcher, selectedRows } from 'svc-stores/table'
import { FileTransaction, type TransactionSource } from './file-transaction.ts'
import type { Row, RowsDraft } from './rows-draft.ts'

export class FileTable implements Table<Row> {
  readonly plan: TablePlan
  readonly #source: TransactionSource
  readonly #tx: FileTransaction | null
  readonly #byKey: Order
  readonly count = async (where: Where<Row>) => (await this.counts(where, {})).total
  readonly exists = async (where: Where<Row>) => (await this.count(where)) > 0
  readonly findOne = async (where: Where<Row>) => (await this.find(where, { limit: 1 }))[0] ?? null
  readonly update: Table<Row>['update'] = async (where, change) => (await this.claim(where, change)).length
  readonly updateOne: Table<Row>['updateOne'] = async (where, change) => (await this.claim(where, change, 1))[0] ?? null
  readonly delete: Table<Row>['delete'] = async (where, atMost) => (await this.#remove(where, atMost)).length
  readonly deleteOne = async (where: Where<Row>) => (await this.#remove(where, 1))[0] ?? null
  readonly within: Table<Row>['within'] = (tx) =>
    new FileTable(this.plan, this.#source, FileTransaction.of(tx, this.#source))
  readonly group: Table<Row>['group'] = (where, grouping) =>
    this.#read((draft) => groupRows(this.#selected(draft, where), grouping, draft.rowsOf))

  constructor(plan: TablePlan, source: TransactionSource, tx: FileTransaction | null = null) {
    this.plan = plan
    this.#source = source
    this.#tx = tx
    this.#byKey = keyOf(plan).map((field) => ({ field, direction: 'ASC' }))
  }

  insert(rows: readonly Row[]): Promise<void> {
    return this.#write((draft) => {
      for (const row of rows) draft.insert(row)
    })
  }

  insertNew(rows: readonly Row[]): Promise<number> {
    return this.#write((draft) => {
      const before = draft.rows.size
      for (const row of rows) if (draft.get(row) === undefined) draft.insert(row)
      return draft.rows.size - before
    })
  }

  insertIfAbsent(row: Row, columns: readonly string[]): Promise<Row> {
    return this.#write((draft) => {
      const holder = draft.holder(row, columns)
      if (holder === undefined) draft.insert(row)
      return copyRow(holder ?? row)
    })
  }

  put(row: Row, { guard, keep = [], max = [], change, by }: PutOptions<Row> = {}): Promise<Row | null> {
    return this.#write((draft) => {
      const held = by === undefined ? draft.get(row) : draft.holder(row, by)
      if (held !== undefined && guard !== undefined && !this.#matcher(draft, guard)(held)) return null
      const part = (names: readonly string[]) =>
        Object.fromEntries(held === undefined ? [] : names.map((name) => [name, held[name]]))
      const put = () => changedRow<Row>(this.plan, { ...row, ...part(keep) }, { max: part(max) } as Change<Row>)
      const next = held === undefined || change === undefined ? put() : changedRow(this.plan, held, change)
      draft[held === undefined ? 'insert' : 'put'](next)
      return copyRow(next)
    })
  }

  /** `lock` asks for nothing here: transactions run one after the other. */
  find(where: Where<Row>, selection: Selection<Row> = {}): Promise<Row[]> {
    return this.#read((draft) => this.#selected(draft, where, selection))
  }

  counts<Name extends string>(
    where: Where<Row>,
    parts: Readonly<Record<Name, Where<Row>>>
  ): Promise<Readonly<Record<Name | 'total', number>>> {
    return this.#read((draft) => {
      const found = this.#selected(draft, where)
      const size = (part: Where<Row>) => found.filter(this.#matcher(draft, part)).length
      const counted = Object.entries<Where<Row>>(parts).map(([name, part]) => [name, size(part)])
      return Object.fromEntries([['total', found.length], ...counted])
    })
  }

  /** Writers come one after the other, so that nobody else can be claiming a row. */
  claim(where: Where<Row>, change: Change<Row>, limit?: number, order?: Order): Promise<Row[]> {
    return this.#write((draft) => {
      const first = this.#selected(draft, where, order && { order }).slice(0, limit)
      const changed = first.map((row) => changedRow(this.plan, row, change))
      for (const row of changed) draft.put(row)
      return changed.map((row) => copyRow(row))
    })
  }

  #remove(where: Where<Row>, atMost: number | undefined): Promise<readonly Row[]> {
    return this.#write((draft) => {
      const removed = this.#selected(draft, where).slice(0, atMost)
      for (const row of removed) draft.remove(row)
      return removed
    })
  }

  #selected(draft: RowsDraft, where: Where<Row>, selection: Selection<Row> = {}): Row[] {
    const matching = (asked: readonly Condition[]) => [...draft.rows.values()].filter(rowMatcher(asked, draft.rowsOf))
    const conditions = conditionsOf(this.plan, where, this.#source.ids)
    return selectedRows(matching, conditions, { order: this.#byKey, ...selection }, draft.rowsOf)
  }

  #matcher(draft: RowsDraft, where: Where<Row>): (row: Row) => boolean {
    return rowMatcher(conditionsOf(this.plan, where, this.#source.ids), draft.rowsOf)
  }

  async #read<T>(operation: (draft: RowsDraft) => T): Promise<T> {
    return (this.#tx ?? this.#source.snapshot()).run(this.plan, operation)
  }

  async #write<T>(operation: (draft: RowsDraft) => T): Promise<T> {
    if (this.#tx !== null) return this.#tx.run(this.plan, operation)
    return this.#source.transaction((tx) => tx.run(this.plan, operation))
  }
}
