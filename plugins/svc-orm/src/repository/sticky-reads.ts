/**
 * Which reads go to the primary: all that may follow a write. A request, a message of a socket and the work of
 * `orm.onReplicas` read from replicas until they write. A job mostly follows the write that caused it, in another process;
 * of what runs outside of all of these nothing is known: there, the primary answers.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { ANONYMOUS, type Clock, currentRequest, requestChannels, type SocketFrame } from 'svc-kernel'

/** One piece of work, from its beginning. */
interface Work {
  hasWritten: boolean
}

export interface StickyReadsParts {
  readonly clock: Pick<Clock, 'now'>
  /** How long requests of a caller read from the primary after the caller's last write, ms; 0: not at all. */
  readonly stickyMs: number
}

/** Callers that are remembered at a time. */
const MOST_CALLERS = 50_000

const { job, frame } = requestChannels

export class StickyReads {
  readonly #parts: StickyReadsParts
  readonly #work = new AsyncLocalStorage<Work>()
  /** Those that have written. */
  readonly #requests = new WeakSet<FastifyRequest>()
  readonly #frames = new WeakMap<SocketFrame, Work>()
  /** Epoch ms until which the primary answers, by caller, the oldest first. */
  readonly #callers = new Map<string, number>()
  #everyoneUntil = 0

  constructor(parts: StickyReadsParts) {
    this.#parts = parts
  }

  /** Tells jobs and messages of sockets apart. @returns ends it */
  listen(): () => void {
    const framed = (message: SocketFrame): Work => {
      const work = { hasWritten: false }
      this.#frames.set(message, work)
      return work
    }
    const over = (message: SocketFrame): void => {
      if (this.#frames.get(message)?.hasWritten === true) this.#remember(message.request)
    }
    const ends = [
      job.bind(this.#work, () => ({ hasWritten: true })),
      frame.bind(this.#work, framed),
      frame.subscribe({ over })
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  /** Runs work that reads from replicas until it writes. */
  run<T>(work: () => T): T {
    return this.#work.run({ hasWritten: false }, work)
  }

  /** Whether a read of this caller has to see every write. */
  get needsPrimary(): boolean {
    const inside = this.#work.getStore()
    const request = currentRequest()
    if (inside === undefined && (request === undefined || isUpgrade(request))) return true
    const hasWritten = inside?.hasWritten ?? (request !== undefined && this.#requests.has(request))
    return hasWritten || (request !== undefined && this.#hasWrittenLately(request))
  }

  /** Before a write, and before a transaction. */
  wrote(): void {
    const inside = this.#work.getStore()
    if (inside !== undefined) inside.hasWritten = true
    const request = currentRequest()
    if (request === undefined) return
    if (!isUpgrade(request)) this.#requests.add(request)
    this.#remember(request)
  }

  /** The answer of a request is out: its caller may ask again from here on. */
  answered(request: FastifyRequest): void {
    if (this.#requests.has(request)) this.#remember(request)
  }

  #hasWrittenLately(request: FastifyRequest): boolean {
    const { clock, stickyMs } = this.#parts
    if (stickyMs === 0) return false
    const until = Math.max(this.#callers.get(callerOf(request)) ?? 0, this.#everyoneUntil)
    return clock.now() < until
  }

  #remember(request: FastifyRequest): void {
    const { clock, stickyMs } = this.#parts
    if (stickyMs === 0) return
    const now = clock.now()
    for (const [caller, until] of this.#callers) {
      if (until > now) break
      this.#callers.delete(caller)
    }
    const caller = callerOf(request)
    this.#callers.delete(caller)
    if (this.#callers.size === MOST_CALLERS) {
      // Rather the primary for all than an old row for one.
      this.#callers.clear()
      this.#everyoneUntil = now + stickyMs
    }
    this.#callers.set(caller, now + stickyMs)
  }
}

/** The one request of a WebSocket lasts as long as the socket: its messages are told apart by their channel. */
function isUpgrade({ headers }: FastifyRequest): boolean {
  return headers.upgrade !== undefined
}

/** By identity, else by address. */
function callerOf({ user, ip }: FastifyRequest): string {
  return user === null || user.identifier === ANONYMOUS.identifier ? `address ${ip}` : `user ${user.identifier}`
}
