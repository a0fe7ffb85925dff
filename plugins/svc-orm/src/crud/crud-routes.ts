/** The settings of the six routes that REST has for an entity: their schemas, and the compilers that keep to them. Pure. */
import { Ajv, type ErrorObject } from 'ajv'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { boundedValidation, describedAs, jsonSchemaSerializer, onFirstUse, type RouteError } from 'svc-kernel/plugin'
import { flag, integer, listOf, object } from 'svc-kernel/schemas'
import { ConnectionUnavailable, ReferencedRow, ReferenceMissing, UniqueViolation } from 'svc-stores'
import { type CompiledField, idField, isShown } from '../entities/compiled-entity.ts'
import { InvalidFindOptions, RowNotFound, VersionConflict } from '../errors.ts'
import type { FieldTypeDefinition } from '../fields/field-type.ts'
import { fieldTypes } from '../fields/field-types.ts'
import { answerSchema, filterSchema, isSortable, type JsonSchema, valueSchema } from './field-schemas.ts'
import { assertNamesRow, rowParameters } from './row-parameters.ts'

/** Route settings, for the route decorators or for Fastify itself. */
export interface CrudRoute {
  readonly schema: Readonly<Record<string, unknown>>
  readonly validatorCompiler: FastifySchemaCompiler<unknown>
  readonly serializerCompiler: FastifySerializerCompiler<unknown>
}

/**
 * Settings of the six routes of an entity, as `@Get` and the others take them: schemas and compilers. The path of a route of
 * one row ends with `/:id`; for an entity with a key of several fields, with these: `/:studentId/:courseId`.
 */
export interface CrudRoutes {
  /** `limit`, `offset`, `order` and a filter per field; answers a page. */
  readonly list: CrudRoute
  readonly read: CrudRoute
  /** Answers 201. */
  readonly create: CrudRoute
  /** Takes a whole row. */
  readonly replace: CrudRoute
  /** Takes some of its fields. */
  readonly change: CrudRoute
  /** Answers 204. */
  readonly remove: CrudRoute
}

/** Parameters of a list that are no filters; a field of such a name cannot be filtered by. */
export const PAGE_PARAMETERS: readonly string[] = ['limit', 'offset', 'order']

export const DEFAULT_LIMIT = 25
export const MAX_LIMIT = 100

/** Errors of writes. */
export interface CrudErrors {
  /** With which any change is refused. */
  readonly refusals: readonly RouteError[]
  /** Rows name other rows, which have to be there. */
  readonly refers: boolean
  /** Fields of the key, which name a row and never change. Default: none. */
  readonly kept?: readonly string[]
}

/** @param filled names of fields that bodies may not carry */
export function crudRoutes(
  entity: string,
  fields: readonly CompiledField[],
  filled: readonly string[] = [],
  { refusals, refers, kept = [] }: CrudErrors = { refusals: [], refers: false }
): CrudRoutes {
  const shown = fields.filter(isShown)
  const rows = rowSchema(entity, shown)
  const row = rows.written
  const given = fields.filter(({ name, hidden, scope }) => !filled.includes(name) && hidden !== true && scope !== true)
  const writable = given.filter(({ managed }) => !managed)
  const required = writable.filter((field) => !field.nullable && field.default === undefined).map(({ name }) => name)
  const values = { ...objectSchema(writable), required }
  // A row may be sent back as it was read: what it carries beside its values is ignored, what is hidden is not in it.
  const answered = new Set(shown.map(({ name }) => name))
  const whole = {
    ...objectSchema([idField, ...given]),
    required: required.filter((name) => answered.has(name) && !kept.includes(name))
  }
  const validate = validationOf(fields)
  const params = rowParameters(kept.flatMap((name) => fields.find((field) => field.name === name) ?? []))
  const exactly = (schema: CrudRoute['schema'], errors: readonly RouteError[]) => {
    return settingsOf(entity, schema, errors, validate)
  }
  const asked = [ConnectionUnavailable]
  const found = [...asked, RowNotFound]
  const written = [UniqueViolation, ...(refers ? [ReferenceMissing] : []), VersionConflict, ...refusals]
  const some = objectSchema([idField, ...given].map((field) => ({ ...field, default: undefined })))
  return {
    list: exactly({ querystring: querySchema(shown), response: { 200: pageSchema(rows) } }, [
      ...asked,
      new InvalidFindOptions('order', 'each field once')
    ]),
    read: exactly({ params, response: { 200: row } }, found),
    create: exactly({ body: values, response: { 201: row } }, [...asked, ...written]),
    replace: exactly({ params, body: whole, response: { 200: row } }, [...found, ...written]),
    change: exactly({ params, body: some, response: { 200: row } }, [...found, ...written]),
    remove: exactly({ params, response: { 204: { type: 'null', description: 'the row is gone' } } }, [
      ...found,
      ReferencedRow,
      ...refusals
    ])
  }
}

