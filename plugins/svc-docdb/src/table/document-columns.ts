/**
 * Rows of one table as documents. Compiled once per plan. A column that holds null is absent from its document: so
 * counters start at 0, `$min` takes its value, and unique indexes leave the row alone.
 */
import type { Document, Sort } from 'mongodb'
import mongoose from 'mongoose'
import {
  byKey,
  type ColumnPlan,
  type Condition,
  columnOf,
  type IdForm,
  type IndexCondition,
  type Order,
  type SortKey,
  saysAll,
  type TablePlan,
  uniqueColumns
} from 'svc-stores/table'
import { fieldOf } from '../schema/collection-indexes.ts'
import { DOCUMENT_TYPES } from '../schema/document-types.ts'
import { documentPath } from './document-path.ts'

const { ObjectId } = mongoose.mongo

const OBJECT_ID = /^[0-9a-f]{24}$/

/** Ids as ObjectIds: 12 bytes, made from the time, the process and a counter, so that they sort as they were made. */
export const objectIds: IdForm = Object.freeze({
  description: 'an id of 24 hexadecimal digits in lower case',
  generate: () => new ObjectId().toHexString(),
  accepts: (id: string) => OBJECT_ID.test(id)
})

type Convert = (value: unknown) => unknown

interface DocumentColumn {
  readonly name: string
  readonly field: string
  /** `null`: BSON keeps the value as it is. */
  readonly write: Convert | null
  readonly read: Convert | null
  /** Of one value, in a condition or of a list; `null`: as it is. */
  readonly operand: Convert | null
  /** What a row has where the document has nothing. */
  readonly absent: () => unknown
}

const NONE: readonly string[] = Object.freeze([])

export class DocumentColumns {
  readonly plan: TablePlan
  readonly #columns: readonly DocumentColumn[]
  readonly #byName: ReadonlyMap<string, DocumentColumn>
  /** Columns of which a value belongs to one row, of those that meet what is said with it. */
  readonly #unique: ReadonlyMap<string, readonly IndexCondition[]>
  readonly #byKey: Sort

  constructor(plan: TablePlan) {
    this.plan = plan
    this.#columns = plan.columns.map((column) => compiled(column, fieldOf(plan, column.name)))
    this.#byName = new Map(this.#columns.map((column) => [column.name, column]))
    const single = uniqueColumns(plan, 'documents').filter(({ columns }) => columns.length === 1)
    // Of several on one column, the one that asks for least.
    const byNeed = single.toSorted((a, b) => b.of.length - a.of.length)
    this.#unique = new Map(byNeed.map(({ columns, of }) => [columns[0] as string, of]))
    this.#byKey = this.sort(byKey(plan))
  }

  toDocument(row: object): Document {
    const document: Document = {}
    for (const { name, field, write } of this.#columns) {
      const value = (row as Document)[name]
      if (value !== null && value !== undefined) document[field] = write === null ? value : write(value)
    }
    return document
  }

  /** @param without columns that were not read */
  toRow<Row>(document: Document, without: readonly string[] = NONE): Row {
    const row: Record<string, unknown> = {}
    for (const { name, field, read, absent } of this.#columns) {
      if (without.length > 0 && without.includes(name)) continue
      const value: unknown = document[field] ?? null
      row[name] = value === null ? absent() : read === null ? value : read(value)
    }
    return row as Row
  }

  /** The field of a column. @throws TypeError for a column that the plan does not have */
  field(name: string): string {
    return this.#column(name).field
  }

  /** A whole value of a column as its document has it. */
  write(name: string, value: unknown): unknown {
    const { write } = this.#column(name)
    return write === null ? value : write(value)
  }

  /** A value of a column as its row has it, or null. */
  read(name: string, value: unknown): unknown {
    const { read } = this.#column(name)
    return read === null || value === null ? value : read(value)
  }

  /** One value as conditions compare it, or as an item of a list. */
  operand(name: string, value: unknown): unknown {
    const { operand } = this.#column(name)
    return operand === null ? value : operand(value)
  }

  /** Whether a value of the column may be a list, of which a server looks at the items as well. */
  holdsLists(name: string): boolean {
    const { type, list = false } = columnOf(this.plan, name)
    return list || type === 'json'
  }

  /** Whether sums of the column are integers of 64 bits. */
  isWide(name: string): boolean {
    return columnOf(this.plan, name).type === 'bigint'
  }

  /** Fields that a query leaves out. */
  projection(without: readonly string[]): Document {
    return Object.fromEntries(without.map((name) => [this.field(name), 0]))
  }

  /** Default: by key. What follows a unique column decides nothing, and would keep the server from using its index. */
  sort(order?: Order): Sort {
    if (order === undefined) return this.#byKey
    const decides = ({ field, by }: SortKey) =>
      by === undefined && this.#unique.get(field)?.length === 0 && columnOf(this.plan, field).nullable !== true
    const end = order.findIndex(decides)
    const decisive = end === -1 ? order : order.slice(0, end + 1)
    return Object.fromEntries(decisive.map((key) => [this.sortPath(key), key.direction === 'ASC' ? 1 : -1]))
  }

  /** Where documents have what a key sorts by. */
  sortPath({ field, by }: SortKey): string {
    return by?.kind === 'path' ? documentPath(this.field(by.column), by.path) : this.field(field)
  }

  /** Whether no two rows match: an order among one row would only cost the server. */
  namesOneRow(conditions: readonly Condition[]): boolean {
    return conditions.some((condition) => {
      if (condition.operator === 'eq') {
        const of = this.#unique.get(condition.field)
        return of !== undefined && saysAll(conditions, of)
      }
      if (condition.operator !== 'holds') return false
      const { field, item } = condition
      const index = this.plan.itemIndexes?.find(({ column, unique }) => column === field && unique === true)
      return index?.fields?.every((name) => Object.hasOwn(item, name)) ?? false
    })
  }

  #column(name: string): DocumentColumn {
    const column = this.#byName.get(name)
    if (column === undefined) throw new TypeError(`table ${this.plan.name} has no column ${name}`)
    return column
  }
}

function compiled({ name, type, list = false, nullable = false }: ColumnPlan, field: string): DocumentColumn {
  const { write = null, read: readOf } = DOCUMENT_TYPES[type]
  const read: Convert | null = readOf === undefined ? null : (value) => readOf(value, name)
  const each = (convert: Convert | null): Convert | null =>
    convert === null || !list ? convert : (values) => (values as unknown[]).map(convert)
  const absent = nullable || !(list || type === 'document') ? () => null : () => (list ? [] : {})
  const operand = type === 'document' ? null : write
  return { name, field, write: each(write), read: each(read), operand, absent }
}
