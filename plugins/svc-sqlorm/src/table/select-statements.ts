/** Statements that find rows: in an order, by page, or the first of each of some values. */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Condition, CountedRows, FirstOfEach, Order, RelatedCondition, RowLock, TablePlan } from 'svc-stores/table'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'
import type { CompiledStatements } from './compiled-statements.ts'
import type { ConditionSql } from './condition-sql.ts'
import type { OrderSql } from './order-sql.ts'
import { RANK, RankedSql, rankedKey } from './ranked-sql.ts'
import { reachedColumn, reachedJoins, reachedKeys, reachedParameters } from './reached-sql.ts'
import {
  asText,
  decodedColumns,
  decodedRow,
  namesOf,
  readable,
  readRow,
  refs,
  selected,
  type TableColumn,
  withoutColumns
} from './table-columns.ts'

type Sql = RawBuilder<unknown>

/** The rows whose related rows are counted. */
const PAGE = 'rows of page'

const NONE: readonly CountedRows[] = []

export interface SelectedRows {
  readonly conditions: readonly Condition[]
  readonly order: Order
  readonly limit: number | null
  readonly offset: number
  readonly lock: RowLock | null
  /** Columns that are not read. */
  readonly without: readonly string[]
  readonly each: FirstOfEach | null
  readonly counted?: readonly CountedRows[]
}

type ReadRows = Pick<SelectedRows, 'without' | 'order' | 'counted'>

export interface SelectParts {
  readonly plan: TablePlan
  /** Those of the plan. */
  readonly columns: readonly TableColumn[]
  /** Those of the table. */
  readonly present: readonly TableColumn[]
  readonly engine: SqlEngine
  /** What finds a row in the least time: a number of it, or its key. */
  readonly rowKey: readonly string[]
  readonly compiled: CompiledStatements
  readonly reading: ConditionSql
  readonly writing: ConditionSql
  readonly order: OrderSql
}

export class SelectStatements {
  readonly #parts: SelectParts
  readonly #name: string
  readonly #table: Sql
  /** The columns of a row, without those that searches read. */
  readonly #all: Sql
  /** What is done for each row; `null` where the table has not all columns. */
  readonly #decoded: readonly TableColumn[] | null
  /** The same as the table holds them. */
  readonly #own: Sql

  constructor(parts: SelectParts) {
    this.#parts = parts
    this.#name = parts.plan.name
    this.#table = sql.table(parts.plan.name)
    this.#all = selected(parts.present)
    this.#decoded = parts.present.length < parts.columns.length ? null : decodedColumns(parts.present)
    this.#own = refs(parts.present.flatMap(namesOf))
  }

