/**
 * The indexes of an entity. A unique index leaves out rows that hold null in one
 * of its fields: they are absent from the document. Pure.
 */
import type { CreateIndexesOptions, IndexDescription } from 'mongodb'
import type { Schema } from 'mongoose'
import type { CompiledEntity } from 'svc-orm'

export function entityIndexes(entity: CompiledEntity): IndexDescription[] {
  return entity.indexes.map(({ fields, unique }) => {
    const optional = fields.filter((name) => entity.fields.get(name)?.nullable === true)
    const options: CreateIndexesOptions = {}
    if (unique) options.unique = true
    if (unique && optional.length > 0) {
      options.partialFilterExpression = Object.fromEntries(optional.map((name) => [name, { $exists: true }]))
    }
    return { key: Object.fromEntries(fields.map((name) => [name, 1])), name: indexName(fields, unique), ...options }
  })
}

/** The indexes of a class, with the options that only its author knows. */
export function nativeIndexes(schema: Schema): IndexDescription[] {
  return schema.indexes().map(([keys, given]) => {
    const { background: _background, ...options } = { ...given } as CreateIndexesOptions
    return { key: keys as IndexDescription['key'], ...options }
  })
}

export function indexName(fields: readonly string[], unique: boolean): string {
  return `${unique ? 'unique' : 'by'}_${fields.join('_')}`
}
