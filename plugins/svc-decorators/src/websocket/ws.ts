/** Registers @fastify/websocket once for an application, bounded and unable to bring the process down. */
import websocketPlugin from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { CLOSE_TIMEOUT_MS } from './limits.ts'
import { refuseHandshakes } from './refuse-handshake.ts'

const GOING_AWAY = 1001

const provisional = new WeakSet<object>()

/**
 * Must run before the WEBSOCKET routes are declared. An instance that has WebSockets already keeps its own settings.
 *
 * @param maxPayload largest message of every WebSocket of the server, in bytes
 * @param keep `false` where the caller bounds its own messages: the next caller's `maxPayload` then replaces this one
 */
export async function ensureWebSocket(fastify: FastifyInstance, maxPayload: number, keep = true): Promise<void> {
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
      request.log.info({ err: error }, 'the WebSocket connection was refused further messages')
      if (socket.readyState === socket.OPEN) socket.close(1011)
    }
  })
  refuseHandshakes(fastify)
  if (!keep) provisional.add(fastify.websocketServer)
}
