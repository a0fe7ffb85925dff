/**
 * The schemas of routes, checked before Ajv compiles them. Ajv holds each against its meta-schema of draft 07, and to
 * compile that takes a tenth of the start of a small application. What is plainly valid is seen here instead; all else,
 * and each error, is left to Ajv.
 */

/** What is used of an instance of Ajv. */
interface SchemaValidator {
  readonly opts: { readonly jtd?: boolean; readonly meta?: unknown; readonly defaultMeta?: unknown }
  validateSchema: (schema: unknown, throwOrLogError?: boolean) => unknown
}

type Check = (value: unknown) => boolean

/** A plugin of the `ajv` option of Fastify. A meta-schema that the application has chosen itself is left alone. */
export function knowPlainSchemas(ajv: SchemaValidator): void {
  const { jtd, meta, defaultMeta } = ajv.opts
  if (jtd === true || meta !== true || defaultMeta !== undefined) return
  const ask = ajv.validateSchema.bind(ajv)
  ajv.validateSchema = (schema, report) => isPlainSchema(schema) || ask(schema, report)
}

/** @returns false also for a valid schema that takes a closer look, such as an `enum` of objects */
export function isPlainSchema(value: unknown): boolean {
  if (typeof value === 'boolean') return true
  return isRecord(value) && Object.entries(value).every(([keyword, given]) => holds(keyword, given))
}

/** The meta-schema allows any other keyword; whether Ajv does is asked when it compiles. */
function holds(keyword: string, given: unknown): boolean {
  return given === undefined || (KEYWORDS.get(keyword)?.(given) ?? true)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length
}

/** A list without holes, over which `every` would pass. */
function isWhole(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && !value.includes(undefined)
}

const isText: Check = (value) => typeof value === 'string'
const isFlag: Check = (value) => typeof value === 'boolean'
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0
const isTexts: Check = (value) => isWhole(value) && value.every(isText) && isUnique(value)
const isSchemas: Check = (value) => isWhole(value) && value.length > 0 && value.every(isPlainSchema)

const TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

const isType: Check = (value) =>
  isWhole(value) ? value.length > 0 && value.every((name) => TYPES.has(name)) && isUnique(value) : TYPES.has(value)

const isEnum: Check = (value) =>
  isWhole(value) && value.length > 0 && value.every((each) => Object(each) !== each) && isUnique(value)

function everyOf(check: Check): Check {
  return (value) => isRecord(value) && Object.values(value).every(check)
}

/** The meta-schema of JSON Schema draft 07, but for its formats, which Ajv does not look at either. */
const KEYWORDS = new Map<string, Check>([
  ...entriesOf(isText, '$comment', '$id', '$ref', 'title', 'description'),
  ...entriesOf(isText, 'pattern', 'format', 'contentMediaType', 'contentEncoding'),
  ...entriesOf(isFlag, 'readOnly', 'uniqueItems'),
  ...entriesOf(Number.isFinite, 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'),
  ...entriesOf(isCount, 'maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'),
  ...entriesOf(isPlainSchema, 'additionalItems', 'additionalProperties', 'contains', 'propertyNames'),
  ...entriesOf(isPlainSchema, 'if', 'then', 'else', 'not'),
  ...entriesOf(isSchemas, 'allOf', 'anyOf', 'oneOf'),
  ...entriesOf(everyOf(isPlainSchema), 'definitions', 'properties', 'patternProperties'),
  ['$schema', (value) => value === 'http://json-schema.org/draft-07/schema#'],
  ['dependencies', everyOf((value) => isPlainSchema(value) || isTexts(value))],
  ['enum', isEnum],
  ['examples', isWhole],
  ['items', (value) => isPlainSchema(value) || isSchemas(value)],
  ['multipleOf', (value) => Number.isFinite(value) && (value as number) > 0],
  ['required', isTexts],
  ['type', isType]
])

function entriesOf(check: Check, ...keywords: readonly string[]): [string, Check][] {
  return keywords.map((keyword) => [keyword, check])
}
