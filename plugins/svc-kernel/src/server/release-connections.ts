/**
 * Lets a server that closes go. Node ends the connections that are idle at that
 * moment and no others: one that becomes idle a moment later, or that has never
 * asked for anything, would hold the stop until it times out. Costs a request nothing.
 */
import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const EVERY_MS = 50

/** Call before the server listens. Requests under way are finished; their connections are ended behind them. */
export function releaseConnections(fastify: FastifyInstance, server: Server | TlsServer = fastify.server): void {
  const connections = new Set<Socket>()
  const hold = (socket: Socket): void => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }
  server.on('connection', hold)
  // Of a TLS server: what was said inside, beside the handshake that `connection` counts.
  server.on('secureConnection', hold)
  fastify.addHook('preClose', async () => {
    if (server.listening) release(server, connections)
  })
}

function release(server: Server | TlsServer, connections: ReadonlySet<Socket>): void {
  const timer = setInterval(() => {
    server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }, EVERY_MS).unref()
  server.once('close', () => clearInterval(timer))
}
