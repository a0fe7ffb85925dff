/**
 * Lets a server that stops go. Answers under way say that the connection ends with them; what is no running request is
 * closed: idle connections, half a head, half a handshake. It is looked at twice first, as the next request of a busy
 * client may be on its way: that one is answered, where a reset would fail it. Who keeps the server waiting, with the
 * rest of a body or with an answer that is never fetched, gets half of the grace. Costs a request nothing.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const EVERY_MS = 50

/** What Node keeps on a connection: its parser (`null` once it is upgraded) and the answer under way. */
export interface Connection extends Socket {
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null
  readonly _httpMessage?: ServerResponse | null
}

export interface ReleaseOptions {
  readonly server?: Server | TlsServer
  /** How long a stop may take, in milliseconds. */
  readonly graceMs: number
}

/** Call before the server listens. Running requests are finished; their connections are ended behind them. */
export function releaseConnections(fastify: FastifyInstance, options: ReleaseOptions): void {
  const { server = fastify.server, graceMs } = options
  const connections = watched(server)
  watchedBy.set(fastify, [...(watchedBy.get(fastify) ?? []), connections])
  fastify.addHook('preClose', async () => {
    if (!server.listening) return
    for (const connection of connections) lastUnderWay(connection)?.setHeader('connection', 'close')
    // Node's own way cuts them in the moment in which the port closes.
    server.closeIdleConnections = () => undefined
    const patienceOver = Date.now() + graceMs / 2
    let seen = new Set<Connection>()
    const timer = setInterval(() => {
      const unasked = [...connections].filter(isUnasked)
      for (const connection of unasked) if (seen.has(connection)) connection.destroy()
      seen = new Set(unasked)
      if (Date.now() < patienceOver) return
      for (const connection of connections) if (waitsForClient(connection)) connection.destroy()
    }, EVERY_MS).unref()
    server.once('close', () => clearInterval(timer))
  })
}

const watchedBy = new WeakMap<FastifyInstance, readonly ReadonlySet<Connection>[]>()

/** The open connections of an application, over TLS too. */
export function openConnections(fastify: FastifyInstance): Connection[] {
  return (watchedBy.get(fastify) ?? []).flatMap((connections) => [...connections])
}

/** The open connections of a server; of a TLS server, what was said inside takes the place of what carries it. */
function watched(server: Server | TlsServer): ReadonlySet<Connection> {
  const connections = new Set<Connection>()
  const carriers = new Map<string, Connection>()
  const hold = (connection: Connection): void => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  }
  server.on('connection', (connection: Connection) => {
    hold(connection)
    if (!('setSecureContext' in server)) return
    const peer = peerOf(connection)
    carriers.set(peer, connection)
    connection.once('close', () => carriers.delete(peer))
  })
  server.on('secureConnection', (connection: Connection) => {
    const carrier = carriers.get(peerOf(connection))
    if (carrier !== undefined) connections.delete(carrier)
    hold(connection)
  })
  return connections
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** The answer on a connection whose head is not sent, where no request waits behind it: that one would stay unanswered. */
export function lastUnderWay({ _httpMessage: answer, parser }: Connection): ServerResponse | null {
  return answer && !answer.headersSent && parser?.incoming === answer.req ? answer : null
}

/** Nothing on it is being answered: it is idle, in its handshake, or in the middle of a head. */
function isUnasked({ _httpMessage: answer, parser }: Connection): boolean {
  return !answer && parser !== null
}

/** The application has done its part, or cannot begin: the rest is up to the client. */
function waitsForClient({ _httpMessage: answer, parser }: Connection): boolean {
  return !answer || parser === null || answer.writableEnded || !answer.req.complete
}
