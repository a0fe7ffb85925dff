/** The schemas of a document as checks of values: each is compiled once, by where it is. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type OpenapiDocument, resolved } from './document.ts'

const ADDRESS = 'openapi'

export class DocumentSchemas {
  readonly document: OpenapiDocument
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false })
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: OpenapiDocument) {
    this.document = document
    formats.default(this.#ajv)
    this.#ajv.addSchema(document, ADDRESS)
  }

  /** What a reference names, and where that is. @param pointer where the reference is */
  find<Value extends object>(value: Value, pointer: string): readonly [Value, pointer: string] {
    const { $ref } = value as { $ref?: string }
    return [resolved(this.document, value), $ref === undefined ? pointer : $ref.slice(1)]
  }

  /** The first fault of a value, with where it is; `null`: it fits. @param pointer where the schema is: a JSON Pointer */
  faultOf(pointer: string, value: unknown): string | null {
    const validate = this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: `${ADDRESS}#${encodeURI(pointer)}` })
    this.#compiled.set(pointer, validate)
    if (validate(value)) return null
    const [error] = validate.errors ?? []
    return `${error?.instancePath || '/'} ${error?.message}`
  }
}
