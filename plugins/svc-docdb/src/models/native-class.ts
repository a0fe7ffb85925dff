/**
 * A Typegoose class as a portable definition: what of its schema every driver
 * could keep. What only documents have (nested schemas, maps) is JSON to the
 * repository; what cannot be read as either is refused with its path.
 */
import type { Schema, SchemaType } from 'mongoose'
import { BootError, type Problem } from 'svc-kernel'
import { optionalPackage } from 'svc-kernel/plugin'
import type { EntityDefinition, FieldDefinition, IndexDefinition, RelationDefinition } from 'svc-orm'
import type { NativeClass } from 'svc-orm/driver'

// biome-ignore lint/suspicious/noExplicitAny: a model's constructor takes what it likes
type AnyClass = new (...args: any[]) => object

export interface NativeModel {
  readonly definition: EntityDefinition
  readonly schema: Schema
}

type PathFacts = SchemaType & {
  readonly isRequired?: boolean
  readonly options: {
    readonly default?: unknown
    readonly ref?: unknown
    readonly maxlength?: unknown
    readonly select?: unknown
  }
  readonly embeddedSchemaType?: { readonly instance: string } | undefined
}

const TYPES: Readonly<Record<string, FieldDefinition['type']>> = {
  String: 'string',
  Number: 'float',
  Boolean: 'boolean',
  Date: 'date',
  ObjectId: 'id',
  Buffer: 'bytes',
  Mixed: 'json',
  Embedded: 'json',
  Map: 'json'
}

const TIMESTAMPS = new Set(['createdAt', 'updatedAt'])

/** @throws BootError (SVC_DOCDB_NATIVE) with every path that no portable field can hold */
export function nativeModel(model: NativeClass): NativeModel {
  if (isMongooseModel(model)) throw new BootError([mongooseModel(model.modelName)])
  const { buildSchema, getName } = typegooseFor(model)
  const name = getName(model as AnyClass)
  const schema: Schema = buildSchema(model as AnyClass, { schemaOptions: { autoIndex: false, autoCreate: false } })
  const problems: Problem[] = []
  const fields: Record<string, FieldDefinition> = {}
  const relations: Record<string, RelationDefinition> = {}
  for (const [path, type] of topLevel(schema)) {
    if (path === '_id') {
      if (type.instance !== 'ObjectId') problems.push(notPortable(name, '_id', type.instance, 'an ObjectId'))
      continue
    }
    const field = fieldOf(type)
    if (field === null) problems.push(notPortable(name, path, type.instance, Object.keys(TYPES).join(' | ')))
    else if (relates(path, type, field)) Object.assign(relations, relationOf(path, type, field))
    // What Mongoose leaves out of its own answers.
    else fields[path] = type.options.select === false ? { ...field, hidden: true } : field
  }
  if (Object.keys(fields).length + Object.keys(relations).length === 0) problems.push(noModel(name))
  if (problems.length > 0) throw new BootError(problems)
  const timestamps = hasTimestamps(schema)
  return { schema, definition: { name, schema: fields, relations, indexes: indexesOf(schema), timestamps } }
}

/** Only applications that declare classes install it. */
function typegooseFor({ name }: { readonly name: string }): typeof import('@typegoose/typegoose') {
  return optionalPackage('@typegoose/typegoose', import.meta.url, {
    what: 'an entity that is a class',
    at: `class ${name}`
  })
}

/** A nested path such as `address.city` is one JSON field, `address`. */
function* topLevel(schema: Schema): Generator<[string, PathFacts]> {
  const keepsTime = hasTimestamps(schema)
  const nested = new Set<string>()
  for (const [path, type] of Object.entries(schema.paths) as [string, PathFacts][]) {
    const [head = path, ...rest] = path.split('.')
    if (head === '__v' || (keepsTime && TIMESTAMPS.has(head))) continue
    if (rest.length === 0) yield [head, type]
    else if (!nested.has(head) && !head.includes('$')) {
      nested.add(head)
      yield [head, { instance: 'Mixed', options: {} } as PathFacts]
    }
  }
}

