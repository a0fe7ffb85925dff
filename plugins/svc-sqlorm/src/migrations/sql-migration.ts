/**
 * What a migration does, on SQL: statements of one transaction. What a step would make and exists already is left
 * alone, as a boot adds what it may by itself.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MigrationContext } from 'svc-orm'
import {
  type ColumnData,
  type ConversionData,
  type DropData,
  type FoundInPlace,
  filledValue,
  foldedChange,
  isChecked,
  isConverted,
  isNarrower,
  type Loss,
  type MigratedColumn,
  type MigratedIndex,
  type MigratedReference,
  missingData,
  type StoredRow,
  snakeCase,
  type TableShape,
  unexpectedState
} from 'svc-orm/driver'
import type { ColumnPlan, IdForm } from 'svc-stores/table'
import { addColumn, columnClause, createTable } from '../engines/schema-statements.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { RowFence } from '../row-security/row-fence.ts'
import type { ExistingColumn } from '../schema/existing-schema.ts'
import type { ColumnDefinition } from '../schema/table-definition.ts'
import { tableColumns, tableDefinition } from '../table/table-columns.ts'
import { convertColumn } from './convert-column.ts'
import type { LiveTables } from './live-tables.ts'
import { definition, indexOf } from './migrated-definitions.ts'
import { changeRows, type RowDataParts } from './row-data.ts'
import { SqlReferences } from './sql-references.ts'
import { SqlTables } from './sql-tables.ts'
import { StandingParts } from './standing-parts.ts'

/** Holds the values of a new type, until their column is gone. */
const NEXT = 'svc_next'

export interface SqlMigrationParts {
  /** In the transaction. */
  readonly db: Kysely<unknown>
  readonly engine: SqlEngine
  readonly fence: Pick<RowFence, 'free'>
  /** Of all migrations of a run. */
  readonly live: LiveTables
  /** Of the database. */
  readonly ids: IdForm
  readonly progress: (text: string) => void
  /** What stood already: noted on the way up, left on the way back. */
  readonly found: FoundInPlace
  readonly reached: (step: string) => void
  /** Of a preview of the way back. */
  readonly losing: ((loss: Loss) => void) | null
}

export class SqlMigration implements MigrationContext {
  readonly vendor: string
  readonly #parts: SqlMigrationParts
  readonly #tables: SqlTables
  readonly #standing: StandingParts
  readonly #references: SqlReferences
  /** What runs, for the message where it fails. */
  #at = 'its beginning'
  #isNative = false

  constructor(parts: SqlMigrationParts) {
    this.vendor = parts.engine.vendor
    this.#parts = parts
    const { db, engine, fence, live, found, losing } = parts
    this.#tables = new SqlTables(db, engine, live, fence)
    this.#references = new SqlReferences({ db, engine, found })
    const loosen = (table: string, column: ColumnPlan) =>
      this.#alter(table, { ...column, nullable: true }, null, undefined)
    this.#standing = new StandingParts({ db, tables: this.#tables, found, losing, loosen })
  }

  get at(): string {
    return this.#at
  }

  /** It has its own statements. */
  get isNative(): boolean {
    return this.#isNative
  }

  async createTable(entity: string, shape: TableShape): Promise<void> {
    const table = await this.#begin('createTable', entity)
    const { engine, live } = this.#parts
    if (await this.#standing.finds(entity, shape)) {
      for (const column of shape.columns) await this.addColumn(entity, column)
      for (const index of shape.indexes ?? []) await this.addIndex(entity, index)
      return
    }
    const { indexes: _indexes, ...definition } = tableDefinition({
      name: table,
      columns: shape.columns,
      ...(shape.key !== undefined && { key: shape.key })
    })
    await this.#execute(createTable(definition, engine))
    live.addTable(table, definition.columns)
    for (const index of shape.indexes ?? []) await this.#tables.addIndex(table, index)
  }

