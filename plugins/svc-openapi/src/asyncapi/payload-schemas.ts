/**
 * The schemas of messages. OpenAPI 3.1 has those of JSON Schema 2020-12, which AsyncAPI takes with the name of its format;
 * components are wrapped in the same way, so references lead one step deeper. Pure.
 */
import { reachable, withReferences } from '../document/references.ts'

const FORMAT = 'application/schema+json;version=draft-2020-12'

export class PayloadSchemas {
  readonly #schemas: Readonly<Record<string, object>>
  readonly #used = new Set<string>()

  /** @param schemas components of the OpenAPI document */
  constructor(schemas: Readonly<Record<string, object>>) {
    this.#schemas = schemas
  }

  /** @returns nothing where the schema is not known, or refers to what the document does not have */
  payload(schema: unknown): { readonly payload?: object } {
    const found = this.#plain(schema)
    return found === undefined ? {} : { payload: { schemaFormat: FORMAT, schema: found } }
  }

  /** Of query strings and headers, which bindings want as an object with properties. */
  properties(schema: unknown): object | undefined {
    const { $ref } = (schema ?? {}) as { readonly $ref?: string }
    const [, name = ''] = /^#\/components\/schemas\/([^/]+)$/.exec($ref ?? '') ?? []
    const found = this.#plain(Object.hasOwn(this.#schemas, name) ? this.#schemas[name] : schema) as
      | { properties?: object }
      | undefined
    return found?.properties === undefined ? undefined : { ...found, type: 'object' }
  }

  /** What the payloads so far refer to. */
  get components(): Record<string, object> {
    const names = [...this.#used].sort()
    return Object.fromEntries(
      names.map((name) => [name, { schemaFormat: FORMAT, schema: withReferences(this.#schemas[name], deeper) }])
    )
  }

  #plain(schema: unknown): unknown {
    if (schema === undefined) return undefined
    const names = [...reachable([schema], { schemas: this.#schemas })].map((found) => found.replace(/^schemas\//, ''))
    const isKnown = names.every((name) => Object.hasOwn(this.#schemas, name))
    if (!isKnown || [schema, ...names.map((name) => this.#schemas[name])].some(refersOutside)) return undefined
    for (const name of names) this.#used.add(name)
    return withReferences(schema, deeper)
  }
}

const COMPONENT = /^#\/components\/schemas\/[^/]+/

function deeper(reference: string): string {
  return reference.replace(COMPONENT, (component) => `${component}/schema`)
}

function refersOutside(schema: unknown): boolean {
  let outside = false
  withReferences(schema, (reference) => {
    outside ||= !COMPONENT.test(reference)
    return reference
  })
  return outside
}
