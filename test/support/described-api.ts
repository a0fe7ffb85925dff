/**
 * An OpenAPI document as a judge of answers, by a validator of others (Ajv): a status that no operation lists, a property
 * that no schema has, a required one that is missing, a null that a schema does not allow.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: object
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

type Schema = Readonly<Record<string, unknown>>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Answer>> }
}

export interface DescribedOperation extends Operation {
  readonly method: string
  /** With `{name}` for each parameter. */
  readonly path: string
}

export interface GivenAnswer {
  readonly status: number
  /** Without parameters; empty without a body. */
  readonly type: string
  readonly body: string
}

export class DescribedApi {
  readonly operations: ReadonlyMap<string, DescribedOperation>
  readonly #document: Document
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })

  constructor(document: object) {
    this.#document = exact(document) as Document
    this.#ajv.addSchema(this.#document, 'api', true, false)
    const described = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
    )
    this.operations = new Map(described.map((operation) => [operation.operationId, operation]))
  }

  /** What of an answer the document does not say. @param name the `operationId` */
  faults(name: string, { status, type, body }: GivenAnswer): string[] {
    const { method, path, responses } = this.operations.get(name) as DescribedOperation
    const listed = responses[status]
    if (listed === undefined) return [`the status ${status} is not described: ${body.slice(0, 200)}`]
    const [place, { content = {} }] =
      '$ref' in listed
        ? [listed.$ref, this.#document.components.responses[listed.$ref.split('/').at(-1) ?? ''] as Answer]
        : [`#${pointer('paths', path, method.toLowerCase(), 'responses', String(status))}`, listed]
    if (body === '' && Object.keys(content).every((each) => isNothing(content[each]?.schema))) return []
    if (content[type] === undefined) return [`${status} is of the type ${type}, which is not described`]
    if (type !== 'application/json') return []
    const validate = this.#ajv.getSchema(`api${place}${pointer('content', type, 'schema')}`)
    if (validate === undefined) return [`${status} has no schema`]
    validate(JSON.parse(body))
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${status} ${instancePath} ${message} ${JSON.stringify(params)}`
    )
  }

  /** Whether the description of a refusal names its code, as it does for what is the route's own. */
  namesCode(name: string, status: number, code: string): boolean {
    const listed = this.operations.get(name)?.responses[status] as { readonly description?: string } | undefined
    return listed?.description?.includes(`\`${code}\``) === true
  }

  /** `operationId /pointer` of each property of a success that may be absent. */
  optionalProperties(): string[] {
    return [...this.operations.values()].flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, answer]) => {
        const schema = 'content' in answer ? answer.content?.['application/json']?.schema : undefined
        return status.startsWith('2') && schema !== undefined
          ? optionalIn(schema, '').map((path) => `${operationId} ${path}`)
          : []
      })
    )
  }
}

function isNothing(schema: Schema | undefined): boolean {
  return schema === undefined || schema.type === 'null'
}

function pointer(...keys: readonly string[]): string {
  return keys
    .map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%2B', '+')}`)
    .join('')
}

/** The same document, in which an object has the properties that are listed and no others, unless it says otherwise. */
function exact(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(exact)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([key, value]) => [key, exact(value)] as const)
  const { properties, additionalProperties } = part as Schema
  const isOpen = typeof properties === 'object' && additionalProperties === undefined
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties: false } : {}) }
}

function optionalIn(schema: Schema, at: string): string[] {
  const {
    properties = {},
    items,
    required = [],
    anyOf = []
  } = schema as {
    properties?: Record<string, Schema>
    items?: Schema
    required?: string[]
    anyOf?: Schema[]
  }
  return [
    ...Object.entries(properties).flatMap(([name, each]) => [
      ...(required.includes(name) ? [] : [`${at}/${name}`]),
      ...optionalIn(each, `${at}/${name}`)
    ]),
    ...(items === undefined ? [] : optionalIn(items, `${at}[]`)),
    ...anyOf.flatMap((choice) => optionalIn(choice, at))
  ]
}
