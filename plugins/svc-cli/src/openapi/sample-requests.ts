/** Requests made from the schemas of an operation: those that the document accepts, and those that it refuses. */
import { createGeneratorSync, type JsonSchema } from 'json-schema-faker'
import { escaped, type ListedOperation, type Parameter, resolved, type Schema } from './document.ts'
import type { DocumentSchemas } from './document-schemas.ts'

export interface SampleRequest {
  readonly method: string
  /** Path and query, encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON; absent without a body. */
  readonly body?: string
  /** Why the document refuses it; `null`: it does not. */
  readonly fault: string | null
}

const JSON_TYPE = 'application/json'

/** A schema, and where it is in the document. */
interface Placed {
  readonly schema: Schema
  readonly pointer: string
}

interface PlacedParameter extends Placed {
  readonly name: string
  readonly place: Parameter['in']
  readonly required: boolean
}

/** A router refuses a longer part of a path. */
const LONGEST_SEGMENT = 60
/** A pattern may be more than the generator understands. */
const TRIES = 50

export class RequestSamples {
  readonly #schemas: DocumentSchemas
  readonly #listed: ListedOperation
  readonly #parameters: readonly PlacedParameter[]
  readonly #body: Placed | null
  readonly #generator: ReturnType<typeof createGeneratorSync>

  /** @param seed the same gives the same requests */
  constructor(schemas: DocumentSchemas, listed: ListedOperation, seed: number) {
    const { parameters = [], requestBody } = listed.operation
    this.#schemas = schemas
    this.#listed = listed
    this.#parameters = parameters.map((given, index) => {
      const [{ name, in: place, required = false, schema = {} }, at] = schemas.find(
        given,
        `${listed.pointer}/parameters/${index}`
      )
      return { name, place, required, schema, pointer: `${at}/schema` }
    })
    const [body, at] = schemas.find(requestBody ?? {}, `${listed.pointer}/requestBody`)
    const schema = body.content?.[JSON_TYPE]?.schema
    this.#body = schema === undefined ? null : { schema, pointer: `${at}/content/${escaped(JSON_TYPE)}/schema` }
    this.#generator = createGeneratorSync({ seed, optionalsProbability: 0.5, maxDefaultItems: 3 })
  }

  /** Why no request can be made; `null`: one can. */
  get obstacle(): string | null {
    const { requestBody } = this.#listed.operation
    if (requestBody === undefined || this.#body !== null) return null
    const types = Object.keys(resolved(this.#schemas.document, requestBody).content ?? {})
    return `its body is ${types.join(', ') || 'not described'}`
  }

  /** One that the document accepts. @returns `null` where no value that fits was found */
  valid(): SampleRequest | null {
    try {
      return this.#request(this.#values(), this.#bodyValue(), null)
    } catch (error) {
      if (error instanceof NoValue) return null
      throw error
    }
  }

  /** Those that the document refuses: one for each required part that is absent, and each value of a wrong type. */
  invalid(): readonly SampleRequest[] {
    const requests: SampleRequest[] = []
    try {
      for (const request of this.#invalid()) requests.push(request)
    } catch (error) {
      if (!(error instanceof NoValue)) throw error
    }
    return requests
  }

  *#invalid(): Generator<SampleRequest> {
    for (const { name, place, required, schema } of this.#parameters) {
      if (place === 'query' && required) {
        const { [`query ${name}`]: _, ...others } = this.#values()
        yield this.#request(others, this.#bodyValue(), `query ${name} is absent`)
      }
      const { type } = resolved(this.#schemas.document, schema)
      if ((place === 'query' || place === 'path') && (type === 'integer' || type === 'number')) {
        const values = { ...this.#values(), [`${place} ${name}`]: 'x' }
        yield this.#request(values, this.#bodyValue(), `${place} ${name} is no number`)
      }
    }
    yield* this.#invalidBodies()
  }

  *#invalidBodies(): Generator<SampleRequest> {
    if (this.#body === null) return
    const { type, required = [] } = resolved(this.#schemas.document, this.#body.schema)
    const whole = this.#generate(this.#body)
    if (type === 'object') yield this.#request(this.#values(), [], 'the body is an array')
    if (typeof whole !== 'object' || whole === null) return
    for (const name of required as readonly string[]) {
      const { [name]: _, ...others } = whole as Record<string, unknown>
      yield this.#request(this.#values(), others, `body /${name} is absent`)
    }
  }

  /** By place and name. */
  #values(): Record<string, unknown> {
    const sent = this.#parameters.filter(({ required }) => required || this.#generator.generate({ type: 'boolean' }))
    return Object.fromEntries(sent.map((parameter) => [`${parameter.place} ${parameter.name}`, this.#value(parameter)]))
  }

  #value({ place, schema, pointer }: PlacedParameter): unknown {
    if (place !== 'path') return this.#generate({ schema, pointer })
    const { type, maxLength = LONGEST_SEGMENT, ...others } = resolved(this.#schemas.document, schema)
    const isLong = type === 'string' && (maxLength as number) > LONGEST_SEGMENT
    return this.#generate({ schema: isLong ? { type, maxLength: LONGEST_SEGMENT, ...others } : schema, pointer })
  }

  #bodyValue(): unknown {
    return this.#body === null ? undefined : this.#generate(this.#body)
  }

  /** @throws NoValue */
  #generate({ schema, pointer }: Placed): unknown {
    const { components } = this.#schemas.document
    for (let tries = 0; tries < TRIES; tries += 1) {
      const value = this.#generator.generate({ components, ...schema } as JsonSchema)
      if (this.#schemas.faultOf(pointer, value) === null) return value
    }
    throw new NoValue()
  }

  #request(values: Readonly<Record<string, unknown>>, body: unknown, fault: string | null): SampleRequest {
    const { method, path } = this.#listed
    const query = new URLSearchParams()
    const headers: Record<string, string> = {}
    for (const { place, name } of this.#parameters) {
      const value = values[`${place} ${name}`]
      if (value === undefined || value === null) continue
      if (place === 'query') for (const one of [value].flat()) query.append(name, text(one))
      if (place === 'header') headers[name] = text(value)
    }
    const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => segment(values[`path ${name}`]))
    if (body !== undefined) headers['content-type'] = JSON_TYPE
    const target = query.size === 0 ? filled : `${filled}?${query}`
    return { method, target, headers, fault, ...(body !== undefined && { body: JSON.stringify(body) }) }
  }
}

/** The generator makes no value that fits. */
class NoValue extends Error {}

function text(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Empty, `.` and `..` are no segments of a path that a client could send. */
function segment(value: unknown): string {
  const given = text(value ?? '')
  return /^\.{0,2}$/.test(given) ? '0' : encodeURIComponent(given)
}
