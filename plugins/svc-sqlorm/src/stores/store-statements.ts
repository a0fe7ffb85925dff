/** The statements of one store table, and how its rows are read. Names come from the plan, values go as parameters. */
import { isExpression, type RawBuilder, sql } from 'kysely'
import type { SortKey } from 'svc-stores'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { ColumnDefinition, TableDefinition } from '../schema/table-definition.ts'
import { fold, foldName } from './store-columns.ts'
import { EVERYTHING, type Where } from './store-conditions.ts'

export type StoredRecord = Readonly<Record<string, unknown>>

/** By column: a value as the record has it, or an expression. */
export type Values = object

type Statement = RawBuilder<StoredRecord>

export interface PageBounds {
  readonly limit: number
  readonly offset: number
  readonly order: readonly SortKey[]
}

export class StoreStatements {
  /** Those of the record: without the columns that are there for searches. */
  readonly columns: readonly string[]
  readonly #engine: SqlEngine
  readonly #definitions: ReadonlyMap<string, ColumnDefinition>
  readonly #decoders: ReadonlyMap<string, ((stored: unknown) => unknown) | null>
  readonly #table: RawBuilder<unknown>
  readonly #all: RawBuilder<unknown>

  constructor({ name, columns }: TableDefinition, engine: SqlEngine) {
    const folds = new Set(columns.map((column) => foldName(column.name)))
    this.columns = columns.map((column) => column.name).filter((column) => !folds.has(column))
    this.#engine = engine
    this.#definitions = new Map(columns.map((column) => [column.name, column]))
    this.#decoders = new Map(columns.map((column) => [column.name, engine.decoder(column.type)]))
    this.#table = sql.table(name)
    this.#all = refs(this.columns)
  }

  insert(rows: readonly Values[]): Statement {
    const complete = rows.map((row) => this.#encoded(row))
    const names = [...(complete[0]?.keys() ?? [])]
    const tuples = complete.map((row) => sql`(${sql.join(names.map((name) => row.get(name)))})`)
    return sql`insert into ${this.#table} (${refs(names)}) values ${sql.join(tuples)}`
  }

  /** Rows whose `id` is there already are left out. */
  insertNew(rows: readonly Values[]): Statement {
    return sql`${this.insert(rows)} on conflict (${sql.ref('id')}) do nothing`
  }

  /**
   * One statement: inserts, or changes the row that has this `id`, where `guard` holds of it. In expressions and in the
   * guard, columns of that row carry the name of the table.
   *
   * @param replaced columns that take the inserted value
   * @param changes columns that take another one
   */
  upsert(row: Values, replaced: readonly string[], changes: Values = {}, guard?: Where): Statement {
    const taken = replaced.flatMap((name) => [name, ...(this.#definitions.has(foldName(name)) ? [foldName(name)] : [])])
    const sets = [
      ...taken.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
      ...this.#sets(changes)
    ]
    const guarded = guard === undefined ? sql`` : sql` where ${guard}`
    const clash = sql`on conflict (${sql.ref('id')}) do update set ${sql.join(sets)}${guarded}`
    return sql`${this.insert([row])} ${clash} returning ${this.#all}`
  }

  update(changes: Values, where: Where): Statement {
    return sql`update ${this.#table} set ${sql.join(this.#sets(changes))}${conditionOf(where)}`
  }

  updateReturning(changes: Values, where: Where): Statement {
    return sql`${this.update(changes, where)} returning ${this.#all}`
  }

  delete(where: Where): Statement {
    return sql`delete from ${this.#table}${conditionOf(where)}`
  }

  /** At most so many rows, by `id`. */
  deleteSome(where: Where, limit: number): Statement {
    const some = sql`select ${sql.ref('id')} from ${this.#table}${conditionOf(where)} limit ${limit}`
    return sql`delete from ${this.#table} where ${sql.ref('id')} in (${some})`
  }

  select(where: Where): Statement {
    return sql`select ${this.#all} from ${this.#table}${conditionOf(where)}`
  }

  selectAll(where: Where): Statement {
    return sql`${this.select(where)} order by ${sql.ref('id')}`
  }

  /** Within a transaction: nobody else changes the row before it ends. */
  selectForUpdate(where: Where): Statement {
    return sql`${this.select(where)} ${this.#engine.lockRow}`
  }

  page(columns: readonly string[], where: Where, { limit, offset, order }: PageBounds): Statement {
    // No column that can be sorted by holds null.
    const keys = sql.join(order.map(([field, direction]) => sql`${sql.ref(field)} ${sql.raw(direction)}`))
    const from = sql`from ${this.#table}${conditionOf(where)} order by ${keys}`
    return sql`select ${refs(columns)} ${from} limit ${limit} offset ${offset}`
  }

  count(where: Where): RawBuilder<{ total: number }> {
    return sql`select count(*) as ${sql.ref('total')} from ${this.#table}${conditionOf(where)}`
  }

  counts(where: Where, conditions: Readonly<Record<string, Where>>): Statement {
    const parts = Object.entries(conditions).map(
      ([name, condition]) => sql`count(*) filter (where ${condition}) as ${sql.ref(name)}`
    )
    const total = sql`count(*) as ${sql.ref('total')}`
    return sql`select ${sql.join([total, ...parts])} from ${this.#table}${conditionOf(where)}`
  }

  exists(where: Where): Statement {
    return sql`select 1 as ${sql.ref('found')} from ${this.#table}${conditionOf(where)} limit 1`
  }

  /** @param columns those that were selected */
  read(stored: StoredRecord, columns: readonly string[] = this.columns): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    for (const name of columns) {
      const value = stored[name]
      const decode = this.#decoders.get(name) ?? null
      row[name] = decode === null || value === null ? value : decode(value)
    }
    return row
  }

  #sets(changes: Values): readonly RawBuilder<unknown>[] {
    return [...this.#encoded(changes)].map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  }

  /** Known columns alone, and with each its fold. */
  #encoded(values: Values): ReadonlyMap<string, unknown> {
    const encoded = new Map<string, unknown>()
    for (const [name, value] of Object.entries(values) as [string, unknown][]) {
      const column = this.#definitions.get(name)
      if (column === undefined) continue
      encoded.set(name, isExpression(value) ? value : this.#engine.encode(column.type, value))
      if (this.#definitions.has(foldName(name))) encoded.set(foldName(name), fold(value))
    }
    return encoded
  }
}

function conditionOf(where: Where): RawBuilder<unknown> {
  return where === EVERYTHING ? sql`` : sql` where ${where}`
}

function refs(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)))
}
