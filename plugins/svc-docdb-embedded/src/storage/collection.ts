/**
 * A collection: its records by number, its indexes, and the three ways a record changes. A change checks conflicts and
 * unique keys first and then happens whole, without a pause between.
 */
import { Int32 } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { CollectionIndex } from '../indexes/collection-index.ts'
import { type IndexDefinition, readIndexDefinition } from '../indexes/index-definition.ts'
import { Blocked, type Transaction, type Transactions, writeConflict } from '../transactions/transactions.ts'
import type { Document } from '../values/value.ts'
import type { Journal } from './journal.ts'
import { StoredRecord } from './stored-record.ts'
import { checkUnique } from './unique-keys.ts'

/** The first index of every collection. */
const ID_INDEX: IndexDefinition = {
  ...readIndexDefinition(new Map(Object.entries({ key: new Map([['_id', new Int32(1)]]), name: '_id_' }))),
  unique: true
}

export interface CollectionParts {
  readonly id: string
  readonly database: string
  readonly name: string
  readonly options: Document
  readonly transactions: Transactions
  readonly journal: Journal
}

export class Collection {
  readonly id: string
  readonly database: string
  readonly name: string
  readonly options: Document
  readonly indexes: CollectionIndex[] = [new CollectionIndex(ID_INDEX)]
  readonly records = new Map<number, StoredRecord>()
  readonly #transactions: Transactions
  readonly #journal: Journal
  /** Records that keep more than their last version, for a transaction that may read it. */
  readonly #layered = new Set<StoredRecord>()
  #lastNumber = 0
  #tidiedAt = 0

  constructor({ id, database, name, options, transactions, journal }: CollectionParts) {
    this.id = id
    this.database = database
    this.name = name
    this.options = options
    this.#transactions = transactions
    this.#journal = journal
  }

  get namespace(): string {
    return `${this.database}.${this.name}`
  }

  /** Adds a document; it must carry its `_id` first. */
  insert(document: Document, writer: Transaction | null): void {
    this.#check(document, null, writer)
    this.#lastNumber += 1
    const record = new StoredRecord(this.#lastNumber)
    this.records.set(record.number, record)
    this.#change(record, document, writer)
  }

  /** @throws Blocked or CommandError 112 when another transaction has the record */
  replace(record: StoredRecord, document: Document, writer: Transaction | null): void {
    this.#claim(record, writer)
    this.#check(document, record, writer)
    this.#change(record, document, writer)
  }

  remove(record: StoredRecord, writer: Transaction | null): void {
    this.#claim(record, writer)
    this.#change(record, null, writer)
  }

  /** Adds a record that was read from the file; it was checked when it was written. */
  restore(number: number, document: Document): void {
    const record = new StoredRecord(number)
    record.versions = [{ document, timestamp: 0 }]
    this.records.set(number, record)
    this.#lastNumber = Math.max(this.#lastNumber, number)
    for (const index of this.indexes) index.replace(number, [], [document])
  }

  /** Fills and adds an index. @throws CommandError 11000 when its keys are not unique */
  addIndex(definition: IndexDefinition): void {
    const index = new CollectionIndex(definition)
    for (const record of this.records.values()) {
      const { latest } = record
      if (latest !== null) checkUnique({ index, collection: this, document: latest, own: record, writer: null })
      index.replace(record.number, [], record.documents)
    }
    this.indexes.push(index)
  }

  removeIndex(index: CollectionIndex): void {
    this.indexes.splice(this.indexes.indexOf(index), 1)
  }

  /** @returns restores the present indexes, when later ones could not be made durable */
  keepIndexes(): () => void {
    const now = [...this.indexes]
    return () => void this.indexes.splice(0, this.indexes.length, ...now)
  }

  /** The transaction that has changed something here, if any. */
  get busyWith(): Transaction | null {
    const changesHere = ({ changes }: Transaction) => [...changes].some(({ where }) => where === this)
    return [...this.#transactions.active].find(changesHere) ?? null
  }

  /** Ends a pending change: it becomes a version, or is dropped where there is no timestamp. */
  #settle(record: StoredRecord, timestamp: number | null): void {
    const { pending, versions } = record
    if (pending === null) return
    const before = record.documents
    record.pending = null
    if (timestamp !== null) {
      record.versions = [...versions, { document: pending.document, timestamp }]
      this.#journal.saveRecord(this.id, record.number, pending.document, () => this.#undo(record, versions))
    }
    this.#tidy(record, before)
  }

  #change(record: StoredRecord, document: Document | null, writer: Transaction | null): void {
    const before = record.documents
    const { versions } = record
    if (writer === null) {
      record.versions = [...versions, { document, timestamp: this.#transactions.nextTimestamp() }]
      this.#journal.saveRecord(this.id, record.number, document, () => this.#undo(record, versions))
    } else {
      const settle = (timestamp: number | null) => this.#settle(record, timestamp)
      if (record.pending === null) writer.changes.add({ where: this, settle })
      record.pending = { document, owner: writer }
    }
    this.#tidy(record, before)
  }

  /** Restores the record for every reader: its change could not be made durable. */
  #undo(record: StoredRecord, versions: StoredRecord['versions']): void {
    const before = record.documents
    record.versions = versions
    this.records.set(record.number, record)
    this.#index(record, before, this.#transactions.oldestSnapshot)
  }

  #tidy(record: StoredRecord, before: readonly Document[]): void {
    const { oldestSnapshot } = this.#transactions
    this.#index(record, before, oldestSnapshot)
    if (oldestSnapshot === this.#tidiedAt) return
    this.#tidiedAt = oldestSnapshot
    for (const layered of this.#layered) this.#index(layered, layered.documents, oldestSnapshot)
  }

  #index(record: StoredRecord, before: readonly Document[], oldestSnapshot: number): void {
    record.prune(oldestSnapshot)
    if (record.versions.length > 1) this.#layered.add(record)
    else this.#layered.delete(record)
    for (const index of this.indexes) index.replace(record.number, before, record.documents)
    if (record.isEmpty) this.records.delete(record.number)
  }

  #claim(record: StoredRecord, writer: Transaction | null): void {
    if (record.pending !== null && record.pending.owner !== writer) {
      if (writer === null) throw new Blocked(record.pending.owner)
      throw writeConflict()
    }
    if (writer !== null && (record.versions.at(-1)?.timestamp ?? 0) > writer.snapshot) throw writeConflict()
  }

  #check(document: Document, own: StoredRecord | null, writer: Transaction | null): void {
    for (const index of this.indexes) checkUnique({ index, collection: this, document, own, writer })
  }
}

/** @throws CommandError 73 for a name no collection can have */
export function checkCollectionName(database: string, name: string): void {
  const wrong =
    name === '' || name.startsWith('.') || name.endsWith('.') || /[$\0]/.test(name) || name.startsWith('system.')
  if (wrong || /[/\\. "$*<>:|?\0]/.test(database) || database === '') {
    throw new CommandError(73, `Invalid namespace specified '${database}.${name}'`)
  }
}
