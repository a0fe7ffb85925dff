/** The schemas of the framework's collections: exactly these keys, no version key, `id` as text when serialised. */
import mongoose, { type Schema, type SchemaDefinition } from 'mongoose'

/** Free JSON; see `storedJson`. */
export const JSON_TYPE = { type: mongoose.Schema.Types.Mixed }

export const TEXT = { type: String, required: true }

export const OPTIONAL_TEXT = { type: String, default: null }

export const TIME = { type: Number, required: true }

export const OPTIONAL_TIME = { type: Number, default: null }

export const TEXTS = { type: [String], required: true }

export function storeSchema(collection: string, definition: SchemaDefinition): Schema {
  return new mongoose.Schema(definition, {
    collection,
    versionKey: false,
    minimize: false,
    autoIndex: false,
    autoCreate: false,
    toJSON: { virtuals: true },
    toObject: { virtuals: true }
  })
}
