/**
 * Schemas that routes share by `$id`, as components of the document. @fastify/swagger
 * names them, and turns references to them into references within the document,
 * but not where a query or headers are such a schema: the rest is done here.
 */

interface SharedSchema {
  readonly $id?: unknown
  title?: unknown
}

export class SharedSchemas {
  /** `$id` to the name of the component. */
  readonly #names = new Map<string, string>()

  /** Called by @fastify/swagger for each shared schema. @returns the name of its component */
  readonly name = (schema: SharedSchema, _base: unknown, _fragment: string, index: number): string => {
    const name = `def-${index}`
    if (typeof schema.$id === 'string') {
      this.#names.set(schema.$id, name)
      schema.title ??= schema.$id
    }
    return name
  }

  /** The same part of the document, in which each known `$id` is a component. */
  resolve<Part>(part: Part): Part {
    return this.#resolved(part) as Part
  }

  #resolved(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#resolved(item))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [
        key,
        key === '$ref' && typeof value === 'string' ? this.#local(value) : this.#resolved(value)
      ])
    )
  }

  #local(reference: string): string {
    const [id = '', pointer = ''] = reference.split('#')
    const name = this.#names.get(id)
    return name === undefined ? reference : `#/components/schemas/${name}${pointer}`
  }
}
