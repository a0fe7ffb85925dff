/**
 * The protocol, by its reference implementation: one server object per request, made of what the application serves. It is
 * loaded with the first request. No session is kept: each request proves its caller.
 */
import type { McpHttpHandler, Server } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import type { CallableRoutes } from '../authorization/visible-tools.ts'
import type { Challenge, Challenges } from '../calls/challenges.ts'
import type { Dispatcher } from '../calls/dispatch.ts'
import type { ToolCalls } from '../calls/tool-calls.ts'
import { CODE, STATUS } from '../calls/tool-result.ts'
import { filledPrompt, type Prompt } from '../prompts/prompts.ts'
import { readResource } from '../resources/read-resource.ts'
import type { Resource } from '../resources/resource.ts'
import type { Tool } from '../tools/tool.ts'

export interface ServedParts {
  readonly info: { readonly name: string; readonly version: string }
  readonly instructions: string | null
  readonly pageSize: number
  readonly tools: ReadonlyMap<string, Tool>
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  readonly calls: ToolCalls
  readonly dispatch: Dispatcher
  readonly challenges: Challenges
  readonly callable: CallableRoutes
}

/** One request of a client. */
export interface Exchange {
  readonly request: FastifyRequest
  /** Set where the answer is one of HTTP. */
  challenge: Challenge | null
}

export async function openServer(parts: ServedParts): Promise<McpHttpHandler> {
  const sdk = await import('@modelcontextprotocol/server')
  return sdk.createMcpHandler(
    ({ authInfo }) => serverFor(sdk, parts, authInfo?.extra?.exchange as Exchange),
    // Nothing here reports before its result, and nothing changes while the server runs.
    { responseMode: 'auto', maxSubscriptions: 1 }
  )
}

type Sdk = typeof import('@modelcontextprotocol/server')

function serverFor(sdk: Sdk, parts: ServedParts, exchange: Exchange): Server {
  const { tools, resources, prompts, instructions, info } = parts
  const server = new sdk.Server(info, {
    capabilities: {
      ...(tools.size === 0 ? {} : { tools: {} }),
      ...(resources.length === 0 ? {} : { resources: {} }),
      ...(prompts.length === 0 ? {} : { prompts: {} })
    },
    ...(instructions === null ? {} : { instructions })
  })
  if (tools.size > 0) serveTools(sdk, server, parts, exchange)
  if (resources.length > 0) serveResources(sdk, server, parts, exchange)
  if (prompts.length > 0) servePrompts(sdk, server, parts)
  return server
}

function serveTools(
  sdk: Sdk,
  server: Server,
  { tools, callable, calls, pageSize }: ServedParts,
  exchange: Exchange
): void {
  const { request } = exchange
  server.setRequestHandler('tools/list', async ({ params }) => {
    const { items, ...page } = pageOf(sdk, await callable.of(request, [...tools.values()]), params?.cursor, pageSize)
    return { tools: items.map(shownTool) as never[], ...page }
  })
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    if (!tools.has(params.name))
      throw new sdk.ProtocolError(sdk.INVALID_PARAMS, `there is no tool ${JSON.stringify(params.name)}`)
    const meta = params._meta?.[sdk.CLIENT_INFO_META_KEY]
    const options = { client: clientName(meta), signal: ctx.mcpReq.signal }
    const call = await calls.call(request, params.name, params.arguments ?? {}, options)
    exchange.challenge = call.challenge
    return call.result as never
  })
}

/** As a client says of itself. */
export function clientName(info: unknown): string | null {
  const { name, version } = (info ?? {}) as { name?: unknown; version?: unknown }
  if (typeof name !== 'string') return null
  return `${name}${typeof version === 'string' ? `/${version}` : ''}`.slice(0, 200)
}

function shownTool({ name, description, input, outputSchema, annotations }: Tool): object {
  return {
    name,
    description,
    inputSchema: input.schema,
    ...(outputSchema === null ? {} : { outputSchema }),
    annotations
  }
}

function serveResources(sdk: Sdk, server: Server, parts: ServedParts, exchange: Exchange): void {
  const { resources, callable, dispatch, challenges, pageSize } = parts
  const { request } = exchange
  const mimeType = 'application/json'
  server.setRequestHandler('resources/list', async ({ params }) => {
    const fixed = resources.filter(({ uri }) => uri !== null)
    const { items, ...page } = pageOf(sdk, await callable.of(request, fixed), params?.cursor, pageSize)
    const shown = items.map(({ name, description, uri }) => ({ name, description, uri: uri as string, mimeType }))
    return { resources: shown, ...page }
  })
  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    const open = resources.filter(({ uriTemplate, uri }) => uriTemplate !== uri)
    const { items, ...page } = pageOf(sdk, await callable.of(request, open), params?.cursor, pageSize)
    const shown = items.map(({ name, description, uriTemplate }) => ({ name, description, uriTemplate, mimeType }))
    return { resourceTemplates: shown, ...page }
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const read = await readResource({ resources, dispatch, challenges }, exchange.request, uri, ctx.mcpReq.signal)
    if (read === null) throw new sdk.ResourceNotFoundError(uri)
    exchange.challenge = read.challenge
    const { isError, content, _meta } = read.result
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (isError !== true) return { contents: [{ uri, mimeType, text }] }
    if (_meta[STATUS] === 404) throw new sdk.ResourceNotFoundError(uri)
    const data = { status: _meta[STATUS], code: _meta[CODE] }
    throw new sdk.ProtocolError(sdk.INVALID_PARAMS, `the resource cannot be read: ${text}`, data)
  })
}

function servePrompts(sdk: Sdk, server: Server, { prompts, pageSize }: ServedParts): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, ...page } = pageOf(sdk, prompts, params?.cursor, pageSize)
    const shown = items.map(({ name, title, description, arguments: names }) => ({
      name,
      title,
      description,
      arguments: names.map((argument) => ({ name: argument, required: true }))
    }))
    return { prompts: shown, ...page }
  })
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) => {
    const prompt = prompts.find((each) => each.name === name)
    if (prompt === undefined)
      throw new sdk.ProtocolError(sdk.INVALID_PARAMS, `there is no prompt ${JSON.stringify(name)}`)
    const filled = filledPrompt(prompt, given)
    if ('fault' in filled) throw new sdk.ProtocolError(sdk.INVALID_PARAMS, filled.fault)
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text: filled.text } }]
    }
  })
}

/** A cursor is the position of the next entry: what is served does not change while the server runs. */
function pageOf<Item>(
  sdk: Sdk,
  all: readonly Item[],
  cursor: string | undefined,
  size: number
): { items: Item[]; nextCursor?: string } {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor))
    throw new sdk.ProtocolError(sdk.INVALID_PARAMS, 'the cursor is none of this list')
  const from = Number(cursor ?? 0)
  const items = all.slice(from, from + size)
  return from + size < all.length ? { items, nextCursor: String(from + size) } : { items }
}
