/**
 * What a migration does, on SQL: statements of one transaction. What stands already as a step would make it is left
 * alone, as a boot adds what it may by itself.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type ColumnData,
  type ConversionData,
  filledValue,
  isChecked,
  isConverted,
  isNarrower,
  type MigratedColumn,
  type MigratedIndex,
  type MigrationContext,
  missingData,
  type StoredRow,
  snakeCase,
  type TableShape,
  unexpectedState
} from 'svc-orm'
import type { ColumnPlan, IdForm } from 'svc-stores/table'
import { addColumn, columnClause, createIndex, createTable } from '../engines/schema-statements.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { ExistingColumn } from '../schema/existing-schema.ts'
import { type ColumnDefinition, indexName, type TableIndex } from '../schema/table-definition.ts'
import { tableColumns, tableDefinition } from '../table/table-columns.ts'
import { convertColumn } from './convert-column.ts'
import type { LiveTables } from './live-tables.ts'
import { changeRows, type RowDataParts } from './row-data.ts'

/** Holds the values of a new type, until their column is gone. */
const NEXT = 'svc_next'

export interface SqlMigrationParts {
  /** In the transaction. */
  readonly db: Kysely<unknown>
  readonly engine: SqlEngine
  /** Of all migrations of a run. */
  readonly live: LiveTables
  /** Of the database. */
  readonly ids: IdForm
  readonly progress: (text: string) => void
}

export class SqlMigration implements MigrationContext {
  readonly vendor: string
  readonly #parts: SqlMigrationParts
  /** What runs, for the message where it fails. */
  #at = 'its beginning'
  #isNative = false

  constructor(parts: SqlMigrationParts) {
    this.vendor = parts.engine.vendor
    this.#parts = parts
  }

  get at(): string {
    return this.#at
  }

  async createTable(entity: string, shape: TableShape): Promise<void> {
    const table = this.#begin('createTable', entity)
    const { engine, live } = this.#parts
    const standing = await this.#columns(table)
    if (standing !== null) {
      for (const column of shape.columns) await this.addColumn(entity, column)
      for (const index of shape.indexes ?? []) await this.addIndex(entity, index)
      return
    }
    const { indexes: _indexes, ...definition } = tableDefinition({ name: table, columns: shape.columns })
    await this.#execute(createTable(definition, engine))
    live.addTable(table, definition.columns)
    for (const index of shape.indexes ?? [])
      if (index.on !== 'documents') await this.#addIndex(table, indexOf(table, index))
  }

  async dropTable(entity: string): Promise<void> {
    const table = this.#begin('dropTable', entity)
    await this.#execute(sql`drop table if exists ${sql.table(table)}`)
    this.#parts.live.dropTable(table)
  }

