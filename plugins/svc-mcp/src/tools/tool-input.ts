/**
 * The arguments of a tool: the parameters, the query and the body of its route in one flat object. A name that two parts
 * have is written with that of its part, such as `body_id`; a body that is no object is one argument. Pure.
 */
import type { RouteOptions } from 'fastify'
import { type StandardParts, standardParts } from 'svc-kernel/plugin'
import { jsonContent, type Schema, SchemaDocument, type SharedSchemas } from './json-schema.ts'

type PartName = 'params' | 'query' | 'body'

/** Where an argument goes. */
export interface Place {
  readonly part: PartName
  /** Its name there; `null` for a body that is this argument. */
  readonly key: string | null
}

export interface ToolInput {
  readonly schema: Schema
  /** The path of the route: its texts, and between them its parameters. */
  readonly path: readonly (string | PathParameter)[]
  readonly places: ReadonlyMap<string, Place>
  /** Whether arguments without a place are properties of the body. */
  readonly openBody: boolean
  /** What cannot be passed as arguments. */
  readonly faults: readonly string[]
}

export interface PathParameter {
  readonly name: string
  readonly optional: boolean
}

/** Of a call that may be repeated: the same value for the same call. */
export const REPEAT_KEY = 'idempotencyKey'

const BODYLESS = new Set(['GET', 'HEAD'])

type Parts = Readonly<Record<'params' | 'querystring' | 'query' | 'headers' | 'body' | 'consumes', unknown>>

/** @param repeatable whether the route keeps answers by an idempotency key */
export function toolInput(
  options: RouteOptions,
  method: string,
  shared: SharedSchemas,
  repeatable: boolean
): ToolInput {
  const { [standardParts]: standard = {}, ...schema } = (options.schema ?? {}) as Partial<Parts> & {
    [standardParts]?: StandardParts
  }
  const given = { ...schema, ...standard } as Partial<Parts>
  const document = new SchemaDocument(shared)
  const faults: string[] = []
  const read = (value: unknown, part: string): Schema => {
    const found = value === undefined ? {} : document.part(value, 'input', part)
    if (found === null) faults.push(`the schema of its ${part} has no JSON Schema form`)
    return found ?? {}
  }
  const params = pathParameters(options.url, read(given.params, 'params'))
  if (options.url.includes('*')) faults.push('its path has a wildcard')
  const query = propertiesOf(read(given.querystring ?? given.query, 'query'))
  const headers = propertiesOf(read(given.headers, 'headers'))
  const asked = headers.filter(({ required }) => required).map(({ name }) => name)
  if (asked.length > 0) faults.push(`it requires the header ${asked.join(', ')}, which a tool does not send`)
  const takesBody = !BODYLESS.has(method)
  const json = takesBody ? jsonContent(given.body) : undefined
  const isOther = takesBody && given.body !== undefined && json === undefined
  const types = Array.isArray(given.consumes) ? given.consumes : []
  if (isOther || (types.length > 0 && !types.some((type) => /json/.test(String(type)))))
    faults.push('its body is no JSON')
  const body = json === undefined ? null : read(json, 'body')
  const flat = body !== null && isFlat(body)
  const arguments_ = new Arguments()
  arguments_.add('params', params)
  arguments_.add('query', query)
  if (flat) arguments_.add('body', propertiesOf(body))
  else if (body !== null) arguments_.whole(body)
  if (repeatable) arguments_.repeatKey()
  const openBody = flat && body.additionalProperties !== false && body.unevaluatedProperties !== false
  return {
    schema: document.with(arguments_.schema(openBody)),
    path: pathParts(options.url),
    places: arguments_.places,
    openBody,
    faults
  }
}

interface Property {
  readonly name: string
  readonly schema: unknown
  readonly required: boolean
}

/** An object whose properties are all that it says. */
function isFlat(body: Schema): boolean {
  const combined = [
    'anyOf',
    'oneOf',
    'allOf',
    'not',
    'if',
    '$ref',
    'patternProperties',
    'minProperties',
    'propertyNames'
  ]
  return body.type === 'object' && combined.every((keyword) => body[keyword] === undefined)
}

function propertiesOf(schema: Schema): Property[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries((schema.properties ?? {}) as object).map(([name, property]) => ({
    name,
    schema: property,
    required: required.includes(name)
  }))
}

/** `:id`, also with a regular expression behind it; `::` is a colon. */
const PARAMETER = /(?<!:):([A-Za-z_]\w*)(?:\((?:[^()]|\([^()]*\))*\))?(\?)?/g

function pathParameters(url: string, schema: Schema): Property[] {
  const described = new Map(propertiesOf(schema).map((property) => [property.name, property.schema]))
  return [...url.matchAll(PARAMETER)].map(([, name = '', optional]) => ({
    name,
    schema: described.get(name) ?? { type: 'string' },
    required: optional === undefined
  }))
}

function pathParts(url: string): (string | PathParameter)[] {
  const parts: (string | PathParameter)[] = []
  let from = 0
  for (const { index, 0: text, 1: name = '', 2: optional } of url.matchAll(PARAMETER)) {
    parts.push(url.slice(from, index).replaceAll('::', ':'), { name, optional: optional !== undefined })
    from = index + text.length
  }
  return [...parts, url.slice(from).replaceAll('::', ':')]
}

class Arguments {
  readonly places = new Map<string, Place>()
  readonly #properties: Record<string, unknown> = {}
  readonly #required: string[] = []

  add(part: PartName, properties: readonly Property[]): void {
    for (const { name, schema, required } of properties) {
      const argument = this.places.has(name) ? `${part}_${name}` : name
      this.#put(argument, { part, key: name }, schema, required)
    }
  }

  whole(body: Schema): void {
    this.#put(this.places.has('body') ? 'body_' : 'body', { part: 'body', key: null }, body, true)
  }

  repeatKey(): void {
    if (this.places.has(REPEAT_KEY)) return
    this.#properties[REPEAT_KEY] = {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Repeat a call with the same value to get its answer again without a second effect.'
    }
  }

  schema(open: boolean): Schema {
    return {
      type: 'object',
      properties: this.#properties,
      ...(this.#required.length === 0 ? {} : { required: this.#required }),
      ...(open ? {} : { additionalProperties: false })
    }
  }

  #put(argument: string, place: Place, schema: unknown, required: boolean): void {
    this.places.set(argument, place)
    this.#properties[argument] = schema
    if (required) this.#required.push(argument)
  }
}
