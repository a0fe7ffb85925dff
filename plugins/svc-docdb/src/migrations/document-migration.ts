/**
 * What a migration does, on documents: each step takes effect when it ends. Every step can be begun again where it was
 * cut short, and leaves alone what is as it should be.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Collection, Document } from 'mongodb'
import type { MigrationContext } from 'svc-orm'
import {
  type ColumnData,
  type ConversionData,
  columnConversion,
  type DropData,
  type FoundPart,
  filledValue,
  foldedChange,
  isChecked,
  isConverted,
  type MigratedColumn,
  type MigratedIndex,
  type MigratedReference,
  missingData,
  refusedValues,
  type StoredRow,
  type TableShape,
  unexpectedState
} from 'svc-orm/driver'
import { type ColumnPlan, columnName } from 'svc-stores/table'
import { isDuplicateKey } from '../connection/storage-failure.ts'
import { indexDescription } from '../schema/collection-indexes.ts'
import { objectIds } from '../table/document-columns.ts'
import { dropCollection, dropIndex, indexStep, renameCollection } from './collection-changes.ts'
import { changeDocuments } from './document-batches.ts'
import type { DocumentMigrationParts } from './document-migration-parts.ts'
import { refuseDangling } from './document-references.ts'
import { migratedColumns } from './migrated-columns.ts'
import { renameField, StandingDocuments } from './standing-documents.ts'

/** Holds the values of a new type, until all of them are there. */
const NEXT = 'svc_next'

/** Work outside of steps, while what a way back deletes is counted: it is not done, and so not counted. */
export class UncountedWork extends Error {}
interface ChangedDocuments {
  readonly filter: Document
  readonly keepsNull?: boolean
  /** Where it is not, a run that is cut short begins again before the batch that has what is in the way. */
  readonly isSound?: () => boolean
}

export class DocumentMigration implements MigrationContext {
  readonly vendor = 'mongodb'
  readonly #parts: DocumentMigrationParts
  readonly #standing: StandingDocuments
  #at = 'its beginning'
  #inStep = false
  #isOwn = false

  constructor(parts: DocumentMigrationParts) {
    this.#parts = parts
    const { db, collectionOf, found, progress } = parts
    const note = async (part: FoundPart) => progress?.found(part)
    this.#standing = new StandingDocuments({ db, collectionOf, found, note })
  }

  /** What runs, for the message where it fails. */
  get at(): string {
    return this.#at
  }

  /** It has work of its own, that no step describes. */
  get isOwn(): boolean {
    return this.#isOwn
  }

  /** The collection comes with its first document: one that has any is taken as it is, where that is what is wanted. */
  async createTable(entity: string, shape: TableShape): Promise<void> {
    await this.#once(`createTable ${entity}`, async () => {
      if (!(await this.#standing.finds(entity, shape))) return
      for (const column of shape.columns) await this.#standing.findsColumn(entity, column)
      for (const column of shape.columns)
        if (column.name !== 'id' && column.nullable !== true) await this.#fill(entity, column, undefined)
    })
    for (const column of shape.columns) await this.#foldInto(entity, column)
    for (const index of shape.indexes ?? []) await this.addIndex(entity, index)
  }

  async dropTable(entity: string): Promise<void> {
    const { found, losses } = this.#parts
    if (found.table(entity) === undefined) await losses?.table(entity)
    await this.#once(`dropTable ${entity}`, async () => {
      if (!(await this.#standing.leavesTable(entity))) await dropCollection(this.#collection(entity))
    })
  }

  async renameTable(from: string, to: string): Promise<void> {
    const { db, collectionOf, losses } = this.#parts
    await this.#once(`renameTable ${from} to ${to}`, () => renameCollection(db, collectionOf(from), collectionOf(to)))
    losses?.renameTable(from, to)
  }

