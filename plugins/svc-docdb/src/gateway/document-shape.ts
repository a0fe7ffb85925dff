/**
 * Rows of one entity as documents, and criteria, changes and order as the
 * server's own. Compiled once per entity. A field that holds null is absent from
 * its document: so counters start at 0, `$min` takes its value, and unique
 * indexes leave the row alone.
 */
import type { Document, Filter, Sort, UpdateFilter } from 'mongodb'
import mongoose from 'mongoose'
import type { CompiledEntity, Condition, ParsedChanges, SortKey, StoredRow } from 'svc-orm'
import { fromBson, toBson } from './json-document.ts'
import { likePattern } from './like-pattern.ts'

const { ObjectId } = mongoose.mongo

type Convert = (value: unknown) => unknown

interface FieldShape {
  readonly name: string
  /** `null`: BSON keeps the value as it is. */
  readonly write: Convert | null
  readonly read: Convert | null
}

const OPERATORS = { eq: '$eq', ne: '$ne', gt: '$gt', gte: '$gte', lt: '$lt', lte: '$lte' } as const

const LISTS = { in: '$in', has: '$in', nin: '$nin', hasnt: '$nin' } as const

export class DocumentShape {
  readonly entity: CompiledEntity
  readonly #fields: readonly FieldShape[]
  /** Fields whose values are ids, besides `id` itself. */
  readonly #references: ReadonlySet<string>
  readonly #writes: ReadonlyMap<string, Convert | null>

  constructor(entity: CompiledEntity) {
    this.entity = entity
    this.#fields = [...entity.fields.values()].map(({ name, type, array }) => shapeOf(name, type, array))
    this.#references = new Set([...entity.fields.values()].filter(({ type }) => type === 'id').map(({ name }) => name))
    this.#writes = new Map(this.#fields.map(({ name, write }) => [name, write]))
  }

  toDocument(row: StoredRow): Document {
    const document: Document = { _id: new ObjectId(row.id) }
    for (const { name, write } of this.#fields) {
      const value = row[name]
      if (value !== null && value !== undefined) document[name] = write === null ? value : write(value)
    }
    return document
  }

  toRow(document: Document): StoredRow {
    const row: { id: string; [field: string]: unknown } = { id: idText(document._id) }
    for (const { name, read } of this.#fields) {
      const value: unknown = document[name] ?? null
      row[name] = value === null || read === null ? value : read(value)
    }
    return row
  }

  /** One test per field stands in the filter itself; more of one field are joined. */
  toFilter(conditions: readonly Condition[]): Filter<Document> {
    const [first] = conditions
    if (first === undefined) return {}
    if (conditions.length === 1) return this.#test(first)
    return { $and: conditions.map((condition) => this.#test(condition)) }
  }

  toUpdate({ set, max, min, add }: ParsedChanges): UpdateFilter<Document> {
    const update: Record<string, Record<string, unknown>> = {}
    const put = (operator: string, name: string, value: unknown) => {
      update[operator] ??= {}
      update[operator][name] = value
    }
    for (const [name, value] of set) {
      if (value === null) put('$unset', name, '')
      else put('$set', name, this.#write(name, value))
    }
    for (const [name, value] of max) put('$max', name, value)
    for (const [name, value] of min) put('$min', name, value)
    for (const [name, value] of add) put('$inc', name, value)
    return update
  }

  /** What an upsert writes besides the fields that its filter names. */
  toInsertion(row: StoredRow, key: readonly string[]): UpdateFilter<Document> {
    const document = this.toDocument(row)
    for (const name of key) delete document[name === 'id' ? '_id' : name]
    return { $setOnInsert: document }
  }

  toSort(order: readonly SortKey[]): Sort {
    return Object.fromEntries(order.map(({ field, direction }) => [fieldName(field), direction === 'ASC' ? 1 : -1]))
  }

  #write(name: string, value: unknown): unknown {
    const write = this.#writes.get(name) ?? null
    return write === null ? value : write(value)
  }

  #test(condition: Condition): Filter<Document> {
    const name = fieldName(condition.field)
    switch (condition.operator) {
      case 'null':
        return { [name]: condition.value ? { $eq: null } : { $ne: null } }
      case 'like':
        return { [name]: { $regex: likePattern(condition.pattern) } }
      case 'in':
      case 'nin':
      case 'has':
      case 'hasnt': {
        const values = condition.values.map((value) => this.#operand(condition.field, value))
        return { [name]: { [LISTS[condition.operator]]: condition.orNull ? [...values, null] : values } }
      }
      default:
        return { [name]: { [OPERATORS[condition.operator]]: this.#operand(condition.field, condition.value) } }
    }
  }

  /** The parser lets only ids of our form through. */
  #operand(field: string, value: unknown): unknown {
    return field === 'id' || this.#references.has(field) ? new ObjectId(value as string) : value
  }
}

function shapeOf(name: string, type: string, array: boolean): FieldShape {
  if (type === 'json') return { name, write: toBson, read: fromBson }
  if (type !== 'id') return { name, write: null, read: null }
  const toId: Convert = (value) => new ObjectId(value as string)
  if (!array) return { name, write: toId, read: idText }
  return {
    name,
    write: (values) => (values as string[]).map(toId),
    read: (values) => (values as unknown[]).map(idText)
  }
}

function fieldName(field: string): string {
  return field === 'id' ? '_id' : field
}

/** An id of another form, such as a string key of native documents, is shown as text. */
function idText(id: unknown): string {
  return id instanceof ObjectId ? id.toHexString() : String(id)
}
