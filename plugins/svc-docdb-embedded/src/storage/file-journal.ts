/**
 * The journal in one file of SQLite. The changes of a command are written in one transaction before it is answered, so
 * that every acknowledged write survives a kill of the process. The file belongs to one engine at a time, and is
 * readable by its owner only.
 */
import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { CommandError } from '../failure/command-error.ts'
import { readIndexDefinition } from '../indexes/index-definition.ts'
import { decodeDocument } from '../values/decode.ts'
import { encodeDocument } from '../values/encode.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'
import { Catalog } from './catalog.ts'
import type { Journal, SavedCollection } from './journal.ts'

/** Written into the file, and checked when it is opened. */
const FORMAT = 1

const OWNER_ONLY = 0o600

/** The code of MongoDB for a full disk. */
const OUT_OF_DISK_SPACE = 14_031

/**
 * SQLite's log is written over once its pages are in the file, so on a full disk it takes writes until its own room is used.
 * A small one says soon that the disk is full; SQLite's own size of 1 000 pages took seconds.
 */
const LOG_PAGES = 250

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (id TEXT PRIMARY KEY, description BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS records (
    collection TEXT NOT NULL, number INTEGER NOT NULL, document BLOB NOT NULL, PRIMARY KEY (collection, number)
  ) STRICT, WITHOUT ROWID;
`

interface Change {
  readonly write: () => void
  readonly undo: () => void
}

/**
 * The catalogue that a file holds; it writes its changes there.
 *
 * @throws when the file is locked by another engine, is no database, or is of another format
 */
export function openCatalog(path: string): Catalog {
  const journal = new FileJournal(path)
  const catalog = new Catalog(journal)
  try {
    journal.load(catalog)
  } catch (error) {
    journal.close()
    throw error
  }
  return catalog
}

class FileJournal implements Journal {
  readonly persistent = true
  readonly #database: DatabaseSync
  readonly #statements: Readonly<Record<'collection' | 'drop' | 'clear' | 'record' | 'remove', StatementSync>>
  #changes: Change[] = []
  /** The changes of a `flush` that failed. */
  #refused: Change[] = []

  constructor(path: string) {
    closeSync(openSync(path, 'a', OWNER_ONLY))
    // An existing file may have more rights. SQLite gives the rights of the file to its log.
    chmodSync(path, OWNER_ONLY)
    this.#database = new DatabaseSync(path)
    try {
      this.#database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL')
      this.#database.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA journal_size_limit = ${LOG_PAGES * 4096}`)
      this.#database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT')
      const version = Number(this.#database.prepare('PRAGMA user_version').get()?.user_version)
      if (version !== 0 && version !== FORMAT) throw new Error(`the file has format ${version}, not ${FORMAT}`)
      this.#database.exec(`${SCHEMA} PRAGMA user_version = ${FORMAT}`)
      const prepare = (sql: string) => this.#database.prepare(sql)
      this.#statements = {
        collection: prepare('INSERT OR REPLACE INTO collections (id, description) VALUES (?, ?)'),
        drop: prepare('DELETE FROM collections WHERE id = ?'),
        clear: prepare('DELETE FROM records WHERE collection = ?'),
        record: prepare('INSERT OR REPLACE INTO records (collection, number, document) VALUES (?, ?, ?)'),
        remove: prepare('DELETE FROM records WHERE collection = ? AND number = ?')
      }
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Reads everything back into an empty catalogue. */
  load(catalog: Catalog): void {
    for (const { id, description } of this.#database.prepare('SELECT id, description FROM collections').all()) {
      this.#loadCollection(catalog, String(id), bytesOf(description))
    }
  }

  saveCollection({ id, description }: SavedCollection, undo: () => void): void {
    const bytes = encodeDocument(description)
    this.#changes.push({ write: () => this.#statements.collection.run(id, bytes), undo })
  }

  dropCollection(id: string, undo: () => void): void {
    const write = () => {
      this.#statements.drop.run(id)
      this.#statements.clear.run(id)
    }
    this.#changes.push({ write, undo })
  }

  saveRecord(collection: string, record: number, document: Document | null, undo: () => void): void {
    const write = () => {
      if (document === null) this.#statements.remove.run(collection, record)
      else this.#statements.record.run(collection, record, encodeDocument(document))
    }
    this.#changes.push({ write, undo })
  }

  onUndo(undo: () => void): void {
    this.#changes.push({ write: () => undefined, undo })
  }

  flush(): void {
    if (this.#changes.length === 0) return
    const changes = this.#changes
    this.#changes = []
    try {
      this.#database.exec('BEGIN')
      for (const { write } of changes) write()
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      this.#refused = changes
      const reason = error instanceof Error ? error.message : String(error)
      throw new CommandError(OUT_OF_DISK_SPACE, `the data file cannot be written: ${reason}`)
    }
  }

  undo(): void {
    for (const { undo } of this.#refused.reverse()) undo()
    this.#refused = []
  }

  close(): void {
    this.#database.close()
  }

  #loadCollection(catalog: Catalog, id: string, bytes: Buffer): void {
    const description = decodeDocument(bytes)
    const options = description.get('options')
    const collection = catalog.adopt(
      id,
      textOf(description.get('database')),
      textOf(description.get('name')),
      isDocument(options) ? options : new Map()
    )
    const rows = this.#database
      .prepare('SELECT number, document FROM records WHERE collection = ? ORDER BY number')
      .all(id)
    for (const { number, document } of rows) collection.restore(Number(number), decodeDocument(bytesOf(document)))
    const indexes = description.get('indexes')
    for (const specification of Array.isArray(indexes) ? indexes.filter(isDocument) : []) {
      collection.addIndex(readIndexDefinition(specification))
    }
  }
}

function bytesOf(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  throw new TypeError('the file holds something that is no document')
}

function textOf(value: Value | undefined): string {
  if (typeof value === 'string') return value
  throw new TypeError('the file holds a collection without a name')
}
