/** Tables, columns and indexes that a migration renames and drops, by their names in SQL; each is noted as it then is. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type MigratedIndex, missingData, unexpectedState } from 'svc-orm/driver'
import { duplicateRows } from '../engines/duplicate-rows.ts'
import { addIndex } from '../engines/schema-statements.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { RowFence } from '../row-security/row-fence.ts'
import type { ExistingColumn } from '../schema/existing-schema.ts'
import type { LiveTables } from './live-tables.ts'
import { indexOf } from './migrated-definitions.ts'

export class SqlTables {
  readonly #db: Kysely<unknown>
  readonly #engine: SqlEngine
  readonly #live: LiveTables
  readonly #fence: Pick<RowFence, 'free'>

  constructor(db: Kysely<unknown>, engine: SqlEngine, live: LiveTables, fence: Pick<RowFence, 'free'>) {
    this.#db = db
    this.#engine = engine
    this.#live = live
    this.#fence = fence
  }

  columns(table: string): Promise<ReadonlyMap<string, ExistingColumn> | null> {
    return this.#live.columns(this.#db, table)
  }

  /** @throws BootError where there is no such table */
  async column(table: string, name: string): Promise<ExistingColumn | undefined> {
    const columns = await this.columns(table)
    if (columns === null) throw unexpectedState(`there is no table ${table}`)
    return columns.get(name)
  }

  async hasRows(table: string): Promise<boolean> {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(this.#db)
    return rows.length > 0
  }

  /** One of both that has no rows goes. @throws BootError where neither exists, or both have rows */
  async rename(old: string, table: string): Promise<void> {
    const [standing, taken] = [await this.columns(old), await this.columns(table)]
    if (standing === null && taken !== null) return
    if (standing === null) throw unexpectedState(`there is no table ${old} to be renamed`)
    if (taken !== null && (await this.hasRows(table))) {
      if (!(await this.hasRows(old))) return this.drop(old)
      throw unexpectedState(`the table ${table} has rows already: ${old} cannot take its name`)
    }
    if (taken !== null) await this.drop(table)
    await this.#execute(sql`alter table ${sql.table(old)} rename to ${sql.ref(table)}`)
    this.#live.renameTable(old, table)
  }

  async drop(table: string): Promise<void> {
    await this.#execute(sql`drop table if exists ${sql.table(table)}`)
    this.#live.dropTable(table)
  }

  /** @throws BootError where neither exists */
  async renameColumn(table: string, from: string, to: string): Promise<void> {
    const [standing, taken] = [await this.column(table, from), await this.column(table, to)]
    if (standing === undefined && taken !== undefined) return
    if (standing === undefined) throw unexpectedState(`${table} has no column ${from} to be renamed`)
    if (taken === undefined) {
      await this.#execute(sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`)
      return this.#live.renameColumn(table, from, to)
    }
    // Both: what was written under the new name is the later value.
    const [old, column] = [sql.ref(from), sql.ref(to)]
    await this.#execute(sql`update ${sql.table(table)} set ${column} = ${old} where ${column} is null`)
    await this.dropColumn(table, from)
  }

  async dropColumn(table: string, name: string): Promise<void> {
    await this.#engine.alteration.settle(this.#db)
    await this.#fence.free(this.#db, table, name)
    await this.#execute(sql`alter table ${sql.table(table)} drop column ${sql.ref(name)}`)
    this.#live.dropColumn(table, name)
  }

  async addIndex(table: string, index: MigratedIndex): Promise<void> {
    if (index.on === 'documents' || !(await this.#live.canIndex(this.#db, index))) return
    const [wanted, name] = indexOf(table, index)
    if (await this.hasIndex(name)) return
    const duplicates = await duplicateRows(this.#db, this.#engine, table, wanted)
    if (duplicates !== null) throw missingData(`${duplicates}, which must be unique`, 'change them first')
    const columns = await this.columns(table)
    const isNullable = (column: string) => columns?.get(column)?.required === false
    await addIndex(this.#db, table, name, wanted, isNullable, this.#engine)
    this.#live.addIndex(table, name)
  }

  hasIndex(name: string): Promise<boolean> {
    return this.#live.hasIndex(this.#db, name)
  }

  async dropIndex(name: string): Promise<void> {
    await this.#execute(sql`drop index if exists ${sql.ref(name)}`)
    this.#live.dropIndex(name)
  }

  async #execute(statement: RawBuilder<unknown>): Promise<void> {
    await statement.execute(this.#db)
  }
}