  select(rows: SelectedRows): CompiledQuery {
    if (rows.each !== null) return this.#each(rows, rows.each)
    const { order, limit, offset, lock, without, counted = NONE } = rows
    const { compiled, reading, writing, order: orders } = this.#parts
    const found = lock === null ? reading : writing
    const ranked = this.#ranked(order)
    const conditions = ranked === null ? rows.conditions : ranked.others(rows.conditions)
    const isReaching = ranked !== null || reachedKeys(order).length > 0
    const single = offset === 0 && !isReaching && found.isSingle(conditions)
    const bounds = single ? '' : `${orders.shape(order)} ${limit === null ? 0 : 1} ${offset === 0 ? 0 : 1}`
    const isPage = limit !== null || offset !== 0
    const related = counted.map((each) => each.rows)
    const counts = counted.length === 0 ? '' : ` counted${found.shape(related)}:`
    const shape = `select ${lock} ${without.join()} ${bounds}${counts}${writing.shape(conditions)}`
    const query = compiled.get(shape, () => {
      const where = found.where(conditions, isReaching ? this.#name : undefined)
      const table = ranked === null ? this.#table : ranked.from(this.#table)
      const from = isReaching ? sql`${table}${reachedJoins(order, this.#name)}` : table
      const bounded = this.#bounds(rows, single)
      if (counted.length === 0) return sql`select ${this.#columns(without, order)} from ${from}${where}${bounded}`
      // Counted for the page alone: SQLite may look at all rows to sort them.
      if (!isPage && !isReaching)
        return sql`${this.#counting(without, related, this.#name)} from ${from}${where}${bounded}`
      const page = sql`select ${this.#own} from ${from}${where}${bounded}`
      const sorted = single ? sql`` : orders.sql(order, PAGE)
      return sql`${this.#counting(without, related, PAGE)} from (${page}) as ${sql.ref(PAGE)}${sorted}`
    })
    const parameters = [
      ...found.parameters(related),
      ...(ranked?.parameters ?? []),
      ...reachedParameters(order),
      ...found.parameters(conditions)
    ]
    if (single) return { ...query, parameters }
    parameters.push(...orders.parameters(order))
    if (isPage) parameters.push(limit ?? Number.MAX_SAFE_INTEGER)
    if (offset !== 0) parameters.push(offset)
    return { ...query, parameters }
  }

  #bounds({ order, limit, offset, lock }: SelectedRows, single: boolean): Sql {
    const { engine, order: orders } = this.#parts
    const sorted = single ? sql`` : orders.sql(order)
    // SQLite takes no offset without a limit.
    const bounded = single || (limit === null && offset === 0) ? sql`` : sql` limit ${engine.rowCount}`
    const moved = offset === 0 ? sql`` : sql` offset ${engine.rowCount}`
    return sql`${sorted}${bounded}${moved}${lock === null ? sql`` : sql` ${this.#locking(lock)}`}`
  }

  read(rows: readonly StoredRecord[], { without, order, counted = NONE }: ReadRows): object[] {
    const { columns } = this.#parts
    const isPlain = counted.length === 0 && order.every(({ by }) => by === undefined)
    if (isPlain && this.#decoded !== null) {
      const decoded = without.length === 0 ? this.#decoded : withoutColumns(this.#decoded, without)
      return rows.map((stored) => decodedRow(stored, decoded))
    }
    const read = without.length === 0 ? columns : withoutColumns(columns, without)
    const found = rows.map((stored) => readRow(stored, read))
    for (const [place, { field, by }] of reachedKeys(order).entries()) {
      const { decode } = this.#parts.reading.reached(by)
      for (const [index, row] of found.entries()) {
        const value: unknown = rows[index]?.[reachedName(place)] ?? null
        row[field] = value === null || decode === null ? value : decode(value)
      }
    }
    if (counted.length > 0) addCounts(found, rows, counted)
    const ranked = rankedKey(order)
    if (ranked !== undefined)
      for (const [index, row] of found.entries()) row[ranked.field] = Number(rows[index]?.[RANK])
    return found
  }

  #each({ conditions, order, without }: SelectedRows, { column, values, limit }: FirstOfEach): CompiledQuery {
    const { rowKey, compiled, engine, reading, order: orders } = this.#parts
    const { item } = reading.column(column)
    const shape = `each ${column} ${without.join()} ${orders.shape(order)}${reading.shape(conditions)}`
    const query = compiled.get(shape, () =>
      engine.firstOfEach({
        columns: this.#columns(without, order, true),
        table: this.#table,
        name: this.#name,
        key: rowKey,
        column,
        values: sql.val(null),
        rows: (alias, value) => {
          const isOwn = sql`${sql.ref(`${alias}.${column}`)} = ${value}`
          const others = conditions.length === 0 ? sql`` : sql` and ${reading.allOf(conditions, alias)}`
          const sorted = sql`${orders.sql(order, alias)} limit ${engine.rowCount}`
          return sql` where ${isOwn}${others}${sorted}`
        },
        order: orders.sql(order)
      })
    )
    const [list] = engine.encodeList(item, values)
    const sorted = orders.parameters(order)
    return { ...query, parameters: [list, ...reading.parameters(conditions), ...sorted, limit, ...sorted] }
  }

  /** @param qualified with the name of the table, where another one is in scope */
  #columns(without: readonly string[], order: Order, qualified = false): Sql {
    const { present } = this.#parts
    const read = without.length === 0 ? present : withoutColumns(present, without)
    const reached = reachedKeys(order)
    const rank = this.#ranked(order)?.selected ?? null
    if (reached.length === 0 && rank === null && !qualified) return without.length === 0 ? this.#all : selected(read)
    const own = read.map((column) => sql`${readable(column, this.#name)} as ${sql.ref(column.name)}`)
    const others = reached.map(({ by }, place) => {
      const value = reachedColumn(order, by)
      const isWide = this.#parts.reading.reached(by).type === 'bigint'
      return sql`${isWide ? asText(value) : value} as ${sql.ref(reachedName(place))}`
    })
    return sql.join([...own, ...others, ...(rank === null ? [] : [rank])])
  }

  /** Columns of a table, and numbers of related rows. */
  #counting(without: readonly string[], related: readonly RelatedCondition[], table: string): Sql {
    const { present, reading } = this.#parts
    const own = withoutColumns(present, without).map(
      (column) => sql`${readable(column, table)} as ${sql.ref(column.name)}`
    )
    const counts = related.map((rows, place) => sql`${reading.counted(rows, table)} as ${sql.ref(countName(place))}`)
    return sql`select ${sql.join([...own, ...counts])}`
  }

  #ranked(order: Order): RankedSql | null {
    const key = rankedKey(order)
    return key === undefined ? null : new RankedSql(this.#name, key, this.#parts.engine.words)
  }

  #locking(lock: RowLock): Sql {
    const { lockRow, lockShared, lockFree } = this.#parts.engine
    return { update: lockRow, share: lockShared, skipLocked: lockFree }[lock]
  }
}

/** Of a key, among what is selected: names of columns may be long, and alike. */
function reachedName(place: number): string {
  return `key ${place + 1}`
}

function addCounts(
  found: readonly Record<string, unknown>[],
  rows: readonly StoredRecord[],
  counted: readonly CountedRows[]
): void {
  const names = counted.map((_, place) => countName(place))
  let index = 0
  for (const row of found) {
    const stored = rows[index] as StoredRecord
    const counts: Record<string, number> = {}
    let place = 0
    for (const { name } of counted) {
      counts[name] = Number(stored[names[place] as string])
      place += 1
    }
    row.counts = counts
    index += 1
  }
}

/** Of rows that are counted. */
function countName(place: number): string {
  return `count ${place + 1}`
}
