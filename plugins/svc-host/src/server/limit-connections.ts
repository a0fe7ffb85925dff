/**
 * How many connections a port takes, in all and of one address. One too many gets 503 before anything of it is read; on
 * a TLS port, where it could not read an answer yet, it is ended. An address is logged once a minute.
 */
import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Clock, errorBody, systemClock } from 'svc-kernel'
import { clientNetwork } from 'svc-kernel/plugin'
import type { ServerConfig } from '../config/define-config.ts'
import { TooManyConnections } from '../errors.ts'
import { answerAndEnd } from './refuse-unreadable.ts'

/** Of one address, where the config says nothing: no user has as many, and no office behind one address. */
export const CONNECTIONS_PER_ADDRESS = 2000

const LOGGED_EVERY_MS = 60_000

/** Addresses that are remembered as logged; of more, some are logged more often. */
const MOST_LOGGED = 1000

const REFUSAL = errorBody(new TooManyConnections(), true)

export interface LimitOptions {
  readonly server?: Server | TlsServer
  readonly clock?: Pick<Clock, 'now'>
}

/** Call it before the server listens, and before others watch its connections. */
export function limitConnections(
  fastify: FastifyInstance,
  config: ServerConfig = {},
  { server = fastify.server, clock = systemClock }: LimitOptions = {}
): void {
  // Behind a proxy, every connection comes from its address.
  const usual = config.trustProxy ? 0 : CONNECTIONS_PER_ADDRESS
  const { maxConnections: most = 0, maxConnectionsPerAddress: mostOfOne = usual } = config
  if (most === 0 && mostOfOne === 0) return
  const open = new Map<string, number>()
  const logged = new Map<string, number>()
  let total = 0

  const admits = (address: string): boolean => {
    const own = open.get(address) ?? 0
    if ((mostOfOne === 0 || own < mostOfOne) && (most === 0 || total < most)) return true
    const now = clock.now()
    if (now - (logged.get(address) ?? Number.NEGATIVE_INFINITY) >= LOGGED_EVERY_MS) {
      if (logged.size >= MOST_LOGGED) logged.clear()
      logged.set(address, now)
      const fields = { code: 'SVC_HTTP_CONNECTIONS', address, open: own, total }
      fastify.log.warn(fields, 'connections are refused: the address, or the server, has as many as it may')
    }
    return false
  }
  const hold = (socket: Socket, address: string): void => {
    total += 1
    open.set(address, (open.get(address) ?? 0) + 1)
    socket.once('close', () => {
      total -= 1
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  }

  // In the place of the listeners of Node, which begin to read.
  const others = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = clientNetwork(socket.remoteAddress)
    if (admits(address)) {
      hold(socket, address)
      for (const listener of others) Reflect.apply(listener, server, [socket])
      return
    }
    socket.on('error', () => socket.destroy())
    if ('setSecureContext' in server) socket.destroy()
    else answerAndEnd(socket.resume(), REFUSAL)
  })
}
