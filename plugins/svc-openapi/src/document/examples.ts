/**
 * Examples in a document, held against the schemas that they stand beside: of bodies, answers, parameters, messages of
 * sockets, and within schemas. Formats are not looked at, and bodies that are neither JSON nor a form.
 */
import type { Document } from './document.ts'

/** An example that its schema refuses. */
export interface ExampleFault {
  /** `POST /api/orders`; of a shared schema `components/schemas/def-0 (Order)`. */
  readonly operation: string
  /** Where the example is, there: a JSON Pointer. */
  readonly at: string
  /** Such as `/price must be integer`; `/` is the example itself. */
  readonly text: string
}

interface Example {
  readonly value: unknown
  readonly at: string
  /** A JSON Pointer, as `at`. */
  readonly schema: string
}

type Node = Readonly<Record<string, unknown>>

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Ajv is loaded for the first example: most documents have none. */
export async function exampleFaults(document: Document): Promise<ExampleFault[]> {
  // As clients read it.
  const plain = JSON.parse(JSON.stringify(document)) as Node
  const examples = [...examplesOf(plain, '')]
  if (examples.length === 0) return []
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false })
  ajv.addSchema(plain, 'document')
  const faultOf = ({ schema, value }: Example): string | null => {
    try {
      const validate = ajv.compile({ $ref: `document#${encodeURI(schema)}` })
      if (validate(value)) return null
      const [error] = validate.errors ?? []
      return `${error?.instancePath || '/'} ${error?.message}`
    } catch {
      // A schema that is none has problems of its own.
      return null
    }
  }
  return examples.flatMap((example) => {
    const text = faultOf(example)
    return text === null ? [] : [{ ...placeOf(plain, example.at), text }]
  })
}

/** Outside of schemas: whatever has a `schema` may have examples of it. */
function* examplesOf(node: unknown, at: string): Generator<Example> {
  if (typeof node !== 'object' || node === null) return
  const { schema, example, examples, ...others } = node as Node
  if (typeof schema === 'object') {
    if (isRead(at)) yield* besideSchema({ example, examples }, at)
    yield* withinSchema(schema, `${at}/schema`)
  }
  for (const [key, value] of Object.entries(others)) {
    const place = `${at}/${escaped(key)}`
    if (SCHEMAS.test(place)) yield* withinSchema(value, place)
    else yield* examplesOf(value, place)
  }
}

/** Schemas that no `schema` holds. */
const SCHEMAS = /^\/(?:components\/schemas\/[^/]+|x-websocket-routes\/\d+\/(?:params|query|headers|answer))$/

/** Of a body: what is neither JSON nor a form is text, whatever its schema says. */
function isRead(at: string): boolean {
  const [, type] = /\/content\/([^/]+)$/.exec(at) ?? []
  return type === undefined || /json|form/.test(type)
}

function* besideSchema({ example, examples }: Node, at: string): Generator<Example> {
  const schema = `${at}/schema`
  if (example !== undefined) yield { value: example, at: `${at}/example`, schema }
  for (const [name, named] of Object.entries((examples ?? {}) as Record<string, { readonly value?: unknown } | null>)) {
    if (named?.value !== undefined) yield { value: named.value, at: `${at}/examples/${escaped(name)}`, schema }
  }
}

const ONE = ['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else']
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'properties', 'patternProperties', '$defs', 'definitions']

function* withinSchema(schema: unknown, at: string): Generator<Example> {
  if (typeof schema !== 'object' || schema === null) return
  const { example, examples, ...keywords } = schema as Node
  if (example !== undefined) yield { value: example, at: `${at}/example`, schema: at }
  const listed = Array.isArray(examples) ? examples : []
  for (const [index, value] of listed.entries()) yield { value, at: `${at}/examples/${index}`, schema: at }
  for (const keyword of ONE) yield* withinSchema(keywords[keyword], `${at}/${keyword}`)
  for (const keyword of MANY) {
    const entries = Object.entries((keywords[keyword] ?? {}) as object)
    for (const [name, part] of entries) yield* withinSchema(part, `${at}/${keyword}/${escaped(name)}`)
  }
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The operation by its name, and the rest of the pointer. */
function placeOf(document: Node, pointer: string): Pick<ExampleFault, 'operation' | 'at'> {
  const [section = '', first = '', second = '', ...rest] = pointer.slice(1).split('/')
  const name = first.replaceAll('~1', '/').replaceAll('~0', '~')
  if (section === 'x-websocket-routes') {
    const route = (document[section] as readonly { readonly path: string }[])[Number(first)]
    return { operation: `WEBSOCKET ${route?.path}`, at: `/${[second, ...rest].join('/')}` }
  }
  const at = `/${rest.join('/')}`
  if (METHODS.has(second)) return { operation: `${second.toUpperCase()} ${name}`, at }
  // That of @fastify/swagger has a number for its name, and its `$id` for a title.
  const { title = second } = (document[section] as Record<string, Record<string, Node>>)[first]?.[second] ?? {}
  return { operation: `${section}/${name}/${second}${title === second ? '' : ` (${title})`}`, at }
}
