/**
 * Handshakes that open no WebSocket, answered before the 101 and in the one error
 * body: those to a route that answers plain requests alone, which @fastify/websocket
 * would open and close again, and those that ws finds malformed.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { errorBody } from 'svc-kernel'
import { HttpRoute, InvalidHandshake } from '../errors.ts'

/** Call when @fastify/websocket is registered, and before the routes that it is to hold for. */
export function refuseHandshakes(fastify: FastifyInstance): void {
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