  async dropTable(entity: string): Promise<void> {
    const table = await this.#begin('dropTable', entity)
    if ((await this.#tables.columns(table)) === null || (await this.#standing.leavesTable(entity))) return
    await this.#standing.loses(entity, null)
    await this.#tables.drop(table)
  }

  async renameTable(from: string, to: string): Promise<void> {
    await this.#tables.rename(await this.#begin('renameTable', from), snakeCase(to))
  }

  async addColumn(entity: string, column: MigratedColumn, data: ColumnData = {}): Promise<void> {
    const table = await this.#begin('addColumn', entity, column.name)
    await this.#addColumn(entity, table, column, data)
    const change = foldedChange(column)
    if (change !== null) await changeRows(this.#data(table), change.read, change.written, change.change)
  }

  async #addColumn(entity: string, table: string, column: MigratedColumn, { fill }: ColumnData): Promise<void> {
    const { engine, live, found } = this.#parts
    const was = await this.#standing.takeOver(table, column)
    const [wanted, standing] = [definition(column), await this.#column(table, column.name)]
    if (standing !== undefined && !standing.fits.includes(wanted.type))
      throw otherType(table, column.name, standing, wanted)
    if (standing !== undefined) {
      const tookNull = standing.required === false && wanted.nullable !== true
      found.note({ entity, column, ...(was !== undefined && { was }), ...(tookNull && { tookNull }) })
    }
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

  async dropColumn(entity: string, name: string, data: DropData = {}): Promise<void> {
    const table = await this.#begin('dropColumn', entity, name)
    if ((await this.#column(table, name)) === undefined || (await this.#standing.leavesColumn(entity, name))) return
    await this.#standing.decidesDeleted(entity, name, data)
    await this.#standing.loses(entity, name)
    await this.#tables.dropColumn(table, name)
  }

  async renameColumn(entity: string, from: string, to: string): Promise<void> {
    await this.#tables.renameColumn(await this.#begin('renameColumn', entity, from), from, to)
  }

  async changeColumn(
    entity: string,
    from: MigratedColumn,
    to: MigratedColumn,
    data: ConversionData = {}
  ): Promise<void> {
    const table = await this.#begin('changeColumn', entity, to.name)
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
    await this.#tables.addIndex(await this.#begin('addIndex', entity), index)
  }

  async dropIndex(entity: string, index: MigratedIndex): Promise<void> {
    const table = await this.#begin('dropIndex', entity)
    if (index.on !== 'documents') await this.#tables.dropIndex(indexOf(table, index)[1])
  }

  async addReference(entity: string, reference: MigratedReference): Promise<void> {
    await this.#begin('addReference', entity, reference.column)
    await this.#references.add(entity, reference)
  }

  async dropReference(entity: string, reference: MigratedReference): Promise<void> {
    await this.#begin('dropReference', entity, reference.column)
    await this.#references.drop(entity, reference)
  }

  async eachRow(
    entity: string,
    columns: readonly ColumnPlan[],
    change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  ): Promise<void> {
    await changeRows(this.#data(await this.#begin('eachRow', entity)), columns, columns, change)
  }

  async step(name: string, work: () => Promise<void>): Promise<void> {
    this.#at = name
    this.#parts.reached(name)
    await work()
  }

  native<Native>(): Native {
    this.#isNative = true
    return this.#parts.db as Native
  }

  async #begin(step: string, entity: string, column?: string): Promise<string> {
    this.#at = `${step} ${entity}${column === undefined ? '' : `.${column}`}`
    this.#parts.reached(this.#at)
    if (this.#isNative) this.#parts.live.forget()
    await this.#parts.engine.alteration.settle(this.#parts.db)
    return snakeCase(entity)
  }

  #column(table: string, name: string): Promise<ExistingColumn | undefined> {
    return this.#tables.column(table, name)
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
      const fix = `add fill, or make the column nullable`
      throw missingData(`${count} rows of ${table} have no ${column.name}, which is required`, fix)
    }
    const [kept] = tableColumns({ name: table, columns: [column] }, engine)
    const set = sql`${sql.ref(target)} = ${kept?.encode(value)}`
    await this.#execute(sql`update ${sql.table(table)} set ${set} where ${sql.ref(target)} is null`)
  }

  async #execute(statement: RawBuilder<unknown>): Promise<void> {
    await statement.execute(this.#parts.db)
  }
}

/** Text and ids are stored alike. */
function areTexts(from: ColumnPlan, to: ColumnPlan): boolean {
  const isText = ({ type }: ColumnPlan) => type === 'text' || type === 'id'
  return isText(from) && isText(to) && (from.list ?? false) === (to.list ?? false)
}

function otherType(table: string, name: string, { type }: ExistingColumn, wanted: ColumnDefinition) {
  return unexpectedState(`${table}.${name} stands as ${type}, not as ${wanted.type}`)
}