  async addColumn(entity: string, column: MigratedColumn, { fill }: ColumnData = {}): Promise<void> {
    await this.#once(`addColumn ${entity}.${column.name}`, async () => {
      await this.#standing.findsColumn(entity, column)
      await this.#fill(entity, column, fill)
    })
    await this.#foldInto(entity, column)
  }

  async dropColumn(entity: string, name: string, data: DropData = {}): Promise<void> {
    const { found, losses } = this.#parts
    if (found.column(entity, name) === undefined) await losses?.column(entity, name)
    await this.#once(`dropColumn ${entity}.${name}`, async () => {
      if (await this.#standing.leavesColumn(entity, name)) return
      await this.#standing.decidesDeleted(entity, name, data)
      await this.#collection(entity).updateMany({ [name]: { $exists: true } }, { $unset: { [name]: '' } })
    })
  }

  async renameColumn(entity: string, from: string, to: string): Promise<void> {
    await this.#once(`renameColumn ${entity}.${from} to ${to}`, () => renameField(this.#collection(entity), from, to))
    this.#parts.losses?.renameColumn(entity, from, to)
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
    await this.#once(indexStep('addIndex', entity, index), async () => {
      try {
        await this.#collection(entity).createIndexes([indexDescription(index)])
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        const fields = index.columns.map(columnName).join(', ')
        throw missingData(`documents of ${entity} hold the same ${fields}, which must be unique`, 'change them first')
      }
    })
  }

  async dropIndex(entity: string, index: MigratedIndex): Promise<void> {
    if (index.on === 'sql') return
    const drop = () => dropIndex(this.#collection(entity), indexDescription(index).name ?? '')
    await this.#once(indexStep('dropIndex', entity, index), drop)
  }

  async addReference(entity: string, reference: MigratedReference): Promise<void> {
    const { column, to, existing } = reference
    const owners = this.#parts.db.collection(existing?.table ?? this.#parts.collectionOf(to))
    await this.#once(`addReference ${entity}.${column}`, () =>
      refuseDangling(entity, reference, this.#collection(entity), owners)
    )
  }

  /** Nothing of it is stored. */
  async dropReference(entity: string, { column }: MigratedReference): Promise<void> {
    await this.#once(`dropReference ${entity}.${column}`, async () => undefined)
  }

  async eachRow(
    entity: string,
    columns: readonly ColumnPlan[],
    change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  ): Promise<void> {
    await this.#once(`eachRow ${entity}`, () => this.#change(entity, columns, columns, { filter: {} }, change))
  }

  async step(name: string, work: () => Promise<void>): Promise<void> {
    this.#isOwn = true
    await this.#once(`step ${name}`, work)
  }

  native<Native>(): Native {
    this.#isOwn = true
    if (this.#parts.progress === null && !this.#inStep) {
      if (this.#parts.losses !== null) throw new UncountedWork()
      throw unexpectedState('a preview cannot undo native() outside of a step: call it inside step(name, work)')
    }
    return this.#parts.db as Native
  }

  async #once(step: string, work: () => Promise<void>): Promise<void> {
    const { progress, lease, show, reached } = this.#parts
    this.#at = step
    reached(step)
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
      throw missingData(
        `several documents of ${entity} would get the same ${name}, which must be unique`,
        'change them first'
      )
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
      read: migratedColumns(columns),
      written: migratedColumns(written),
      change,
      place: progress?.place ?? null,
      reached: async (place, count) => {
        lease.check()
        if (isSound()) await progress?.reached(place)
        show(`${entity}: ${count} documents`)
      }
    })
  }

  async #foldInto(entity: string, column: MigratedColumn): Promise<void> {
    const folded = foldedChange(column)
    if (folded === null) return
    const work = () => this.#change(entity, folded.read, folded.written, { filter: {} }, folded.change)
    await this.#once(`fold ${entity}.${column.name}`, work)
  }

  /** @throws where documents hold nothing, and nothing is given for them */
  async #fill(entity: string, column: MigratedColumn, fill: unknown): Promise<void> {
    const value = filledValue(column, fill)
    const documents = this.#collection(entity)
    const empty = { [column.name]: null }
    if (value !== undefined && value !== null) {
      await documents.updateMany(empty, {
        $set: { [column.name]: migratedColumns([column]).write(column.name, value) }
      })
      return
    }
    if (column.nullable === true) return
    const count = await documents.countDocuments(empty)
    if (count === 0) return
    const what = `${count} documents of ${entity} have no ${column.name}, which is required`
    throw missingData(what, 'add fill, or make the column nullable')
  }
}
