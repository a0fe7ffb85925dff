/**
 * A portable entity as a Mongoose schema, for native access: the same fields,
 * `id` as text in what is serialised, relations as virtual populates. Pure.
 */
import mongoose, { type SchemaDefinition } from 'mongoose'
import type { CompiledEntity, CompiledField, CompiledRelation } from 'svc-orm'

const { Schema } = mongoose

const TYPES = {
  string: String,
  text: String,
  integer: Number,
  float: Number,
  boolean: Boolean,
  date: Date,
  json: Schema.Types.Mixed,
  id: Schema.Types.ObjectId
} as const

/** The keys of the server's documents, with `_id`, `id` virtual, and no version key. */
export function modelSchema(entity: CompiledEntity): mongoose.Schema {
  const references = new Map(
    [...entity.relations.values()].filter(({ type }) => type !== 'one-to-many').map((each) => [each.field, each.target])
  )
  const definition: SchemaDefinition = {}
  for (const field of entity.fields.values()) {
    if (!field.managed) definition[field.name] = fieldSchema(field, references.get(field.name))
  }
  const schema = new Schema(definition, {
    collection: entity.name,
    timestamps: entity.timestamps,
    versionKey: false,
    minimize: false,
    autoIndex: false,
    autoCreate: false,
    toJSON: { virtuals: true },
    toObject: { virtuals: true }
  })
  for (const relation of entity.relations.values()) addPopulate(schema, relation)
  return schema
}

function fieldSchema(field: CompiledField, ref: string | undefined): SchemaDefinition[string] {
  const { type, array, nullable, default: preset, maxLength } = field
  const scalar = {
    type: TYPES[type],
    ...(ref === undefined ? {} : { ref }),
    ...(maxLength === null ? {} : { maxlength: maxLength })
  }
  if (array) return { type: [scalar], default: undefined, required: !nullable }
  return { ...scalar, required: !nullable, ...(preset === undefined ? {} : { default: preset }) }
}

/** `populate('comments')` on the parent, `populate('article')` on the child, as the portable relations are named. */
function addPopulate(schema: mongoose.Schema, { name, type, target, field }: CompiledRelation): void {
  const oneToMany = type === 'one-to-many'
  schema.virtual(name, {
    ref: target,
    localField: oneToMany ? '_id' : field,
    foreignField: oneToMany ? field : '_id',
    justOne: !oneToMany
  })
}
