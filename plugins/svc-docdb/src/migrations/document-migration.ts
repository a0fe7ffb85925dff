/**
 * What a migration does, on documents: each step is kept when it has ended. Every step can be begun again where it was
 * cut short, and leaves alone what is as it should be.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Collection, Db, Document } from 'mongodb'
import {
  type ColumnData,
  type ConversionData,
  columnConversion,
  filledValue,
  isChecked,
  isConverted,
  type MigratedColumn,
  type MigratedIndex,
  type MigrationContext,
  missingData,
  refusedValues,
  type StoredRow,
  type TableShape,
  unexpectedState
} from 'svc-orm'
import { type ColumnPlan, columnName } from 'svc-stores/table'
import { isDuplicateKey } from '../connection/storage-failure.ts'
import { collectionIndexes } from '../schema/collection-indexes.ts'
import { DocumentColumns, objectIds } from '../table/document-columns.ts'
import { dropCollection, dropIndex, renameCollection } from './collection-changes.ts'
import { changeDocuments } from './document-batches.ts'
import type { MigrationLease } from './migration-lease.ts'
import type { MigrationProgress } from './migration-progress.ts'

/** Holds the values of a new type, until all of them are there. */
const NEXT = 'svc_next'

const ID: ColumnPlan = { name: 'id', type: 'id' }

export interface DocumentMigrationParts {
  readonly db: Db
  /** What keeps the documents of an entity. */
  readonly collectionOf: (entity: string) => string
  readonly lease: MigrationLease
  /** `null`: steps are shown, and nothing is done. */
  readonly progress: MigrationProgress | null
  readonly show: (text: string) => void
}

interface ChangedDocuments {
  readonly filter: Document
  readonly keepsNull?: boolean
  /** Where it is not, a run that is cut short begins again before the batch that has what is in the way. */
  readonly isSound?: () => boolean
}

export class DocumentMigration implements MigrationContext {
  readonly vendor = 'mongodb'
  readonly #parts: DocumentMigrationParts
  #at = 'its beginning'
  #inStep = false

  constructor(parts: DocumentMigrationParts) {
    this.#parts = parts
  }

  /** What runs, for the message where it fails. */
  get at(): string {
    return this.#at
  }

  /** The collection comes with its first document. */
  async createTable(entity: string, { indexes = [] }: TableShape): Promise<void> {
    for (const index of indexes) await this.addIndex(entity, index)
  }

  async dropTable(entity: string): Promise<void> {
    await this.#once(`dropTable ${entity}`, () => dropCollection(this.#collection(entity)))
  }

  async renameTable(from: string, to: string): Promise<void> {
    const { db, collectionOf } = this.#parts
    await this.#once(`renameTable ${from} to ${to}`, () => renameCollection(db, collectionOf(from), collectionOf(to)))
  }

  async addColumn(entity: string, column: MigratedColumn, { fill }: ColumnData = {}): Promise<void> {
    await this.#once(`addColumn ${entity}.${column.name}`, () => this.#fill(entity, column, fill))
  }

