/**
 * The schemas of a route as OpenAPI 3.1 takes them: those of a library as it exports them, and what they refer to within
 * themselves as components. A schema without an export is a note, never the insides of its library. Pure.
 */
import { describedBy, isForeignSchema, isStandardSchema, jsonSchemaOf, standardParts } from 'svc-kernel/plugin'
import type { OperationSchema } from './describe-operation.ts'
import { withReferences } from './references.ts'

export interface DescribedSchemas {
  readonly schema: OperationSchema
  /** Definitions that the schemas refer to, by name of the component. */
  readonly components: Readonly<Record<string, object>>
  /** Which schemas are not described, and why. */
  readonly notes: readonly string[]
}

type Schema = Readonly<Record<string, unknown>>

const PARAMETERS = ['querystring', 'query', 'params', 'headers'] as const

/** @param name of the operation; those of its components begin with it */
export function describeSchemas(given: OperationSchema, name: string): DescribedSchemas {
  const parts = new SchemaParts(name.replaceAll(/[^\w.-]+/g, '-'))
  const { [standardParts]: standard, ...rest } = given as OperationSchema & { [standardParts]?: object }
  const schema: Record<string, unknown> = { ...rest, ...standard }
  if (schema.body !== undefined) schema.body = parts.ofBody(schema.body, 'input', 'body')
  for (const part of PARAMETERS) if (schema[part] !== undefined) schema[part] = parts.ofParameters(schema[part], part)
  if (typeof schema.response === 'object' && schema.response !== null) {
    const answers = Object.entries(schema.response)
    schema.response = Object.fromEntries(
      answers.map(([status, answer]) => [status, parts.ofBody(answer, 'output', `response.${status}`)])
    )
  }
  return { schema, components: parts.components, notes: parts.notes }
}

class SchemaParts {
  readonly components: Record<string, object> = {}
  readonly notes: string[] = []
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** One schema, or Fastify's form with one per content type. */
  ofBody(given: unknown, side: 'input' | 'output', part: string): unknown {
    const content = isStandardSchema(given) ? undefined : (given as { content?: unknown } | null)?.content
    if (typeof content !== 'object' || content === null) return this.#described(given, side, part)
    const described = Object.entries(content).map(([type, entry]) => [
      type,
      { ...entry, schema: this.#described(entry?.schema, side, `${part}.${type.replaceAll('/', '-')}`) }
    ])
    return { ...(given as object), content: Object.fromEntries(described) }
  }

  /** Parameters are read from `properties`; what has none would be listed by the keywords of its schema. */
  ofParameters(given: unknown, part: string): unknown {
    const described = this.#described(given, 'input', part) as Schema
    if (described === given || described.properties !== undefined) return described
    if (described.description !== NOT_DESCRIBED) this.notes.push(`${part}: it is not an object with properties`)
    return { type: 'object', properties: {} }
  }

  #described(given: unknown, side: 'input' | 'output', part: string): unknown {
    const { [describedBy]: described } = (given ?? {}) as { readonly [describedBy]?: object }
    if (described !== undefined) return described
    if (!isStandardSchema(given)) {
      return isForeignSchema(given)
        ? this.#note(part, 'its library does not implement Standard Schema')
        : this.#hoisted(given, part)
    }
    try {
      return this.#hoisted(jsonSchemaOf(given, side, 'draft-2020-12'), part)
    } catch (error) {
      return this.#note(part, (error as Error).message)
    }
  }

  #note(part: string, reason: string): Schema {
    this.notes.push(`${part}: ${reason}`)
    return { description: NOT_DESCRIBED }
  }

  /** A reference to `#` would mean the whole document. */
  #hoisted(given: unknown, part: string): unknown {
    if (!hasLocalReference(given)) return given
    const { $defs, definitions, ...root } = given as Schema
    const name = `${this.#name}.${part}`
    const component = (definition: string) => `${name}.${definition.replaceAll(/[^\w.-]+/g, '-')}`
    const localize = (reference: string): string => {
      const [, definition] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
      if (definition !== undefined) return `#/components/schemas/${component(definition)}`
      if (reference !== '#') return reference
      this.components[name] ??= moved
      return `#/components/schemas/${name}`
    }
    const moved = {}
    Object.assign(moved, withReferences(root, localize))
    for (const [key, definition] of Object.entries({ ...(definitions as object), ...($defs as object) })) {
      this.components[component(key)] = withReferences(definition, localize) as object
    }
    return moved
  }
}

const NOT_DESCRIBED = 'Validated by a schema without a JSON Schema export.'

function hasLocalReference(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  return Object.entries(part).some(([key, value]) =>
    key === '$ref' && typeof value === 'string'
      ? /^#(?:$|\/(?:\$defs|definitions)\/)/.test(value)
      : hasLocalReference(value)
  )
}
