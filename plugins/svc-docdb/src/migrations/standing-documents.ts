/**
 * What a migration meets among documents: collections and fields under the names before, which it takes over, and what a
 * way back leaves as it was found.
 */
import type { Collection, Db, IndexDescriptionInfo } from 'mongodb'
import {
  type DropData,
  type FoundInPlace,
  type FoundPart,
  rowsComeBack,
  type TableShape,
  unexpectedState
} from 'svc-orm/driver'
import type { ColumnPlan } from 'svc-stores/table'
import { holds, indexesOf } from '../schema/document-drift.ts'
import { dropIndex, renameCollection } from './collection-changes.ts'

export interface StandingDocumentsParts {
  readonly db: Db
  readonly collectionOf: (entity: string) => string
  readonly found: FoundInPlace
  /** Kept before it is acted on. */
  readonly note: (found: FoundPart) => Promise<void>
}

export class StandingDocuments {
  readonly #parts: StandingDocumentsParts

  constructor(parts: StandingDocumentsParts) {
    this.#parts = parts
  }

  /** Whether the collection has documents, under this name or the one before, which it then has no more. */
  async finds(entity: string, { was, columns }: TableShape): Promise<boolean> {
    const { db, collectionOf, note } = this.#parts
    const former = was !== undefined && (await this.#isEmpty(entity)) && !(await this.#isEmpty(was)) ? was : undefined
    if (former === undefined && (await this.#isEmpty(entity))) return false
    await this.#checkTypes(former ?? entity, columns)
    await note({ entity, ...(former !== undefined && { was: former }) })
    if (former !== undefined) await renameCollection(db, collectionOf(former), collectionOf(entity))
    return true
  }

  /** A field that documents have, under this name or the one before, which it then has no more. */
  async findsColumn(entity: string, column: ColumnPlan): Promise<boolean> {
    const { note } = this.#parts
    const [documents, { name, was }] = [this.#collection(entity), column]
    const has = async (field: string) => (await documents.findOne({ [field]: { $exists: true } })) !== null
    const former = was !== undefined && (await has(was)) ? was : undefined
    if (former === undefined && !(await has(name))) return false
    const both = { [name]: { $ne: null }, [former ?? '']: { $ne: null } }
    if (former !== undefined && (await documents.findOne(both)) !== null) {
      throw unexpectedState(`documents of ${entity} hold ${name} beside ${former}, its previous name`)
    }
    await note({ entity, column, ...(former !== undefined && { was: former }) })
    if (former !== undefined) await moveField(documents, former, name)
    return true
  }

  /** @returns whether the collection was found, and is left as it was */
  async leavesTable(entity: string): Promise<boolean> {
    const { db, collectionOf, found } = this.#parts
    const left = found.table(entity)
    if (left === undefined) return false
    for (const { column } of found.columns(entity)) await this.leavesColumn(entity, column.name)
    if (left.was !== undefined) await renameCollection(db, collectionOf(entity), collectionOf(left.was))
    return true
  }

  /** @returns whether the field was found, and is left as it was */
  async leavesColumn(entity: string, name: string): Promise<boolean> {
    const left = this.#parts.found.column(entity, name)
    if (left === undefined) return false
    if (left.was !== undefined) await moveField(this.#collection(entity), name, left.was)
    return true
  }

  /** @throws BootError where documents are deleted, and what becomes of them is not said */
  async decidesDeleted(entity: string, column: string, data: DropData): Promise<void> {
    if (!Object.hasOwn(data, 'deleted')) return
    const documents = this.#collection(entity)
    const filter = { [column]: { $ne: null } }
    const count = await documents.countDocuments(filter)
    if (count > 0 && data.deleted === undefined) throw rowsComeBack(count, entity, column)
    if (data.deleted === 'remove') await documents.deleteMany(filter)
  }

  /** Before anything is renamed. @throws BootError where documents hold another type in one of these columns */
  async #checkTypes(entity: string, columns: readonly ColumnPlan[]): Promise<void> {
    const own = columns.filter(({ name }) => name !== 'id')
    for await (const document of this.#collection(entity).find({})) {
      const stray = own.find((column) => {
        const value = (document[column.name] ?? (column.was === undefined ? null : document[column.was])) as unknown
        return value !== null && value !== undefined && !holds(column, value)
      })
      if (stray === undefined) continue
      const at = `${entity}.${stray.was ?? stray.name}`
      throw unexpectedState(`${at} has another type than ${stray.type}, for example in the document ${document._id}`)
    }
  }

  #collection(entity: string): Collection {
    return this.#parts.db.collection(this.#parts.collectionOf(entity))
  }

  async #isEmpty(entity: string): Promise<boolean> {
    return (await this.#collection(entity).findOne({}, { projection: { _id: 1 } })) === null
  }
}

/** An index over the name that goes would hold nothing, and meanwhile refuse what is unique under the new one. */
async function moveField(documents: Collection, from: string, to: string): Promise<void> {
  const names = ({ key, partialFilterExpression }: IndexDescriptionInfo) =>
    Object.keys({ ...key, ...partialFilterExpression })
  const stale = (await indexesOf(documents)).filter((index) => names(index).includes(from))
  for (const { name } of stale) await dropIndex(documents, name ?? '')
  await renameField(documents, from, to)
}

/** A document that has both was written since: its new value is the later one. */
export async function renameField(documents: Collection, from: string, to: string): Promise<void> {
  const both = { [from]: { $exists: true }, [to]: { $exists: false } }
  await documents.updateMany(both, { $rename: { [from]: to } })
  await documents.updateMany({ [from]: { $exists: true } }, { $unset: { [from]: '' } })
}