  async dropColumn(entity: string, name: string): Promise<void> {
    await this.#once(`dropColumn ${entity}.${name}`, async () => {
      await this.#collection(entity).updateMany({ [name]: { $exists: true } }, { $unset: { [name]: '' } })
    })
  }

  /** A document that has both was written since: its new value is the later one. */
  async renameColumn(entity: string, from: string, to: string): Promise<void> {
    await this.#once(`renameColumn ${entity}.${from} to ${to}`, async () => {
      const documents = this.#collection(entity)
      const both = { [from]: { $exists: true }, [to]: { $exists: false } }
      await documents.updateMany(both, { $rename: { [from]: to } })
      await documents.updateMany({ [from]: { $exists: true } }, { $unset: { [from]: '' } })
    })
  }

  async changeColumn(
    entity: string,
    from: MigratedColumn,
    to: MigratedColumn,
    data: ConversionData = {}
  ): Promise<void> {
    if (from.name !== to.name) throw unexpectedState(`a column changes, and its name with it: ${from.name}, ${to.name}`)
    if (isConverted(from, to) || data.convert !== undefined) {
      await this.#once(`convert ${entity}.${to.name}`, () => this.#convert(entity, from, to, data))
      await this.#once(`replace ${entity}.${to.name}`, () => this.#replace(entity, to.name))
    }
    // A default is filled in by the repository: only what must not be null is filled here.
    if (to.nullable === true && data.fill === undefined) return
    await this.#once(`fill ${entity}.${to.name}`, () => this.#fill(entity, to, data.fill))
  }

  async addIndex(entity: string, index: MigratedIndex): Promise<void> {
    if (index.on === 'sql') return
    await this.#once(`addIndex ${entity} (${index.columns.map(columnName).join(', ')})`, async () => {
      try {
        await this.#collection(entity).createIndexes(descriptions(index))
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        const fields = index.columns.map(columnName).join(', ')
        throw missingData(`documents of ${entity} hold the same ${fields}, which is to be unique`, 'change them before')
      }
    })
  }

  async dropIndex(entity: string, index: MigratedIndex): Promise<void> {
    if (index.on === 'sql') return
    await this.#once(`dropIndex ${entity} (${index.columns.map(columnName).join(', ')})`, async () => {
      for (const { name } of descriptions(index)) await dropIndex(this.#collection(entity), name ?? '')
    })
  }

  async eachRow(
    entity: string,
    columns: readonly ColumnPlan[],
    change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  ): Promise<void> {
    await this.#once(`eachRow ${entity}`, () => this.#change(entity, columns, columns, { filter: {} }, change))
  }

  async step(name: string, work: () => Promise<void>): Promise<void> {
    await this.#once(`step ${name}`, work)
  }

  native<Native>(): Native {
    if (this.#parts.progress === null && !this.#inStep) {
      throw unexpectedState('native() outside of a step does what no preview can undo: put it into step(name, work)')
    }
    return this.#parts.db as Native
  }

  async #once(step: string, work: () => Promise<void>): Promise<void> {
    const { progress, lease, show } = this.#parts
    this.#at = step
    if (progress === null) return show(step)
    if (progress.isDone(step)) return
    lease.check()
    this.#inStep = true
    await work()
    this.#inStep = false
    await progress.ended(step)
  }

  #collection(entity: string): Collection {
    return this.#parts.db.collection(this.#parts.collectionOf(entity))
  }

  /** The values of the new type, in a field beside the old one: what was read is never overwritten while it is read. */
  async #convert(entity: string, from: MigratedColumn, to: MigratedColumn, data: ConversionData): Promise<void> {
    const converted = columnConversion(from, to, data, objectIds)
    const isKept = isChecked(from, to)
    const refused: string[] = []
    const there = { [from.name]: { $ne: null } }
    const place = { filter: there, keepsNull: true, isSound: () => refused.length === 0 }
    await this.#change(entity, [from], [{ ...to, name: NEXT }], place, (row) => {
      const value = row[from.name]
      if (value === null) return null
      const result = converted(value)
      if (result === undefined) refused.push(row.id)
      return result === undefined || (isKept && isDeepStrictEqual(result, value)) ? null : { [NEXT]: result }
    })
    if (refused.length === 0) return
    // From the beginning next time: what is in the way is to be corrected first.
    await this.#parts.progress?.reached(null)
    await this.#collection(entity).updateMany({ [NEXT]: { $exists: true } }, { $unset: { [NEXT]: '' } })
    throw refusedValues(`${entity}.${to.name}`, from, to, refused)
  }

  async #replace(entity: string, name: string): Promise<void> {
    const documents = this.#collection(entity)
    // A conversion to null: what is null is absent from its document.
    const emptied = { [NEXT]: { $exists: true, $eq: null } }
    await documents.updateMany(emptied, { $unset: { [name]: '', [NEXT]: '' } })
    await documents.updateMany({ [NEXT]: { $exists: true } }, { $rename: { [NEXT]: name } }).catch((error) => {
      if (!isDuplicateKey(error)) throw error
      throw missingData(`documents of ${entity} become the same ${name}, which is unique`, 'change them before')
    })
  }

  #change(
    entity: string,
    columns: readonly ColumnPlan[],
    written: readonly ColumnPlan[],
    { filter, keepsNull = false, isSound = () => true }: ChangedDocuments,
    change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  ): Promise<void> {
    const { progress, lease, show } = this.#parts
    const documents = this.#collection(entity)
    return changeDocuments({
      documents,
      filter,
      keepsNull,
      read: plan(columns),
      written: plan(written),
      change,
      place: progress?.place ?? null,
      reached: async (place, count) => {
        lease.check()
        if (isSound()) await progress?.reached(place)
        show(`${entity}: ${count} documents`)
      }
    })
  }

  /** @throws where documents hold nothing, and nothing is given for them */
  async #fill(entity: string, column: MigratedColumn, fill: unknown): Promise<void> {
    const value = filledValue(column, fill)
    const documents = this.#collection(entity)
    const empty = { [column.name]: null }
    if (value !== undefined && value !== null) {
      await documents.updateMany(empty, { $set: { [column.name]: plan([column]).write(column.name, value) } })
      return
    }
    if (column.nullable === true) return
    const count = await documents.countDocuments(empty)
    if (count === 0) return
    const what = `${count} documents of ${entity} hold nothing in ${column.name}, which is required`
    throw missingData(what, 'give fill, or let it be null')
  }
}

function plan(columns: readonly ColumnPlan[]): DocumentColumns {
  return new DocumentColumns({ name: 'migration', columns: [ID, ...columns] })
}

function descriptions({ nullable = [], ...index }: MigratedIndex) {
  const names = index.columns.map(columnName).filter((name) => name !== 'id')
  const columns = names.map((name) => ({ name, type: 'text' as const, nullable: nullable.includes(name) }))
  return collectionIndexes({ name: 'migration', columns: [ID, ...columns], indexes: [index] })
}
