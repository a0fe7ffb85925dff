/**
 * Schemas of any library that keeps to Standard Schema (standardschema.dev): Zod 4, Valibot, ArkType and others. The
 * library validates; what it exports as JSON Schema describes the API and writes answers.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isThenable } from '../promises/maybe-promise.ts'
import type { TypeBoxStatic } from './typebox-static.ts'

/** What the interfaces Standard Schema and Standard JSON Schema (version 1) ask of a schema. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?: Record<'input' | 'output', (options: JsonSchemaOptions) => Record<string, unknown>>
  }
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

interface JsonSchemaOptions {
  readonly target: JsonSchemaTarget
  readonly libraryOptions?: Record<string, unknown>
}

/** OpenAPI 3.1 is draft 2020-12; answers are written by draft-07. */
export type JsonSchemaTarget = 'draft-2020-12' | 'draft-07'

/**
 * The type of a value that a schema lets through: of a Standard Schema its output, of a TypeBox schema, of either
 * generation, its static type.
 */
export type Infer<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : Schema extends { static: infer Static }
    ? Static
    : TypeBoxStatic<Schema>

/** What the schema of a body lets through; without a schema nothing is known of it. */
export type BodyOf<Schema> = [Infer<Schema>] extends [never] ? unknown : Infer<Schema>

/** Whether a library's own schema; ArkType's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard = (value as Partial<StandardSchema>)['~standard']
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function'
}

/** Whether neither that nor JSON Schema, which is plain data, or what a builder such as fluent-json-schema makes of it. */
export function isForeignSchema(schema: unknown): boolean {
  if (schema === undefined || typeof schema === 'boolean' || isStandardSchema(schema)) return false
  if (typeof schema !== 'object' || schema === null) return true
  if ('isFluentSchema' in schema || Symbol.for('fluent-schema-object') in schema) return false
  const prototype: unknown = Object.getPrototypeOf(schema)
  return prototype !== Object.prototype && prototype !== null
}

/** The parts of a request whose schemas are Standard Schemas. */
export type StandardParts = Readonly<Partial<Record<'params' | 'body' | 'querystring' | 'headers', StandardSchema>>>

/**
 * Key in the `schema` of a route: the `StandardParts` that the route validates by itself. Fastify compiles what is under
 * its own keys; what describes the API reads both.
 */
export const standardParts = Symbol.for('svc.standard-parts')

/** One fault, as Fastify's validators name it: a JSON pointer into the value and a sentence. */
export interface SchemaFault {
  readonly instancePath: string
  readonly message: string
}

export type Checked = { readonly value: unknown; readonly error?: undefined } | { readonly error: SchemaFault[] }

/**
 * Makes a validator of the form that Fastify's compilers make. It answers at once where the library does, and a promise
 * where one of its checks is asynchronous; Fastify itself drops the value of such a promise.
 *
 * @returns throws or rejects with an object: what a check throws else, `undefined` even, would pass for no failure
 */
export function standardValidator(schema: StandardSchema): (value: unknown) => Checked | Promise<Checked> {
  const { validate, vendor } = schema['~standard']
  const take = (result: unknown): Checked => checked(result as StandardResult<unknown>, vendor)
  const fail = (thrown: unknown): never => {
    throw typeof thrown === 'object' && thrown !== null ? thrown : notAnError(vendor, thrown)
  }
  return (value) => {
    try {
      const result: unknown = validate(value)
      return isThenable(result) ? Promise.resolve(result).then(take, fail) : take(result)
    } catch (thrown) {
      return fail(thrown)
    }
  }
}

function notAnError(vendor: string, thrown: unknown): TypeError {
  return new TypeError(`the schema of ${vendor} threw a value that is not an Error`, { cause: thrown })
}

/** A result of neither form lets nothing through. */
function checked(result: StandardResult<unknown>, vendor: string): Checked {
  if (result?.issues !== undefined && result.issues !== null) return { error: Array.from(result.issues, faultOf) }
  if (result === null || typeof result !== 'object' || !('value' in result)) {
    throw new TypeError(`the schema of ${vendor} returned neither a value nor issues`)
  }
  return { value: result.value }
}

function faultOf({ message, path = [] }: StandardIssue): SchemaFault {
  // Lists of ArkType are arrays of a class of its own, which `map` would make more of.
  const keys = Array.from(path, (segment) => String(typeof segment === 'object' ? segment.key : segment))
  return { instancePath: keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''), message }
}

/**
 * The JSON Schema that the library itself exports: by Standard JSON Schema, or for Valibot by its package
 * `@valibot/to-json-schema`. What JSON Schema cannot say (a transform, a refinement) is left out.
 *
 * @param side `input`: what a caller sends; `output`: what validation gives
 * @throws Error where there is no export, or where it fails
 */
export function jsonSchemaOf(
  schema: StandardSchema,
  side: 'input' | 'output',
  target: JsonSchemaTarget
): Record<string, unknown> {
  const { vendor, jsonSchema } = schema['~standard']
  const libraryOptions = LENIENT[vendor] ?? {}
  const converter = jsonSchema ?? (vendor === 'valibot' ? valibotConverter(schema) : undefined)
  if (converter === undefined) {
    throw new Error(
      `${vendor} exports no JSON Schema here; ${HOW_TO_EXPORT[vendor] ?? 'write this schema as JSON Schema'}`
    )
  }
  const { $schema: _, ...exported } = converter[side]({ target, libraryOptions })
  return exported
}

/** What each library calls "leave out what JSON Schema cannot say"; without it the whole export fails. */
const LENIENT: Readonly<Record<string, Record<string, unknown>>> = {
  zod: { unrepresentable: 'any', override: nameDate },
  valibot: { errorMode: 'ignore' },
  arktype: { fallback: ({ base }: { base: object }) => base }
}

const HOW_TO_EXPORT: Readonly<Record<string, string>> = {
  zod: 'npm install zod@^4.2',
  valibot: 'npm install @valibot/to-json-schema',
  arktype: 'npm install arktype@^2.1.28'
}

/** A Date leaves as JSON writes it. */
function nameDate({
  zodSchema,
  jsonSchema
}: {
  zodSchema: { _zod: { def: { type: string } } }
  jsonSchema: object
}): void {
  if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
}

type Converter = NonNullable<StandardSchema['~standard']['jsonSchema']>

/** The package is the application's: it is looked for beside this one, then where the application runs. */
function valibotConverter(schema: StandardSchema): Converter | undefined {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const { toStandardJsonSchema } = createRequire(from)('@valibot/to-json-schema') as {
        toStandardJsonSchema(schema: StandardSchema): StandardSchema
      }
      return toStandardJsonSchema(schema)['~standard'].jsonSchema
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}
