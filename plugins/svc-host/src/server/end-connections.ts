/**
 * From here on each connection ends with the next answer on it, so that its client's next request goes where it is still
 * wanted. Of pipelined requests it is the last answer that says `Connection: close`: what follows one that said it would
 * never be sent. Costs a server that does not stop nothing.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { lastUnderWay, openConnections } from './release-connections.ts'

/** An answer; `_last` once its head has said that the connection ends. */
interface Answer extends ServerResponse {
  readonly _last?: boolean
}

/** Idle connections stay open, and say so with their next answer; answers under way whose head is not sent say it too. */
export function endConnections(fastify: FastifyInstance): void {
  const { server } = fastify
  const latest = new WeakMap<Socket, Answer>()
  for (const connection of openConnections(fastify)) {
    const answer = lastUnderWay(connection)
    if (answer === null || !answer.shouldKeepAlive) continue
    answer.shouldKeepAlive = false
    latest.set(connection, answer)
  }
  for (const event of ['request', 'checkExpectation']) {
    if (server.listenerCount(event) === 0) continue
    const serve = takeListeners(server, event)
    server.on(event, (request: IncomingMessage, answer: Answer) => {
      const { socket } = request
      const before = latest.get(socket)
      // RFC 9112, 9.6: what comes after it on this connection is not processed.
      if (before?._last === true) return
      if (before !== undefined) before.shouldKeepAlive = true
      answer.shouldKeepAlive = false
      latest.set(socket, answer)
      // Requests that came in one segment are all read first: only then is it known which answer is the last.
      process.nextTick(serve, request, answer)
    })
  }
}

/** @returns calls the listeners, which no longer listen */
function takeListeners(server: Server, event: string): (request: IncomingMessage, answer: ServerResponse) => void {
  const listeners = server.rawListeners(event)
  server.removeAllListeners(event)
  return (request, answer) => {
    for (const listener of listeners) listener.call(server, request, answer)
  }
}
