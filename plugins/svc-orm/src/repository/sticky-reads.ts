/**
 * Who reads from the primary: whoever may have written. A request, an attempt at a job, a message of a socket or the work
 * of `orm.onReplicas` reads from replicas until it writes; then, and outside of all of these, nothing is known of who wrote
 * before, and the primary answers.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { ANONYMOUS, type Clock, currentRequest, requestChannels } from 'svc-kernel'

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
  readonly #requests = new WeakMap<FastifyRequest, Work>()
  /** Epoch ms until which the primary answers, by caller, the oldest first. */
  readonly #callers = new Map<string, number>()
  #everyoneUntil = 0

  constructor(parts: StickyReadsParts) {
    this.#parts = parts
  }

  /** Tells jobs and messages of sockets apart. @returns ends it */
  listen(): () => void {
    const ends = [job.bind(this.#work, begun), frame.bind(this.#work, begun)]
    return () => {
      for (const end of ends) end()
    }
  }

  /** Runs work that reads from replicas until it writes. */
  run<T>(work: () => T): T {
    return this.#work.run(begun(), work)
  }

  /** Whether a read of this caller has to see every write. */
  get needsPrimary(): boolean {
    const inside = this.#work.getStore()
    if (inside !== undefined) return inside.hasWritten
    const request = httpRequest()
    if (request === undefined) return true
    return this.#requests.get(request)?.hasWritten === true || this.#hasWrittenLately(request)
  }

  /** Before a write, and before a transaction. */
  wrote(): void {
    const inside = this.#work.getStore()
    if (inside !== undefined) inside.hasWritten = true
    const request = httpRequest()
    if (request === undefined) return
    this.#requests.set(request, { hasWritten: true })
    this.#remember(request)
  }

  /** The answer of a request is out: its caller may ask again from here on. */
  answered(request: FastifyRequest): void {
    if (this.#requests.get(request)?.hasWritten === true) this.#remember(request)
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

function begun(): Work {
  return { hasWritten: false }
}

/** The one request of a WebSocket lasts as long as the socket: its messages are told apart by their channel. */
function httpRequest(): FastifyRequest | undefined {
  const request = currentRequest()
  return request?.headers.upgrade === undefined ? request : undefined
}

/** By identity, else by address. */
function callerOf({ user, ip }: FastifyRequest): string {
  return user === null || user.identifier === ANONYMOUS.identifier ? `address ${ip}` : `user ${user.identifier}`
}
