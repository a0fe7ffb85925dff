/**
 * Schemas that routes share by `$id`, as components of the document. @fastify/swagger
 * names them, and turns references to them into references within the document,
 * but not where a query or headers are such a schema: the rest is done here.
 */
import { withReferences } from './references.ts'

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

  /** Of a document that another @fastify/swagger made: it gives each component its `$id` as a title. */
  learn(components: Readonly<Record<string, object>>): void {
    for (const [name, { title }] of Object.entries<{ title?: unknown }>(components)) {
      if (typeof title === 'string' && !this.#names.has(title)) this.#names.set(title, name)
    }
  }

  /** The same part of the document, in which each known `$id` is a component. */
  resolve<Part>(part: Part): Part {
    return withReferences(part, (reference) => this.#local(reference)) as Part
  }

  #local(reference: string): string {
    const [id = '', pointer = ''] = reference.split('#')
    const name = this.#names.get(id)
    return name === undefined ? reference : `#/components/schemas/${name}${pointer}`
  }
}
