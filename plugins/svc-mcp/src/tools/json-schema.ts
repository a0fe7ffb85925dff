/**
 * JSON Schemas of a route in one document of its own: what the application shares by `$id` becomes a definition of it, and
 * references within a part stay true where the part is merged with others. Pure.
 */
import { describedBy, isForeignSchema, isStandardSchema, jsonSchemaOf } from 'svc-kernel/plugin'

export type Schema = Readonly<Record<string, unknown>>

/** Schemas of the application by their `$id`. */
export type SharedSchemas = Readonly<Record<string, unknown>>

/** Gathers the definitions of one document. */
export class SchemaDocument {
  readonly definitions: Record<string, unknown> = {}
  readonly #shared: SharedSchemas

  constructor(shared: SharedSchemas) {
    this.#shared = shared
  }

  /**
   * A schema as part of this document.
   *
   * @param name of the part, unique in the document
   * @returns `null` for a schema that cannot be written as JSON Schema
   */
  part(given: unknown, side: 'input' | 'output', name: string): Schema | null {
    const schema = plain(given, side)
    if (schema === null) return null
    const { $id: _, $schema: _draft, $defs, definitions, ...root } = schema
    const own = { ...(definitions as object), ...($defs as object) }
    const localize = (reference: string): string => this.#localized(reference, name, root)
    for (const [key, definition] of Object.entries(own)) {
      this.definitions[`${name}.${key}`] = withReferences(definition, localize)
    }
    return withReferences(root, localize) as Schema
  }

  /** The document with a root. */
  with(root: Schema): Schema {
    return Object.keys(this.definitions).length === 0 ? root : { ...root, $defs: this.definitions }
  }

  #localized(reference: string, name: string, root: Schema): string {
    const [id = '', pointer = ''] = reference.split('#')
    if (id === '') {
      const [, key] = /^\/(?:\$defs|definitions)\/([^/]+)$/.exec(pointer) ?? []
      if (key !== undefined) return `#/$defs/${name}.${key}`
      this.#define(name, root, name)
      return `#/$defs/${name}${pointer}`
    }
    const shared = this.#shared[id]
    if (shared === undefined) return reference
    this.#define(id, shared as Schema, id)
    return `#/$defs/${escaped(id)}${pointer}`
  }

  #define(key: string, given: Schema, name: string): void {
    if (Object.hasOwn(this.definitions, key)) return
    this.definitions[key] = {}
    this.definitions[key] = this.part(given, 'input', name)
  }
}

/** As a part of a JSON pointer within a URI. */
function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function plain(given: unknown, side: 'input' | 'output'): Schema | null {
  const { [describedBy]: described } = (given ?? {}) as { readonly [describedBy]?: Schema }
  if (described !== undefined) return described
  if (isStandardSchema(given)) {
    try {
      return jsonSchemaOf(given, side, 'draft-2020-12') as Schema
    } catch {
      return null
    }
  }
  if (given === true) return {}
  if (isForeignSchema(given) || typeof given !== 'object' || given === null) return null
  // What a builder such as fluent-json-schema makes says itself as JSON.
  return 'isFluentSchema' in given ? (JSON.parse(JSON.stringify(given)) as Schema) : (given as Schema)
}

function withReferences(part: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(part)) return part.map((item) => withReferences(item, change))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? change(value) : withReferences(value, change)
    ])
  )
}

/** The schema of a body or an answer, where Fastify's form has one for each content type: that of JSON. */
export function jsonContent(given: unknown): unknown {
  const content = isStandardSchema(given)
    ? undefined
    : (given as { content?: Record<string, { schema?: unknown }> })?.content
  if (typeof content !== 'object') return given
  const type = Object.keys(content).find((name) => /^application\/(?:json|[\w.-]+\+json)\b/.test(name))
  return type === undefined ? undefined : content[type]?.schema
}
