/**
 * The Mongoose schema of a plan or of a portable entity, for native access: the same fields, `id` as text in what is
 * serialised, no version key. Pure.
 */
import mongoose, { type SchemaDefinition, type SchemaOptions } from 'mongoose'
import type { CompiledEntity, CompiledField, CompiledRelation } from 'svc-orm/driver'
import type { ColumnPlan, TablePlan } from 'svc-stores/table'
import { collectionIndexes, fieldOf } from './collection-indexes.ts'
import { DOCUMENT_TYPES } from './document-types.ts'

const { Schema } = mongoose

/** Of the framework's collections: exactly these keys. */
export function planSchema(plan: TablePlan): mongoose.Schema {
  // An explicit null would be a value to a unique index.
  const absent = new Set(collectionIndexes(plan).flatMap((index) => Object.keys(index.partialFilterExpression ?? {})))
  const definition = plan.columns.map((column) => {
    const field = fieldOf(plan, column.name)
    return [field, columnSchema(column, !absent.has(field))]
  })
  return newSchema(Object.fromEntries(definition) as SchemaDefinition, plan.collection ?? plan.name)
}

/** Relations are virtual populates. */
export function entitySchema(entity: CompiledEntity): mongoose.Schema {
  const references = new Map(
    [...entity.relations.values()].filter(({ type }) => type !== 'one-to-many').map((each) => [each.field, each.target])
  )
  const definition: SchemaDefinition = {}
  // Mongoose keeps these by itself.
  const stamps = entity.timestamps ? ['createdAt', 'updatedAt'] : []
  for (const field of entity.fields.values()) {
    if (!stamps.includes(field.name)) definition[field.name] = fieldSchema(field, references.get(field.name))
  }
  const schema = newSchema(definition, entity.name, { timestamps: entity.timestamps })
  for (const relation of entity.relations.values()) addPopulate(schema, relation)
  return schema
}

function newSchema(definition: SchemaDefinition, collection: string, options: SchemaOptions = {}): mongoose.Schema {
  return new Schema(definition, {
    collection,
    versionKey: false,
    minimize: false,
    autoIndex: false,
    autoCreate: false,
    toJSON: { virtuals: true },
    toObject: { virtuals: true },
    ...(options as object)
  })
}

function columnSchema({ type, list = false, nullable = false }: ColumnPlan, showsNull: boolean): unknown {
  const scalar = DOCUMENT_TYPES[type].mongoose
  if (type === 'document') return { type: scalar }
  if (list) return { type: [scalar], required: !nullable }
  if (nullable) return showsNull ? { type: scalar, default: null } : { type: scalar }
  return { type: scalar, required: true }
}

function fieldSchema(field: CompiledField, ref: string | undefined): SchemaDefinition[string] {
  const { array, nullable, default: preset, maxLength, values, rule } = field
  const scalar = {
    type: DOCUMENT_TYPES[field.fieldType.storage].mongoose,
    ...(ref === undefined ? {} : { ref }),
    ...(maxLength === null ? {} : { maxlength: maxLength }),
    ...(values === undefined ? {} : { enum: values }),
    ...(rule === undefined ? {} : { validate: (value: unknown) => value == null || rule.fault(value) === null })
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
