/**
 * The table that rows are found by through the items of a list: a row for each item, with the key of its owner. It is
 * written after the owner, which is locked by then, in the same transaction.
 */

import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Change, columnOf, type ItemIndexPlan, keyOf, type TablePlan } from 'svc-stores/table'
import { encoded } from '../engines/column-type.ts'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'
import type { ColumnType, TableDefinition } from '../schema/table-definition.ts'
import type { StatementRunner } from '../transactions/sql-transaction.ts'
import { CompiledStatements } from './compiled-statements.ts'
import { COLUMN_TYPES } from './table-columns.ts'

/** Rows of one `insert`: far below the parameters that an engine takes. */
const BATCH = 100

type Row = Readonly<Record<string, unknown>>

/** The item tables of a plan; of most plans, none. */
export class ItemTables {
  readonly #key: string
  readonly #tables: readonly ItemTable[]

  constructor(key: string, tables: readonly ItemTable[]) {
    this.#key = key
    this.#tables = tables
  }

  static of(plan: TablePlan, engine: SqlEngine, compiler: Kysely<unknown>): ItemTables {
    const tables = (plan.itemIndexes ?? []).map((index) => new ItemTable(plan, index, engine, compiler))
    return new ItemTables(keyOf(plan)[0] as string, tables)
  }

  get isEmpty(): boolean {
    return this.#tables.length === 0
  }

  get definitions(): readonly TableDefinition[] {
    return this.#tables.map(({ definition }) => definition)
  }

  /** Those that a change of their rows has to be carried to. */
  changedBy(change: Change<object>): ItemTables {
    if (this.isEmpty) return this
    const { set = {}, push = {}, pull = {} } = change
    const changed = this.#tables.filter(({ column }) => column in set || column in push || column in pull)
    return new ItemTables(this.#key, changed)
  }

  /** Writes rows, and the items of those that it answers. @param read the rows that a statement answers */
  async write<Row extends object>(
    query: CompiledQuery,
    runner: StatementRunner,
    read: (rows: readonly StoredRecord[]) => Row[]
  ): Promise<Row[]> {
    if (this.isEmpty) return read((await runner.write(query)).rows)
    return runner.together(async (inner) => {
      const { rows } = await inner.write(query)
      const changed = read(rows)
      await this.drop(rows, inner)
      await this.add(changed, inner)
      return changed
    })
  }

  /** Removes rows, and the items of those that it answers. */
  async remove(query: CompiledQuery, runner: StatementRunner): Promise<readonly StoredRecord[]> {
    if (this.isEmpty) return (await runner.write(query)).rows
    return runner.together(async (inner) => {
      const { rows } = await inner.write(query)
      await this.drop(rows, inner)
      return rows
    })
  }

  async add(rows: readonly object[], runner: StatementRunner): Promise<void> {
    for (const each of this.#tables) {
      for (const query of each.insert(rows as readonly Row[])) await runner.write(query)
    }
  }

  async drop(rows: readonly Row[], runner: StatementRunner): Promise<void> {
    if (rows.length === 0) return
    const keys = rows.map((row) => row[this.#key])
    for (const each of this.#tables) await runner.write(each.delete(keys))
  }
}

class ItemTable {
  /** The list. */
  readonly column: string
  readonly definition: TableDefinition
  readonly #plan: ItemIndexPlan
  readonly #key: string
  readonly #type: ColumnType
  readonly #engine: SqlEngine
  readonly #compiled: CompiledStatements

  constructor(plan: TablePlan, index: ItemIndexPlan, engine: SqlEngine, compiler: Kysely<unknown>) {
    const { column, table, columns, owner, fields, unique = false } = index
    this.column = column
    this.#plan = index
    this.#key = keyOf(plan)[0] as string
    this.#type = fields === undefined ? COLUMN_TYPES[columnOf(plan, column).type] : 'text'
    this.#engine = engine
    this.#compiled = new CompiledStatements(compiler, engine)
    this.definition = {
      name: table,
      columns: [...columns.map((name) => ({ name, type: this.#type })), { name: owner, type: 'text' }],
      primaryKey: unique ? columns : [...columns, owner],
      indexes: [{ columns: [owner] }],
      ...(isCascading(plan) && {
        references: [{ column: owner, table: plan.name, key: this.#key, onDelete: 'cascade' as const }]
      })
    }
  }

  /** The items of these rows. */
  insert(rows: readonly Row[]): CompiledQuery[] {
    const items = rows.flatMap((row) => this.#itemsOf(row))
    const queries: CompiledQuery[] = []
    for (let start = 0; start < items.length; start += BATCH)
      queries.push(this.#insert(items.slice(start, start + BATCH)))
    return queries
  }

  /** The items of the rows with these keys. */
  delete(keys: readonly unknown[]): CompiledQuery {
    const { table, owner } = this.#plan
    const values = this.#engine.encodeList('text', keys)
    const query = this.#compiled.get('delete', () => {
      const owned = this.#engine.oneOf(sql.ref(owner), 'text', values.map(empty))
      return sql`delete from ${sql.table(table)} where ${owned}`
    })
    return { ...query, parameters: values }
  }

  #insert(items: readonly (readonly unknown[])[]): CompiledQuery {
    const { table, columns, owner } = this.#plan
    const query = this.#compiled.get(`insert ${items.length}`, () => {
      const names = sql.join([...columns, owner].map((name) => sql.ref(name)))
      const row = sql`(${sql.join([...columns.map(empty), empty()])})`
      return sql`insert into ${sql.table(table)} (${names}) values ${sql.join(items.map(() => row))}`
    })
    return { ...query, parameters: items.flat() }
  }

  /** Each once. */
  #itemsOf(row: Row): (readonly unknown[])[] {
    const { fields } = this.#plan
    const list = (row[this.column] ?? []) as readonly unknown[]
    const items = list.map((item) => (fields === undefined ? [item] : fields.map((field) => (item as Row)[field])))
    const distinct = new Map(items.map((item) => [JSON.stringify(item), item]))
    return [...distinct.values()].map((item) => [
      ...item.map((value) => encoded(this.#engine.columnTypes[this.#type], value)),
      row[this.#key]
    ])
  }
}

/** The database deletes rows by itself, and so it has to delete their items. */
function isCascading({ references = [] }: TablePlan): boolean {
  return references.some(({ onDelete }) => onDelete === 'cascade')
}

function empty(): RawBuilder<unknown> {
  return sql`${sql.val(null)}`
}
