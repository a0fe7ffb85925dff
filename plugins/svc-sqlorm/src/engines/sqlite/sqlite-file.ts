/**
 * Opens a SQLite database: one connection that writes and one that reads, so
 * that a `select` never waits for a transaction and never sees half of one.
 * `:memory:` cannot be shared by two connections in that way: it is a temporary
 * file without a name, gone with the process whatever happens.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fold } from 'svc-stores/table'
import { atPath } from './at-path.ts'
import { FOLD } from './sqlite-engine.ts'
import { AT_PATH } from './sqlite-path.ts'
import { PRODUCT, product } from './sqlite-product.ts'
import { sqliteTimeText, TIME_TEXT } from './sqlite-time.ts'
import { StatementCache } from './statement-cache.ts'

export interface SqliteFileOptions {
  /** Absolute path, or `:memory:`. */
  readonly path: string
  /** `full`: a commit is on the disk before it is acknowledged. `normal`: the last ones may be lost with the power. */
  readonly synchronous: 'full' | 'normal'
}

export interface SqliteSide {
  readonly database: DatabaseSync
  readonly statements: StatementCache
}

export class SqliteFile {
  readonly writer: SqliteSide
  readonly reader: SqliteSide
  readonly #temporary: string | null = null

  constructor({ path, synchronous }: SqliteFileOptions) {
    if (path === ':memory:') this.#temporary = mkdtempSync(join(tmpdir(), 'svc-sqlite-'))
    else mkdirSync(dirname(path), { recursive: true })
    const file = this.#temporary === null ? path : join(this.#temporary, 'memory.db')
    const writing = new DatabaseSync(file)
    try {
      writing.exec(`pragma synchronous = ${this.#temporary === null ? synchronous : 'off'}`)
      // A file that must not be written keeps the journal it has; reading it works all the same.
      if (isWritable(writing)) writing.exec('pragma journal_mode = wal')
      this.writer = side(writing)
      this.reader = side(new DatabaseSync(file, { readOnly: true }))
      this.#forget()
    } catch (error) {
      writing.close()
      throw error
    }
  }

  close(): void {
    this.reader.database.close()
    this.writer.database.close()
    this.#forget()
  }

  /** Takes the name off a temporary file; both connections keep what they hold. */
  #forget(): void {
    if (this.#temporary === null) return
    if (this.writer.database.isOpen) {
      // Once written and once read: no file of the journal is opened by its name any more.
      this.writer.database.exec('create table named (a); drop table named')
      this.reader.database.exec('select count(*) from sqlite_master')
    }
    try {
      rmSync(this.#temporary, { recursive: true, force: true })
    } catch {
      // Some systems keep a file while it is open: then it goes when it is closed.
    }
  }
}

function side(database: DatabaseSync): SqliteSide {
  const folded = (text: unknown) => (typeof text === 'string' ? fold(text) : null)
  database.function(FOLD, { deterministic: true }, folded)
  database.function(AT_PATH, { deterministic: true }, atPath)
  database.function(TIME_TEXT, { deterministic: true }, sqliteTimeText)
  database.function(PRODUCT, { deterministic: true, useBigIntArguments: true }, product)
  return { database, statements: new StatementCache(database) }
}

/** Whether the file and its folder take writes; throws when the file is locked or is no database. */
function isWritable(database: DatabaseSync): boolean {
  try {
    database.exec('begin immediate; rollback')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === READ_ONLY) return false
    throw error
  }
}

const READ_ONLY = 8
