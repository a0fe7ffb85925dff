/**
 * The tables of a database while a migration changes them: the catalogue is read once, and each step notes what it did.
 * After a statement of the migration's own it is read again.
 */
import type { Kysely } from 'kysely'
import type { MigratedIndex } from 'svc-orm/driver'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { ExistingColumn, ExistingIndex, ExistingSchema } from '../schema/existing-schema.ts'
import type { ColumnDefinition } from '../schema/table-definition.ts'

export class LiveTables {
  readonly #engine: SqlEngine
  #tables: Map<string, Map<string, ExistingColumn>> | null = null
  #indexes = new Map<string, ExistingIndex>()
  #methods: ExistingSchema['methods'] = []

  constructor(engine: SqlEngine) {
    this.#engine = engine
  }

  forget(): void {
    this.#tables = null
  }

  async columns(db: Kysely<unknown>, table: string): Promise<ReadonlyMap<string, ExistingColumn> | null> {
    return (await this.#read(db)).get(table) ?? null
  }

  async hasIndex(db: Kysely<unknown>, name: string): Promise<boolean> {
    await this.#read(db)
    return this.#indexes.has(name)
  }

  /** Whether the database has this kind of index. */
  async canIndex(db: Kysely<unknown>, { method }: MigratedIndex): Promise<boolean> {
    await this.#read(db)
    return method === undefined || this.#methods.includes(method)
  }

  addTable(table: string, columns: readonly ColumnDefinition[]): void {
    this.#tables?.set(table, new Map(columns.map((column) => [column.name, existing(column)])))
  }

  dropTable(table: string): void {
    this.#tables?.delete(table)
    for (const { name, table: owner } of this.#indexes.values()) if (owner === table) this.#indexes.delete(name)
  }

  renameTable(from: string, to: string): void {
    const columns = this.#tables?.get(from)
    if (columns !== undefined) this.#tables?.set(to, columns)
    this.#tables?.delete(from)
    for (const index of [...this.#indexes.values()]) {
      if (index.table === from) this.#indexes.set(index.name, { ...index, table: to })
    }
  }

  setColumn(table: string, column: ColumnDefinition): void {
    this.#tables?.get(table)?.set(column.name, existing(column))
  }

  renameColumn(table: string, from: string, to: string): void {
    const column = this.#tables?.get(table)?.get(from)
    if (column !== undefined) this.#tables?.get(table)?.set(to, { ...column, name: to })
    this.dropColumn(table, from)
  }

  dropColumn(table: string, name: string): void {
    this.#tables?.get(table)?.delete(name)
  }

  addIndex(table: string, name: string): void {
    this.#indexes.set(name, { table, name, columns: [], unique: false, where: null })
  }

  dropIndex(name: string): void {
    this.#indexes.delete(name)
  }

  async #read(db: Kysely<unknown>): Promise<Map<string, Map<string, ExistingColumn>>> {
    if (this.#tables !== null) return this.#tables
    const { tables, indexes, methods } = await this.#engine.existingSchema(db)
    this.#methods = methods
    this.#tables = new Map([...tables].map(([name, columns]) => [name, new Map(columns)]))
    this.#indexes = new Map(indexes.map((index) => [index.name, index]))
    return this.#tables
  }
}

function existing({ name, type, nullable = false, default: preset }: ColumnDefinition): ExistingColumn {
  return { name, type, fits: [type], required: !nullable, filled: preset !== undefined }
}
