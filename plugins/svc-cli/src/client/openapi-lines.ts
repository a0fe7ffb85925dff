/** The lines of a map from an OpenAPI 3 document, of whatever server. Its named schemas are exported types. Pure. */
import { CLIENT_NAMES, generalErrors, type MapLine, type MapPart, paramsText } from './map-text.ts'
import { keyText, type Side, schemaType } from './schema-type.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses?: Readonly<Record<string, Json>>
  readonly security?: readonly Json[]
  readonly 'x-guard'?: string
}

export interface Document {
  readonly openapi: string
  readonly info?: { readonly title?: string; readonly version?: string }
  readonly paths?: Readonly<Record<string, Json>>
  readonly components?: Readonly<Record<string, Json>>
}

export interface DescribedApi {
  readonly lines: readonly MapLine[]
  /** `export type Order = ...`, in the order of their names. */
  readonly types: readonly string[]
}

/** What the file itself names. */
const TAKEN = new Set([...CLIENT_NAMES, 'Partial', 'Record', 'Routes'])
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** As svc writes it into the description of a response. */
const CODES = /Codes of this route: ([^.]*)\./

export function isDocument(value: unknown): value is Document {
  const { openapi, paths } = (value ?? {}) as Partial<Document>
  return typeof openapi === 'string' && openapi.startsWith('3.') && typeof paths === 'object'
}

export function describedApi(document: Document): DescribedApi {
  return new ApiText(document).read()
}

class ApiText {
  readonly #document: Document
  /** Whether its errors are those of svc. */
  readonly #hasCodes: boolean
  /** Of each named schema, on each side on which a route names it. */
  readonly #named = new Map<string, string>()
  readonly #names = new Map<string, string>()

  constructor(document: Document) {
    this.#document = document
    const { required } = (document.components?.schemas?.Error ?? {}) as { readonly required?: readonly string[] }
    this.#hasCodes = required?.includes('code') === true
  }

  read(): DescribedApi {
    const lines = Object.entries(this.#document.paths ?? {}).flatMap(([path, item]) =>
      METHODS.filter((method) => typeof item[method] === 'object').map((method) =>
        this.#line(method.toUpperCase(), path, item[method] as Operation, (item.parameters ?? []) as readonly Json[])
      )
    )
    const types = [...this.#named].sort(([a], [b]) => (a < b ? -1 : 1))
    return { lines, types: types.map(([name, text]) => `export type ${name} = ${text}\n`) }
  }

  #line(method: string, template: string, operation: Operation, shared: readonly Json[]): MapLine {
    const path = template.replace(/\{(\w+)\}/g, ':$1')
    const parameters = [...shared, ...(operation.parameters ?? [])].map((each) => this.#resolved(each))
    const query = this.#query(parameters.filter((parameter) => parameter.in === 'query'))
    const body = this.#body(operation.requestBody)
    return {
      name: `${method} ${path}`,
      params: paramsText(path),
      query,
      body,
      answer: this.#answer(operation.responses ?? {}),
      errors: this.#errors(method, operation, query !== undefined || path.includes(':'), body !== undefined)
    }
  }

  #query(parameters: readonly Json[]): MapPart | undefined {
    if (parameters.length === 0) return undefined
    const members = parameters.map(({ name, required, schema }) => {
      return `${keyText(String(name))}${required === true ? '' : '?'}: ${this.#type(schema, 'input')}`
    })
    return {
      text: `{ ${members.join('; ')} }`,
      optional: parameters.every(({ required }) => required !== true)
    }
  }

  #body(given: Json | undefined): MapPart | undefined {
    if (given === undefined) return undefined
    const { content = {}, required } = this.#resolved(given) as {
      content?: Readonly<Record<string, Json>>
      required?: boolean
    }
    const json = Object.keys(content).find((type) => /^application\/([\w.+-]*\+)?json/.test(type))
    const text =
      json !== undefined
        ? this.#type(content[json]?.schema, 'input')
        : 'multipart/form-data' in content
          ? 'FormData'
          : 'Upload'
    return { text, optional: required === false }
  }

  #answer(responses: Readonly<Record<string, Json>>): string {
    const texts = Object.entries(responses)
      .filter(([status]) => /^2/.test(status))
      .map(([status, given]) => {
        const { content } = this.#resolved(given) as { content?: Readonly<Record<string, Json>> }
        if (status === '204' || content === undefined) return 'undefined'
        const json = Object.keys(content).find((type) => /^application\/([\w.+-]*\+)?json/.test(type))
        if (json !== undefined) return this.#type(content[json]?.schema, 'output')
        return Object.keys(content).some((type) => type.startsWith('text/')) ? 'string' : 'Bytes'
      })
    return texts.length === 0 ? 'unknown' : [...new Set(texts)].join(' | ')
  }

  #errors(method: string, operation: Operation, hasInput: boolean, hasBody: boolean): MapLine['errors'] {
    const responses = Object.entries(operation.responses ?? {}).filter(([status]) => /^[45]\d\d$/.test(status))
    // Errors of another server have no code that a client could know.
    if (!this.#hasCodes) return { SVC_CLIENT_STATUS: responses.map(([status]) => status).join(' | ') || 'number' }
    const named = responses.flatMap(([status, given]) => {
      const [, list = ''] = CODES.exec(String(this.#resolved(given).description ?? '')) ?? []
      return [...list.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, Number(status)] as const)
    })
    const statuses = new Set(responses.map(([status]) => Number(status)))
    const general = generalErrors({
      hasInput,
      hasBody,
      hasZone: statuses.has(401) || operation.security !== undefined,
      hasGuard: operation['x-guard'] !== undefined || statuses.has(403),
      changes: method !== 'GET'
    })
    return { ...general, ...Object.fromEntries(named) }
  }

  #type(schema: unknown, side: Side): string {
    return schemaType(schema, { side, refer: (reference) => this.#refer(reference, side) })
  }

  /** A schema whose defaults make two types of it has two names. */
  #refer(reference: string, side: Side): string | null {
    const [, key] = /^#\/components\/schemas\/([^/]+)$/.exec(reference) ?? []
    if (key === undefined) return null
    const known = this.#names.get(`${side} ${key}`)
    if (known !== undefined) return known
    const plain = key.replaceAll(/\W+/g, '_').replace(/^(?=\d)/, '_')
    const wanted = TAKEN.has(plain) ? `${plain}Schema` : plain
    const name = side === 'input' ? `${wanted}Input` : wanted
    this.#names.set(`${side} ${key}`, name)
    this.#named.set(name, 'unknown')
    this.#named.set(name, this.#type(this.#document.components?.schemas?.[key], side))
    return name
  }

  #resolved(given: Json): Json {
    const { $ref } = given
    if (typeof $ref !== 'string') return given
    const [, section = '', name = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec($ref) ?? []
    return (this.#document.components?.[section]?.[name] ?? {}) as Json
  }
}