function fieldOf(type: PathFacts): FieldDefinition | null {
  if (type.instance === 'Array') return listOf(type)
  const portable = TYPES[type.instance]
  if (portable === undefined) return null
  const { default: preset, maxlength } = type.options
  const scalarDefault = isScalar(preset)
  return {
    type: portable,
    // The model fills in what a function gives, and what it would refuse to miss is there by then.
    nullable: type.isRequired !== true || typeof preset === 'function',
    ...(scalarDefault ? { default: preset } : {}),
    ...(typeof maxlength === 'number' && portable === 'string' ? { maxLength: maxlength } : {})
  }
}

/** Lists of scalars stay lists; lists of documents are JSON. */
function listOf({ embeddedSchemaType, isRequired }: PathFacts): FieldDefinition {
  const item = TYPES[embeddedSchemaType?.instance ?? 'Mixed'] ?? 'json'
  const nullable = isRequired !== true
  return item === 'json' ? { type: 'json', nullable } : { type: item, array: true, nullable }
}

/** `authorId` with a `ref` is the relation `author`; a reference of another name is a plain id. */
function relates(path: string, { options }: PathFacts, { type, array }: FieldDefinition): boolean {
  return type === 'id' && array !== true && options.ref !== undefined && /^.+Id$/.test(path)
}

function relationOf(
  path: string,
  { options }: PathFacts,
  { nullable }: FieldDefinition
): Record<string, RelationDefinition> {
  const relation = {
    type: 'many-to-one',
    target: targetOf(options.ref),
    field: path,
    nullable: nullable === true,
    // Mongoose writes by its models as well, and keeps no reference.
    onDelete: 'none'
  } as const
  return { [path.slice(0, -'Id'.length)]: relation }
}

/** Typegoose hands on a name, a class, or a function that answers either. */
function targetOf(ref: unknown): string {
  if (typeof ref === 'string') return ref
  if (typeof ref !== 'function') return String(ref)
  if (/^class\b/.test(Function.prototype.toString.call(ref))) return typegooseFor(ref).getName(ref as AnyClass)
  return targetOf((ref as () => unknown)())
}

function indexesOf(schema: Schema): IndexDefinition[] {
  return schema
    .indexes()
    .filter(([keys]) => Object.values(keys).every((order) => order === 1 || order === -1))
    .map(([keys, options]) => ({ fields: Object.keys(keys), unique: options?.unique === true }))
    .filter(({ fields }) => fields.every((field) => !field.includes('.') && field !== '_id'))
}

function hasTimestamps(schema: Schema): boolean {
  return schema.get('timestamps') === true
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** By its shape: it may be of another copy of Mongoose than ours. */
function isMongooseModel(model: unknown): model is { readonly modelName: string } {
  const { modelName, schema } = model as { modelName?: unknown; schema?: unknown }
  return typeof modelName === 'string' && typeof schema === 'object'
}

function mongooseModel(name: string): Problem {
  return {
    code: 'SVC_DOCDB_NATIVE',
    message: `${name} is a compiled Mongoose model, which belongs to its own connection`,
    at: `model ${name}`,
    got: 'a compiled Mongoose model',
    expected: 'a definition of defineEntity, or a Typegoose class (the class, not what getModelForClass made of it)',
    fix: `declare ${name} with defineEntity, or compile its schema with fastify.docdb.connection().model('${name}', schema)`,
    more: 'npx svc docs typegoose-classes'
  }
}

function noModel(name: string): Problem {
  return {
    code: 'SVC_DOCDB_NATIVE',
    message: `${name} is not a Typegoose class`,
    at: `class ${name}`,
    got: 'a class without @prop',
    expected: 'a class with @prop on its fields, or a definition of defineEntity',
    fix: 'decorate its fields, or declare it with defineEntity'
  }
}

function notPortable(name: string, path: string, got: string, expected: string): Problem {
  return {
    code: 'SVC_DOCDB_NATIVE',
    message: `${name}.${path} has a type that no portable field can hold`,
    at: `class ${name}`,
    got,
    expected,
    fix: 'remove the class from @entities and use it through fastify.docdb.connection()'
  }
}
