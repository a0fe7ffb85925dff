/** Registers @fastify/websocket once for an application, bounded and unable to bring the process down. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type {} from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { errorBody } from 'svc-kernel'
import { HttpRoute, InvalidHandshake } from '../errors.ts'

/** How long a peer may leave a close unanswered, in milliseconds, before its connection is cut. */
const CLOSE_TIMEOUT_MS = 2_000

const GOING_AWAY = 1001

const provisional = new WeakSet<object>()

/**
 * Must run before the WEBSOCKET routes are declared. An instance that has WebSockets already keeps its own settings.
 *
 * @param maxPayload largest message of every WebSocket of the server, in bytes
 * @param keep `false` where the caller bounds its own messages: the next caller's `maxPayload` then replaces this one
 */
export async function ensureWebSocket(fastify: FastifyInstance, maxPayload: number, keep = true): Promise<void> {
  // Loaded here, before anything is looked at: an application without WebSockets does without it and without ws.
  const { default: websocketPlugin } = await import('@fastify/websocket')
  if (fastify.hasDecorator('websocketServer')) {
    const { websocketServer } = fastify
    if (keep && provisional.delete(websocketServer)) websocketServer.options.maxPayload = maxPayload
    return
  }
  // Declared first, so that clients learn why before the plugin closes their sockets without a reason.
  fastify.addHook('preClose', async () => {
    for (const client of fastify.websocketServer.clients) client.close(GOING_AWAY)
  })
  await fastify.register(websocketPlugin, {
    // The types of ws do not know closeTimeout yet.
    options: { maxPayload, closeTimeout: CLOSE_TIMEOUT_MS } as { maxPayload: number },
    // ws answers a broken frame with its close code (1002, 1007, 1009); ending the socket here would lose it.
    errorHandler: (error, socket, request) => {
      request.log.info({ err: error }, 'the WebSocket connection was closed after refused messages')
      if (socket.readyState === socket.OPEN) socket.close(1011)
    }
  })
  refuseHandshakes(fastify)
  if (!keep) provisional.add(fastify.websocketServer)
}

/**
 * Handshakes that open no WebSocket are answered before the 101 and in the one error body: those to a route that
 * answers plain requests only, which @fastify/websocket would open and close again, and those that ws finds malformed.
 * Called once @fastify/websocket is registered, before the routes that it applies to.
 */
function refuseHandshakes(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.websocket === true || route.wsHandler !== undefined) return
    const { handler } = route
    route.handler = function answerPlain(request, reply) {
      if (request.ws) throw new HttpRoute()
      return handler.call(this, request, reply)
    }
  })
  fastify.websocketServer.on('wsClientError', (error: Error, socket: Duplex, _request: IncomingMessage) => {
    const body = errorBody(new InvalidHandshake(error.message), true)
    const text = JSON.stringify(body)
    socket.once('finish', () => socket.destroy())
    socket.end(
      `HTTP/1.1 ${body.statusCode} ${body.error}\r\nconnection: close\r\nsec-websocket-version: 13\r\n` +
        `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    )
  })
}
