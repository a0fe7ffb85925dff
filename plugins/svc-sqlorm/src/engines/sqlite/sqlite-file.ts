/**
 * Opens a SQLite database: one connection that writes and one that reads, so
 * that a `select` never waits for a transaction and never sees half of one. A
 * database in memory belongs to its connection: there both are the same.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

  constructor({ path, synchronous }: SqliteFileOptions) {
    if (path === ':memory:') {
      this.writer = this.reader = side(new DatabaseSync(path))
      return
    }
    mkdirSync(dirname(path), { recursive: true })
    const writing = new DatabaseSync(path)
    try {
      // A file that must not be written keeps the journal it has; reading it works all the same.
      if (isWritable(writing)) writing.exec('pragma journal_mode = wal')
      writing.exec(`pragma synchronous = ${synchronous}`)
      this.writer = side(writing)
      this.reader = side(new DatabaseSync(path, { readOnly: true }))
    } catch (error) {
      writing.close()
      throw error
    }
  }

  /** Reads and writes share one connection. */
  get single(): boolean {
    return this.reader === this.writer
  }

  close(): void {
    if (!this.single) this.reader.database.close()
    this.writer.database.close()
  }
}

function side(database: DatabaseSync): SqliteSide {
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
