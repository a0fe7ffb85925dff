/**
 * Calls routes of a described API by svc-client, and holds each answer against the description: its status is one that
 * the operation lists, its body fits the schema of that status.
 */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type AnswerOf, CallError, type Client, createClient, type InputOf } from 'svc-client'
import type { Test } from 'tap'
import type { Routes } from './routes.d.ts'

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

export type Route = keyof Routes & string

interface Identified {
  readonly token?: string | undefined
}

/** What is to be refused may be anything. */
interface Loose extends Identified {
  readonly params?: object
  readonly query?: object
  readonly body?: object
}

type Given<Name extends Route> = InputOf<Routes[Name]> & Identified

/** A call that succeeds is typed by its route, what it sends and what it gets. */
export interface CallRoute {
  <Name extends Route>(
    t: Test,
    route: Name,
    status: 200 | 201 | 204,
    ...given: object extends InputOf<Routes[Name]> ? [given?: Given<Name>] : [given: Given<Name>]
  ): Promise<AnswerOf<Routes[Name]>>
  (t: Test, route: Route, status: 401 | 403 | 404 | 409 | 422, given?: Loose): Promise<unknown>
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

export class DescribedApi {
  /** By route, as the client names it. */
  readonly operations: ReadonlyMap<string, Described>
  /** `operationId status` of every answer so far. */
  readonly seen = new Set<string>()
  readonly #client: Client<Routes>
  readonly #description: Description
  readonly #ajv = new Ajv2020({ strict: false, formats: { 'date-time': ISO, password: true } })

  /** @param baseUrl where the application listens */
  constructor(file: URL, baseUrl: string) {
    this.#client = createClient<Routes>({ baseUrl, retry: false })
    this.#description = JSON.parse(readFileSync(file, 'utf8')) as Description
    this.#ajv.addSchema(this.#description, 'api', true, false)
    const described = Object.entries(this.#description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const route = `${method.toUpperCase()} /api${path.replace(/\{(\w+)\}/g, ':$1')}`
        return [route, { method, path, operation }] as const
      })
    )
    this.operations = new Map(described)
  }

  /** Calls a route by the client, and holds the answer against the description. @returns its body, checked */
  readonly call: CallRoute = async (t: Test, route: Route, status: number, given: Loose = {}): Promise<never> => {
    const { operation } = this.operations.get(route) as Described
    const { token, ...asked } = given
    const headers = {
      ...(token !== undefined && { authorization: `Token ${token}` }),
      // Some clients name JSON on every request, also where there is no body.
      ...(!route.startsWith('GET ') && { 'content-type': 'application/json' })
    }
    const answer = await this.#answered(route, { ...asked, headers })
    t.equal(answer.status, status, `${route}: ${status}: ${JSON.stringify(answer.body)?.slice(0, 300)}`)
    this.seen.add(`${operation.operationId} ${answer.status}`)
    const reference = operation.responses[answer.status]
    t.ok(reference, `${route} describes ${answer.status}`)
    if (reference !== undefined)
      t.strictSame(this.#faults(reference, answer.body), [], `${route} ${answer.status}: the body`)
    return answer.body as never
  }

  async #answered(route: Route, call: object): Promise<{ readonly status: number; readonly body: unknown }> {
    try {
      const response = await this.#client.fetch(route, call as never)
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch (error) {
      if (!(error instanceof CallError) || error.status === 0) throw error
      return { status: error.status, body: error.data }
    }
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
    return [...this.operations.values()].flatMap((described) => {
      const { operationId, responses } = described.operation
      return Object.keys(responses)
        .filter((status) => !isRare(described, status) && !this.seen.has(`${operationId} ${status}`))
        .map((status) => `${operationId} ${status}`)
    })
  }
}
