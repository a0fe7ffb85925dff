/**
 * What changed between two JSON Schemas, for whoever sends what they describe (a request), or reads it (a response): a
 * request may become wider, a response narrower. Pure.
 */
import { escaped, type OpenapiDocument, resolved, type Schema } from './document.ts'

/** `request`: the client sends it. `response`: the client reads it. */
export type Direction = 'request' | 'response'

export interface SchemaChange {
  /** JSON Pointer into the value. */
  readonly at: string
  readonly text: string
}

/** A schema, and the document in which its references are. */
export interface Side {
  readonly document: OpenapiDocument
  readonly schema: Schema
}

/** Keywords that allow less the larger they are, and those that allow less the smaller they are. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const
/** Keywords whose values can only be compared as a whole. */
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'propertyNames', 'contentEncoding'] as const

/** @returns the changes that break a client which was written for `before` */
export function breakingChanges(before: Side, after: Side, direction: Direction): readonly SchemaChange[] {
  return new SchemaComparison(direction).compare(before, after, '')
}

class SchemaComparison {
  readonly #direction: Direction
  /** Pairs under comparison: schemas may contain themselves. */
  readonly #open = new Map<Schema, Set<Schema>>()

  constructor(direction: Direction) {
    this.#direction = direction
  }

  compare(given: Side, wanted: Side, at: string): SchemaChange[] {
    const before = flattened(given)
    const after = flattened(wanted)
    const [key, other] = [resolved(given.document, given.schema), resolved(wanted.document, wanted.schema)]
    const seen = this.#open.get(key) ?? new Set()
    if (seen.has(other)) return []
    this.#open.set(key, seen.add(other))
    try {
      const [one, two] = [alternatives(before), alternatives(after)]
      if (one.length > 1 || two.length > 1) return this.#compareAlternatives(one, two, at)
      return [
        ...this.#compareTypes(before.schema, after.schema, at),
        ...this.#compareValues(before.schema, after.schema, at),
        ...this.#compareBounds(before.schema, after.schema, at),
        ...this.#compareProperties(before, after, at),
        ...this.#compareItems(before, after, at)
      ]
    } finally {
      seen.delete(other)
    }
  }

  /** Each that a client sends has to be accepted by one; each that it may read has to be one that it knows. */
  #compareAlternatives(before: readonly Side[], after: readonly Side[], at: string): SchemaChange[] {
    const isRequest = this.#direction === 'request'
    const [needed, known] = isRequest ? [before, after] : [after, before]
    const fits = (one: Side, other: Side) =>
      (isRequest ? this.compare(one, other, at) : this.compare(other, one, at)).length === 0
    const missing = needed.filter((one) => !known.some((other) => fits(one, other)))
    const text = isRequest ? 'accepts an alternative no longer' : 'may be an alternative that it was not'
    return missing.map(({ schema }) => ({ at, text: `${text}: ${shown(schema)}` }))
  }

  #compareTypes(before: Schema, after: Schema, at: string): SchemaChange[] {
    const [was, is] = [typesOf(before), typesOf(after)]
    const [needed, allowed] = this.#direction === 'request' ? [was, is] : [is, was]
    const covers = (type: string) => allowed.has(type) || (type === 'integer' && allowed.has('number'))
    if (allowed.size === 0 || (needed.size > 0 && [...needed].every(covers))) return []
    return [{ at, text: `is ${listed(is)}, was ${listed(was)}` }]
  }

  #compareValues(before: Schema, after: Schema, at: string): SchemaChange[] {
    const [was, is] = [valuesOf(before), valuesOf(after)]
    const [needed, allowed] = this.#direction === 'request' ? [was, is] : [is, was]
    if (allowed === null) return []
    const text = this.#direction === 'request' ? 'accepts no longer' : 'may be'
    if (needed === null) {
      return [{ at, text: this.#direction === 'request' ? 'is one of a list' : 'is no longer one of a list' }]
    }
    return [...needed].filter((value) => !allowed.has(value)).map((value) => ({ at, text: `${text} ${value}` }))
  }

  #compareBounds(before: Schema, after: Schema, at: string): SchemaChange[] {
    const [loose, tight] = this.#direction === 'request' ? [before, after] : [after, before]
    const isTighter = (keyword: string, sign: 1 | -1) => {
      const [was, is] = [loose[keyword], tight[keyword]]
      return typeof is === 'number' && (typeof was !== 'number' || (is - was) * sign > 0)
    }
    const differs = (keyword: string) =>
      tight[keyword] !== undefined && JSON.stringify(tight[keyword]) !== JSON.stringify(loose[keyword])
    return [
      ...LOWER.filter((keyword) => isTighter(keyword, 1)),
      ...UPPER.filter((keyword) => isTighter(keyword, -1)),
      ...EXACT.filter(differs)
    ].map((keyword) => ({ at, text: `${keyword} is ${shown(after[keyword])}, was ${shown(before[keyword])}` }))
  }

  #compareProperties(before: Side, after: Side, at: string): SchemaChange[] {
    const [was, is] = [propertiesOf(before.schema), propertiesOf(after.schema)]
    const [mustBefore, mustAfter] = [requiredOf(before.schema), requiredOf(after.schema)]
    const isRequest = this.#direction === 'request'
    const place = (name: string) => `${at}/${escaped(name)}`
    const changes: SchemaChange[] = []
    for (const [name, schema] of Object.entries(was)) {
      const now = is[name]
      if (now === undefined) changes.push({ at: place(name), text: isRequest ? 'is no longer read' : 'is gone' })
      else changes.push(...this.compare({ ...before, schema }, { ...after, schema: now }, place(name)))
    }
    const [added, dropped] = [difference(mustAfter, mustBefore), difference(mustBefore, mustAfter)]
    if (isRequest) changes.push(...added.map((name) => ({ at: place(name), text: 'is required' })))
    // One that is gone has its line already.
    else
      changes.push(...dropped.filter((name) => name in is).map((name) => ({ at: place(name), text: 'may be absent' })))
    const isClosed = ({ additionalProperties, unevaluatedProperties }: Schema) =>
      additionalProperties === false || unevaluatedProperties === false
    if (isRequest && isClosed(after.schema) && !isClosed(before.schema)) {
      changes.push({ at, text: 'accepts no other properties' })
    }
    return [...changes, ...this.#compareUnder('additionalProperties', before, after, `${at}/*`)]
  }

  #compareItems(before: Side, after: Side, at: string): SchemaChange[] {
    const [was, is] = [tupleOf(before.schema), tupleOf(after.schema)]
    const pairs = was.flatMap((schema, index) => {
      const now = is[index]
      return now === undefined ? [] : this.compare({ ...before, schema }, { ...after, schema: now }, `${at}/${index}`)
    })
    return [...pairs, ...this.#compareUnder('items', before, after, `${at}/*`)]
  }

  #compareUnder(keyword: string, before: Side, after: Side, at: string): SchemaChange[] {
    const [was, is] = [before.schema[keyword], after.schema[keyword]]
    if (!isSchema(was) || !isSchema(is)) return []
    return this.compare({ ...before, schema: was }, { ...after, schema: is }, at)
  }
}

