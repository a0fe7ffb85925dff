/** Tools of svc-mcp as a program calls them for a caller: messages of the protocol, sent to the endpoint of the application. */
import type { FastifyInstance } from 'fastify'
import { NoToolDoor, ToolRefused } from '../errors.ts'

/** What a tool answered. */
export interface ToolAnswer {
  /** The answer of the route, where its schema is known; else the text of the answer, or of the error. */
  readonly value: unknown
  /** Code of the error, such as `SVC_SEC_DENIED`; `null` for an answer. */
  readonly code: string | null
}

/** Tools of one caller. */
export interface ToolDoor {
  /** Names of the tools that the caller may call. @throws NoToolDoor, ToolRefused */
  list(): Promise<readonly string[]>
  /** @throws NoToolDoor; ToolRefused for a tool that there is not, and where the endpoint asks for a proof or a scope */
  call(name: string, args?: object): Promise<ToolAnswer>
}

/** The name of the route of the endpoint, as svc-mcp declares it. */
const ENDPOINT = 'svc.mcp'

/** The routes of the application, as svc-kernel lists them. */
type ListedRoutes = ReadonlyArray<{
  readonly options: { readonly url: string; readonly config?: { readonly svc?: { readonly name: string } } }
}>

interface Message {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

export function toolDoor(app: FastifyInstance, headers: Readonly<Record<string, string>>): ToolDoor {
  const ask = async (method: string, params: object) => {
    const { declaredRoutes } = app as unknown as { readonly declaredRoutes: ListedRoutes }
    const endpoint = declaredRoutes.find(({ options }) => options.config?.svc?.name === ENDPOINT)
    if (endpoint === undefined) throw new NoToolDoor()
    const answer = await app.inject({
      method: 'POST',
      url: endpoint.options.url,
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method, params }
    })
    const { result, error } = answer.statusCode === 200 ? messageOf(answer.body) : {}
    if (result !== undefined) return result
    throw new ToolRefused(method, String(answer.statusCode), error?.message ?? answer.body)
  }
  return {
    async list() {
      const names: string[] = []
      for (let cursor: unknown; ; ) {
        const { tools, nextCursor } = await ask('tools/list', cursor === undefined ? {} : { cursor })
        names.push(...(tools as readonly { readonly name: string }[]).map(({ name }) => name))
        if (nextCursor === undefined) return names
        cursor = nextCursor
      }
    },
    async call(name, args = {}) {
      const { content, structuredContent, isError, _meta } = await ask('tools/call', { name, arguments: args })
      const [first] = content as readonly { readonly text?: string }[]
      const { 'svc/code': code = 'error' } = (_meta ?? {}) as Readonly<Record<string, string>>
      return { value: structuredContent ?? first?.text, code: isError === true ? code : null }
    }
  }
}

/** An answer, or the last message of a stream of them. */
function messageOf(body: string): Message {
  const data = body.startsWith('{') ? body : (body.split('\n').findLast((line) => line.startsWith('data:')) ?? '{}')
  return JSON.parse(data.replace(/^data:/, '')) as Message
}
