/**
 * Lets a server that closes go. Node ends the connections that are idle at that
 * moment and no others: one that becomes idle a moment later, or that has never
 * asked for anything, would hold the stop until it times out. Costs a request nothing.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const EVERY_MS = 50

/** Call before the server listens. Requests under way are finished; their connections are ended behind them. */
export function releaseConnections(fastify: FastifyInstance): void {
  const { server } = fastify
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  fastify.addHook('preClose', async () => {
    if (server.listening) release(server, connections)
  })
}

function release(server: Server, connections: ReadonlySet<Socket>): void {
  const timer = setInterval(() => {
    server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }, EVERY_MS).unref()
  server.once('close', () => clearInterval(timer))
}