/** What a reference names, with the parts of `allOf` in one. */
function flattened({ document, schema }: Side, depth = 0): Side {
  const whole = resolved(document, schema)
  const { allOf, ...own } = whole as { allOf?: readonly Schema[] } & Schema
  if (!Array.isArray(allOf) || depth > 32) return { document, schema: whole }
  const parts = [...allOf.map((part) => flattened({ document, schema: part }, depth + 1).schema), own]
  const merged = Object.assign({}, ...parts) as Record<string, unknown>
  const properties = Object.assign({}, ...parts.map(propertiesOf))
  const required = parts.flatMap((part) => [...requiredOf(part)])
  if (Object.keys(properties).length > 0) merged.properties = properties
  if (required.length > 0) merged.required = required
  return { document, schema: merged }
}

/** The schemas of which one holds; with what stands beside the list in each. */
function alternatives({ document, schema }: Side): readonly Side[] {
  const { anyOf, oneOf, ...beside } = schema as { anyOf?: unknown; oneOf?: unknown } & Schema
  const list = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null
  if (list === null) return [{ document, schema }]
  return list.flatMap((one: Schema) =>
    alternatives(flattened({ document, schema: { allOf: [beside, resolved(document, one)] } }))
  )
}

function typesOf({ type, nullable }: Schema): ReadonlySet<string> {
  const types = new Set([type ?? []].flat() as string[])
  if (nullable === true && types.size > 0) types.add('null')
  return types
}

function valuesOf(schema: Schema): ReadonlySet<string> | null {
  if ('const' in schema) return new Set([JSON.stringify(schema.const)])
  return Array.isArray(schema.enum) ? new Set(schema.enum.map((value) => JSON.stringify(value))) : null
}

function propertiesOf({ properties }: Schema): Readonly<Record<string, Schema>> {
  return isSchema(properties) ? (properties as Record<string, Schema>) : {}
}

function requiredOf({ required }: Schema): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? (required as string[]) : [])
}

function tupleOf({ prefixItems }: Schema): readonly Schema[] {
  return Array.isArray(prefixItems) ? prefixItems : []
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function difference(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...one].filter((name) => !other.has(name))
}

function listed(types: ReadonlySet<string>): string {
  return types.size === 0 ? 'any type' : [...types].join(' or ')
}

const SHOWN = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
