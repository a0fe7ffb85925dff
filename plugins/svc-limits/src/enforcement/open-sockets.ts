/**
 * How many WebSockets one network has open. Counted in this process, as connections are; behind a proxy it is the limit
 * of connections that still knows the caller. A network that is refused is logged once a minute.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import { clientNetwork } from 'svc-kernel/plugin'
import { TooManySockets } from '../errors.ts'
import { BoundedTimes } from '../storage/memory-limits-store.ts'

const LOGGED_EVERY_MS = 60_000

/** Networks that are remembered as logged. */
const MOST_LOGGED = 1000

export class OpenSockets {
  readonly #most: number
  readonly #clock: Pick<Clock, 'now'>
  readonly #open = new Map<string, number>()
  /** When a network was logged, epoch ms. */
  readonly #logged = new BoundedTimes(MOST_LOGGED)

  /** @param most of one network; 0: any number */
  constructor(most: number, clock: Pick<Clock, 'now'>) {
    this.#most = most
    this.#clock = clock
  }

  /** Counts an upgrade until its socket closes, or its answer says that it became none. @returns the refusal, or `null` */
  take(request: FastifyRequest, reply: FastifyReply): Error | null {
    if (this.#most === 0) return null
    const network = clientNetwork(request.ip)
    const open = this.#open.get(network) ?? 0
    if (open >= this.#most) return this.#refuse(network, open, request, reply)
    // A plain request, by which a client learns why its WebSocket was refused.
    if (request.headers.upgrade === undefined) return null
    this.#open.set(network, open + 1)
    let isHeld = true
    const release = (): void => {
      if (!isHeld) return
      isHeld = false
      const left = (this.#open.get(network) ?? 1) - 1
      if (left === 0) this.#open.delete(network)
      else this.#open.set(network, left)
    }
    // A proxy goes on with the connection of a handshake that was refused.
    reply.raw.once('finish', release)
    request.raw.socket.once('close', release)
    return null
  }

  #refuse(network: string, open: number, request: FastifyRequest, reply: FastifyReply): Error {
    const now = this.#clock.now()
    const last = this.#logged.get(network) ?? Number.NEGATIVE_INFINITY
    if (now - last >= LOGGED_EVERY_MS || now < last) {
      this.#logged.set(network, now)
      request.log.warn({ code: 'SVC_LIMIT_SOCKETS', network, open }, 'WebSockets of this network are refused')
    }
    // RFC 6585, 4: no cache keeps a 429.
    reply.header('cache-control', 'no-store')
    return new TooManySockets()
  }
}
