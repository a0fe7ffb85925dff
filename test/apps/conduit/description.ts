/**
 * Calls operations of a described API by their names, and holds each answer against the description: its status is one
 * that the operation lists, its body fits the schema of that status.
 */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

interface Reference {
  readonly $ref: string
}

interface Operation {
  readonly operationId: string
  readonly security?: readonly object[]
  readonly requestBody?: Reference
  readonly responses: Readonly<Record<string, Reference>>
}

interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, { readonly content: object }>> }
}

export interface Call {
  /** Values for the parameters of the path. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly token?: string | undefined
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

export class DescribedApi {
  readonly operations: ReadonlyMap<string, Described>
  /** `operationId status` of every answer so far. */
  readonly seen = new Set<string>()
  readonly #description: Description
  readonly #ajv = new Ajv2020({ strict: false, formats: { 'date-time': ISO, password: true } })

  constructor(file: URL) {
    this.#description = JSON.parse(readFileSync(file, 'utf8')) as Description
    this.#ajv.addSchema(this.#description, 'api', true, false)
    const described = Object.entries(this.#description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [operation.operationId, { method, path, operation }] as const
      )
    )
    this.operations = new Map(described)
  }

  /** @returns the body of the answer, checked */
  async call(t: Test, app: FastifyInstance, name: string, status: number, call: Call = {}): Promise<never> {
    const { method, path, operation } = this.operations.get(name) as Described
    const { params = {}, query = {}, body, token } = call
    const answer = await app.inject({
      method: method.toUpperCase() as 'GET',
      url: `/api${path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])))}`,
      query: { ...query },
      headers: {
        ...(token === undefined ? {} : { authorization: `Token ${token}` }),
        // Some clients name JSON on every request, also where there is no body.
        ...(method === 'get' ? {} : { 'content-type': 'application/json' })
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) })
    })
    t.equal(answer.statusCode, status, `${name}: ${status}: ${answer.body.slice(0, 300)}`)
    this.seen.add(`${name} ${answer.statusCode}`)
    const reference = operation.responses[answer.statusCode]
    t.ok(reference, `${name} describes ${answer.statusCode}`)
    const given: unknown = answer.body === '' ? undefined : answer.json()
    if (reference !== undefined)
      t.strictSame(this.#faults(reference, given), [], `${name} ${answer.statusCode}: the body`)
    return given as never
  }

  #faults({ $ref }: Reference, body: unknown): unknown[] {
    const { content } = this.#description.components.responses[$ref.split('/').at(-1) ?? ''] ?? { content: {} }
    if (Object.keys(content).length === 0) return body === undefined ? [] : ['a body where none is described']
    const validate = this.#ajv.compile({ $ref: `api${$ref}/content/application~1json/schema` })
    validate(body)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  /** Answers that the description lists and no call has had, but for those that `isRare`. */
  unseen(isRare: (described: Described, status: string) => boolean): string[] {
    return [...this.operations].flatMap(([name, described]) =>
      Object.keys(described.operation.responses)
        .filter((status) => !isRare(described, status) && !this.seen.has(`${name} ${status}`))
        .map((status) => `${name} ${status}`)
    )
  }
}