function settingsOf(
  entity: string,
  schema: CrudRoute['schema'],
  errors: readonly RouteError[],
  validate: FastifySchemaCompiler<unknown>
): CrudRoute {
  const { response, ...parts } = schema
  const own = new Set<unknown>([...Object.values(parts), ...Object.values(response as object)])
  const compile = whereChanged(own, validate)
  const { params } = parts
  return Object.freeze({
    schema: { ...schema, errors },
    validatorCompiler: (route: Parameters<typeof compile>[0]) => {
      const { schema: part, url } = route
      if (part === params && url !== undefined) assertNamesRow(entity, params as JsonSchema, url)
      return compile(route)
    },
    serializerCompiler: whereChanged(own, jsonSchemaSerializer)
  })
}

/** What an application puts in the place of ours is compiled while it starts, where a mistake in it stops it. */
function whereChanged<Route extends { schema: unknown }, Data, Outcome>(
  own: ReadonlySet<unknown>,
  compile: (route: Route) => (data: Data) => Outcome
): (route: Route) => (data: Data) => Outcome {
  const later = onFirstUse(compile)
  return (route) => (own.has(route.schema) ? later(route) : compile(route))
}

function objectSchema(fields: readonly CompiledField[]): JsonSchema {
  const properties = Object.fromEntries(fields.map((field) => [field.name, valueSchema(field)]))
  return { type: 'object', additionalProperties: false, properties }
}

/** Described as the entity declares it, and written as it is: a row may lack what its entity requires by now. */
function rowSchema(entity: string, fields: readonly CompiledField[]): Described {
  const of = (schemaOf: (field: CompiledField) => JsonSchema) =>
    object(Object.fromEntries([idField, ...fields].map((field) => [field.name, schemaOf(field)])))
  const { required: _, ...written } = of(answerSchema)
  const described = { title: entity, ...of((field) => valueSchema({ ...field, default: undefined })) }
  return { described, written: describedAs({ title: entity, ...written }, described) }
}

function pageSchema({ described, written }: Described): JsonSchema {
  const pageOf = (row: JsonSchema) =>
    object({ items: listOf(row), limit: integer, offset: integer, hasNext: flag, total: integer })
  const { required: _, ...page } = pageOf(written)
  return describedAs(page, pageOf(described))
}

interface Described {
  readonly described: JsonSchema
  readonly written: JsonSchema
}

function querySchema(fields: readonly CompiledField[]): JsonSchema {
  const filters = [idField, ...fields].flatMap((field) => {
    const schema = PAGE_PARAMETERS.includes(field.name) ? null : filterSchema(field)
    return schema === null ? [] : [[field.name, schema] as const]
  })
  const sortable = [idField, ...fields].filter(isSortable).map(({ name }) => name)
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(filters),
      limit: { type: 'integer', default: DEFAULT_LIMIT, description: `rows per page, 1 to ${MAX_LIMIT}` },
      offset: {
        type: 'integer',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'rows to skip'
      },
      order: {
        type: 'array',
        items: { enum: sortable.flatMap((name) => [`${name}:ASC`, `${name}:DESC`]) },
        description: 'repeatable; the first sorts first'
      }
    }
  }
}

/**
 * Takes requests as they came: the faults of a body are reported, each with its path. Fastify's own validator makes texts
 * of numbers and of null, and removes unknown keys in silence: a misspelt filter would widen the answer, a misspelt field
 * would be lost. Texts of a query are read as their types.
 */
function exactValidation(types: readonly FieldTypeDefinition[]): FastifySchemaCompiler<unknown> {
  const formatted = types.flatMap(({ format, read }) => (format === undefined ? [] : [{ ...format, read }]))
  const formats = Object.fromEntries(
    formatted.map(({ name, read }) => [name, (text: string) => read(text, {}) !== undefined])
  )
  const spelledOut = spelling(Object.fromEntries(formatted.map(({ name, expected }) => [name, expected])))
  const bodies = boundedValidation({ allowUnionTypes: true, formats }, spelledOut)
  let texts: Ajv | undefined
  return ({ schema, httpPart }) => {
    if (httpPart === 'body') return bodies(schema as object)
    texts ??= new Ajv({ allErrors: true, coerceTypes: 'array', useDefaults: true, formats })
    const validate = texts.compile(schema as object)
    return (data) => (validate(data) ? true : { error: (validate.errors ?? []).map(spelledOut) })
  }
}

const builtInValidation = exactValidation(fieldTypes)

/** Types of an application's own may have formats. */
function validationOf(fields: readonly CompiledField[]): FastifySchemaCompiler<unknown> {
  const own = fields.map(({ fieldType }) => fieldType).filter((type) => type.format && !fieldTypes.includes(type))
  return own.length === 0 ? builtInValidation : exactValidation([...fieldTypes, ...own])
}

/** Lists what is allowed where the validator only says that there is such a list. @param forms by format */
function spelling(forms: Readonly<Record<string, string>>) {
  return (error: ErrorObject) => {
    const { keyword, params, instancePath } = error
    if (keyword === 'enum')
      return { ...error, message: `must be one of ${(params.allowedValues as string[]).join(', ')}` }
    if (keyword === 'format') return { ...error, message: `must be ${forms[params.format as string]}` }
    return { ...error, instancePath }
  }
}