  async renameTable(from: string, to: string): Promise<void> {
    const [old, table] = [this.#begin('renameTable', from), snakeCase(to)]
    const [standing, taken] = [await this.#columns(old), await this.#columns(table)]
    if (standing === null && taken !== null) return
    if (standing === null) throw unexpectedState(`there is no table ${old} to be renamed`)
    if (taken !== null) {
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(this.#parts.db)
      if (rows.length > 0) throw unexpectedState(`the table ${table} has rows already: ${old} cannot take its name`)
      await this.dropTable(to)
    }
    await this.#execute(sql`alter table ${sql.table(old)} rename to ${sql.ref(table)}`)
    this.#parts.live.renameTable(old, table)
  }

  async addColumn(entity: string, column: MigratedColumn, { fill }: ColumnData = {}): Promise<void> {
    const table = this.#begin('addColumn', entity, column.name)
    const { engine, live } = this.#parts
    const [wanted, standing] = [definition(column), await this.#column(table, column.name)]
    if (standing !== undefined && !standing.fits.includes(wanted.type))
      throw otherType(table, column.name, standing, wanted)
    if (standing !== undefined && (standing.required !== false || wanted.nullable === true)) {
      if (fill !== undefined && standing.required === false) await this.#fill(table, column, column.name, fill)
      return
    }
    const direct = standing === undefined && (wanted.nullable === true || wanted.default !== undefined)
    const added = direct ? wanted : { name: wanted.name, type: wanted.type, nullable: true }
    if (standing === undefined) {
      await this.#execute(addColumn(table, added, engine))
      live.setColumn(table, added)
    }
    if (fill !== undefined) await this.#fill(table, column, column.name, fill)
    if (!direct) await this.#alter(table, column, null, fill)
  }

  async dropColumn(entity: string, name: string): Promise<void> {
    const table = this.#begin('dropColumn', entity, name)
    if ((await this.#column(table, name)) === undefined) return
    await this.#execute(sql`alter table ${sql.table(table)} drop column ${sql.ref(name)}`)
    this.#parts.live.dropColumn(table, name)
  }

  async renameColumn(entity: string, from: string, to: string): Promise<void> {
    const table = this.#begin('renameColumn', entity, from)
    const [standing, taken] = [await this.#column(table, from), await this.#column(table, to)]
    if (standing === undefined && taken !== undefined) return
    if (standing === undefined) throw unexpectedState(`${table} has no column ${from} to be renamed`)
    if (taken === undefined) {
      await this.#execute(sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`)
      return this.#parts.live.renameColumn(table, from, to)
    }
    // Both: what was written under the new name is the later value.
    const [old, column] = [sql.ref(from), sql.ref(to)]
    await this.#execute(sql`update ${sql.table(table)} set ${column} = ${old} where ${column} is null`)
    await this.dropColumn(entity, from)
  }

  async changeColumn(
    entity: string,
    from: MigratedColumn,
    to: MigratedColumn,
    data: ConversionData = {}
  ): Promise<void> {
    const table = this.#begin('changeColumn', entity, to.name)
    const { engine, ids } = this.#parts
    const standing = await this.#column(table, to.name)
    if (standing === undefined || from.name !== to.name) throw unexpectedState(`${table} has no column ${from.name}`)
    const [before, after] = [definition(from), definition(to)]
    const isDone = standing.fits.includes(after.type) && !standing.fits.includes(before.type)
    if (!isDone && !standing.fits.includes(before.type)) throw otherType(table, to.name, standing, before)
    const isKept = isChecked(from, to) || areTexts(from, to)
    const retyped = !isDone && (data.convert !== undefined || (isConverted(from, to) && !isKept))
    if (retyped) await this.#execute(addColumn(table, { name: NEXT, type: after.type, nullable: true }, engine))
    if (retyped || (!isDone && isKept && isNarrower(from, to))) {
      await convertColumn({ rows: this.#data(table), from, to, target: retyped ? NEXT : to.name, data, ids })
    }
    await this.#alter(table, to, retyped ? NEXT : null, data.fill)
  }

  async addIndex(entity: string, index: MigratedIndex): Promise<void> {
    const table = this.#begin('addIndex', entity)
    const { db, live } = this.#parts
    if (index.on === 'documents') return
    const wanted = indexOf(table, index)
    if (!(await live.hasIndex(db, wanted[1]))) await this.#addIndex(table, wanted)
  }

  async dropIndex(entity: string, index: MigratedIndex): Promise<void> {
    const table = this.#begin('dropIndex', entity)
    if (index.on === 'documents') return
    const [, name] = indexOf(table, index)
    await this.#execute(sql`drop index if exists ${sql.ref(name)}`)
    this.#parts.live.dropIndex(name)
  }

  async eachRow(
    entity: string,
    columns: readonly ColumnPlan[],
    change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  ): Promise<void> {
    await changeRows(this.#data(this.#begin('eachRow', entity)), columns, columns, change)
  }

  async step(name: string, work: () => Promise<void>): Promise<void> {
    this.#at = name
    await work()
  }

  native<Native>(): Native {
    this.#isNative = true
    return this.#parts.db as Native
  }

  #begin(step: string, entity: string, column?: string): string {
    this.#at = `${step} ${entity}${column === undefined ? '' : `.${column}`}`
    if (this.#isNative) this.#parts.live.forget()
    return snakeCase(entity)
  }

  #columns(table: string): Promise<ReadonlyMap<string, ExistingColumn> | null> {
    return this.#parts.live.columns(this.#parts.db, table)
  }

  /** @throws where there is no such table */
  async #column(table: string, name: string): Promise<ExistingColumn | undefined> {
    const columns = await this.#columns(table)
    if (columns === null) throw unexpectedState(`there is no table ${table}`)
    return columns.get(name)
  }

  async #addIndex(table: string, [wanted, name]: [TableIndex, string]): Promise<void> {
    const { engine, live } = this.#parts
    const columns = await this.#columns(table)
    const isNullable = (column: string) => columns?.get(column)?.required === false
    await this.#execute(createIndex(table, name, wanted, isNullable, engine))
    live.addIndex(table, name)
  }

  #data(table: string): RowDataParts {
    const { db, engine, progress } = this.#parts
    return { db, engine, table, progress: (rows) => progress(`${table}: ${rows} rows`) }
  }

  /** Makes the column what it is to be, its nulls filled first. */
  async #alter(table: string, to: MigratedColumn, source: string | null, fill: unknown): Promise<void> {
    const { db, engine, live } = this.#parts
    const standing = await this.#column(table, to.name)
    const wanted = definition(to)
    if (wanted.nullable !== true) await this.#fill(table, to, source ?? to.name, fill)
    await engine.alteration.alterColumn(db, {
      table,
      to: wanted,
      nullable: standing?.required !== true,
      filled: standing?.filled === true,
      clause: columnClause(wanted, engine),
      source
    })
    live.setColumn(table, wanted)
  }

  /** @throws where rows hold null, and nothing is given for them */
  async #fill(table: string, column: MigratedColumn, target: string, fill: unknown): Promise<void> {
    const { db, engine } = this.#parts
    const empty = sql`from ${sql.table(table)} where ${sql.ref(target)} is null`
    const { rows } = await sql<{ n: number | string }>`select count(*) as n ${empty}`.execute(db)
    const count = Number(rows[0]?.n ?? 0)
    if (count === 0) return
    const value = filledValue(column, fill)
    if (value === undefined || value === null) {
      const fix = `give fill, or let it be null`
      throw missingData(`${count} rows of ${table} hold nothing in ${column.name}, which is required`, fix)
    }
    const [kept] = tableColumns({ name: table, columns: [column] }, engine)
    const set = sql`${sql.ref(target)} = ${kept?.encode(value)}`
    await this.#execute(sql`update ${sql.table(table)} set ${set} where ${sql.ref(target)} is null`)
  }

  async #execute(statement: RawBuilder<unknown>): Promise<void> {
    await statement.execute(this.#parts.db)
  }
}

function definition(column: ColumnPlan): ColumnDefinition {
  return tableDefinition({ name: '', columns: [column] }).columns[0] as ColumnDefinition
}

function indexOf(table: string, { columns, unique, held }: MigratedIndex): [TableIndex, string] {
  const index = { columns, ...(unique === true && { unique }), ...(held !== undefined && { held }) }
  return [index, indexName(table, index)]
}

/** Text and ids are kept alike. */
function areTexts(from: ColumnPlan, to: ColumnPlan): boolean {
  const isText = ({ type }: ColumnPlan) => type === 'text' || type === 'id'
  return isText(from) && isText(to) && (from.list ?? false) === (to.list ?? false)
}

function otherType(table: string, name: string, { type }: ExistingColumn, wanted: ColumnDefinition) {
  return unexpectedState(`${table}.${name} stands as ${type}, not as ${wanted.type}`)
}
