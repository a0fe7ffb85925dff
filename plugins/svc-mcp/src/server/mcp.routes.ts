/** The endpoint over streamable HTTP, and the metadata that tells clients who issues tokens for it (RFC 9728). */
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routeSecurity, withholdFromCaches } from 'svc-kernel/plugin'
import type { Challenge, Challenges } from '../calls/challenges.ts'
import { directAnswer, directCall } from './direct-call.ts'
import { clientName, type Exchange, openServer, type ServedParts } from './mcp-server.ts'

export interface McpRouteParts {
  readonly path: string
  /** Made when the server is ready. */
  readonly parts: () => ServedParts
  readonly challenges: () => Challenges
  readonly refusal: (request: FastifyRequest) => Error | null
}

/** Its messages are those of a protocol of its own. */
const HIDDEN: object = { hide: true }

/** @returns what ends the open exchanges */
export function mcpRoutes(
  fastify: FastifyInstance,
  { path, parts, challenges, refusal }: McpRouteParts
): () => Promise<void> {
  let opened: Promise<McpHttpHandler> | null = null
  const security = routeSecurity('svc.mcp', {})

  fastify.route({
    method: ['GET', 'POST', 'DELETE'],
    url: path,
    exposeHeadRoute: false,
    schema: HIDDEN,
    config: { svc: security },
    onRequest(request, _reply, done) {
      done(refusal(request) ?? undefined)
    },
    onSend(_request, reply, payload, done) {
      const challenge = reply.getHeader('www-authenticate')
      const known = typeof challenge === 'string' && challenge.includes('resource_metadata=')
      if (reply.statusCode === 401 && !known) {
        reply.header(
          'www-authenticate',
          challenges().withMetadata(typeof challenge === 'string' ? challenge : 'Bearer')
        )
      }
      done(null, payload)
    },
    async handler(request, reply) {
      const direct = request.method === 'POST' ? directCall(request.body, request.headers) : null
      const { calls, tools, info } = parts()
      if (direct !== null && tools.has(direct.name)) {
        const { result, challenge } = await calls.call(request, direct.name, direct.args, {
          client: clientName(direct.clientInfo)
        })
        if (challenge !== null) return challenged(reply, challenge)
        return reply.type('application/json').send(directAnswer(direct, result, info))
      }
      opened ??= openServer(parts())
      return throughProtocol(await opened, path, request, reply)
    }
  })

  return async () => {
    await (await opened)?.close()
  }
}

async function throughProtocol(
  handler: McpHttpHandler,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const exchange: Exchange = { request, challenge: null }
  const { headers, method, body } = request
  const target = new Request(`http://${request.host}${path}`, { method, headers: webHeaders(headers) })
  const authInfo = { token: '', clientId: '', scopes: [], extra: { exchange } }
  const response = await handler.fetch(target, { authInfo, ...(method === 'POST' ? { parsedBody: body } : {}) })
  // The older generation answers as a stream, which begins before its tool has ended.
  const text =
    response.headers.get('content-type')?.startsWith('text/event-stream') === true ? null : await response.text()
  if (exchange.challenge !== null) return challenged(reply, exchange.challenge)
  if (text === null) return reply.send(response)
  for (const [name, value] of response.headers) reply.header(name, value)
  return reply.code(response.status).send(text === '' ? undefined : text)
}

function challenged(reply: FastifyReply, { status, header, body }: Challenge): FastifyReply {
  withholdFromCaches(reply)
  return reply.code(status).header('www-authenticate', header).type('application/json').send(body)
}

function webHeaders(headers: FastifyRequest['headers']): Headers {
  const given = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    // The token stays here: what the protocol needs of the caller is known.
    if (value === undefined || name === 'authorization' || name === 'cookie' || name === 'content-length') continue
    for (const each of [value].flat()) given.append(name, each)
  }
  return given
}

export interface ResourceMetadata {
  readonly resource: string
  readonly authorization_servers: readonly string[]
  readonly scopes_supported: readonly string[]
  readonly bearer_methods_supported: readonly string[]
  readonly resource_name: string
}

/** RFC 9728, 3.1: the well-known path goes between host and path of the resource. */
export function metadataPath(resource: string): string {
  const { pathname } = new URL(resource)
  return `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
}

export function metadataRoute(fastify: FastifyInstance, resource: string, metadata: () => ResourceMetadata): void {
  const security = routeSecurity('svc.mcp.metadata', { anonymous: true })
  fastify.get(metadataPath(resource), { schema: HIDDEN, config: { svc: security } }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300').header('access-control-allow-origin', '*')
    return metadata()
  })
}
