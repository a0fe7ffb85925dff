/**
 * What a migration meets in a database: tables and columns under the names before, which it takes over, and what a way
 * back deletes, or leaves as it was found.
 */
import { type Kysely, sql } from 'kysely'
import { type DropData, type FoundInPlace, type Loss, rowsComeBack, snakeCase, type TableShape } from 'svc-orm/driver'
import type { ColumnPlan } from 'svc-stores/table'
import { formerIndexName, indexOf } from './migrated-definitions.ts'
import { countRows } from './row-data.ts'
import type { SqlTables } from './sql-tables.ts'

export interface StandingPartsGiven {
  readonly db: Kysely<unknown>
  readonly tables: SqlTables
  readonly found: FoundInPlace
  /** `null`: nothing is counted. */
  readonly losing: ((loss: Loss) => void) | null
  /** Lets a column take null again. */
  readonly loosen: (table: string, column: ColumnPlan) => Promise<void>
}

export class StandingParts {
  readonly #parts: StandingPartsGiven

  constructor(parts: StandingPartsGiven) {
    this.#parts = parts
  }

  /** Whether the table exists, under this name or the one before, which it then has no more. */
  async finds(entity: string, { was, columns, indexes = [] }: TableShape): Promise<boolean> {
    const { tables, found } = this.#parts
    const table = snakeCase(entity)
    const [standing, old] = [
      await tables.columns(table),
      was === undefined ? null : await tables.columns(snakeCase(was))
    ]
    const former = old === null || (standing !== null && (await tables.hasRows(table))) ? undefined : was
    if (standing === null && former === undefined) return false
    for (const index of indexes) {
      const name = formerIndexName(snakeCase(former ?? entity), index, columns)
      const isOld = name !== indexOf(table, index)[1] && (await tables.hasIndex(name))
      if (isOld) await tables.dropIndex(name)
    }
    if (former !== undefined) await tables.rename(snakeCase(former), table)
    found.note({ entity, ...(former !== undefined && { was: former }) })
    return true
  }

  /** A column that exists under the name before takes the new one. @returns the name before, where it had it */
  async takeOver(table: string, { name, was }: ColumnPlan): Promise<string | undefined> {
    const { tables } = this.#parts
    if (was === undefined || (await tables.column(table, name)) !== undefined) return undefined
    if ((await tables.column(table, was)) === undefined) return undefined
    await tables.renameColumn(table, was, name)
    return was
  }

  /** @returns whether the table was found, and is left as it was */
  async leavesTable(entity: string): Promise<boolean> {
    const { tables, found } = this.#parts
    const left = found.table(entity)
    if (left === undefined) return false
    for (const { column } of found.columns(entity)) await this.leavesColumn(entity, column.name)
    if (left.was !== undefined) await tables.rename(snakeCase(entity), snakeCase(left.was))
    return true
  }

  /** @returns whether the column was found, and is left as it was */
  async leavesColumn(entity: string, name: string): Promise<boolean> {
    const { tables, found, loosen } = this.#parts
    const [table, left] = [snakeCase(entity), found.column(entity, name)]
    if (left === undefined) return false
    if ((await tables.column(table, name)) === undefined) return true
    if (left.tookNull === true) await loosen(table, left.column)
    if (left.was !== undefined) await tables.renameColumn(table, name, left.was)
    return true
  }

  async loses(entity: string, column: string | null): Promise<void> {
    const { losing, db } = this.#parts
    if (losing === null) return
    const rows = await countRows(db, snakeCase(entity), column)
    if (rows > 0) losing({ entity, column, rows })
  }

  /** @throws BootError where rows are deleted, and what becomes of them is not said */
  async decidesDeleted(entity: string, column: string, data: DropData): Promise<void> {
    if (!Object.hasOwn(data, 'deleted')) return
    const { db } = this.#parts
    const table = snakeCase(entity)
    const rows = await countRows(db, table, column)
    if (rows > 0 && data.deleted === undefined) throw rowsComeBack(rows, entity, column)
    if (data.deleted !== 'remove') return
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(db)
  }
}
