/**
 * The way of a delivery over the network: one request, one result, within one deadline. The URL is checked again for each
 * attempt, and the connection goes to the addresses of that very check.
 */
import type { Clock } from 'svc-kernel'
import type { SsrfPolicy } from '../../ssrf/address-policy.ts'
import type { Lookup } from '../../ssrf/lookup.ts'
import { SsrfError, type SsrfReason } from '../../ssrf/ssrf-error.ts'
import { UrlGuard } from '../../ssrf/url-guard.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { type ErrorLabel, errorLabel, refusalLabel } from './error-label.ts'
import type { Answer, PinnedConnection, PostContent } from './pinned-connection.ts'

/** The transport sets `host`, `connection` and `content-length`. */
export interface DeliveryRequest extends PostContent {
  readonly url: string
}

/** What one attempt came to: an answer of any status, a failure that may pass, or a refusal that stays. */
export type AttemptResult =
  | {
      readonly kind: 'answered'
      /** 200 to 599 and beyond, as received; redirects are not followed. */
      readonly status: number
      /** The first 2 KB, as UTF-8; no more than 64 KB were read. */
      readonly responseBody: string
      /** The header `Retry-After`, as received, where there was one. */
      readonly retryAfter?: string
      readonly durationMs: number
    }
  /** Nothing was answered, another attempt may pass. `error` is one of a few fixed words. */
  | { readonly kind: 'failed'; readonly error: string; readonly durationMs: number }
  /** The URL is refused, and stays refused: no connection was made, no retry helps. */
  | {
      readonly kind: 'abandoned'
      readonly error: string
      readonly reason: SsrfReason
      readonly durationMs: number
    }

/** Sends messages. Each attempt checks the URL, and connects to the addresses of that check alone. */
export interface Transport {
  /**
   * Never rejects. Resolves at the latest `deadlineMs` after the call, whatever the receiver does: name, connection,
   * headers and body together. What is not over by then is destroyed.
   */
  send(request: DeliveryRequest, deadlineMs: number): Promise<AttemptResult>
  /** Ends idle connections and destroys those in use, whose attempts fail with `closed`. */
  close(): Promise<void>
}

/** What a transport may reach, and how. */
export interface TransportOptions {
  readonly policy: SsrfPolicy
  readonly lookup: Lookup
  readonly clock: Clock
  /** Connections at a time, kept ones included. Attempts beyond it are still made: bound them before. */
  readonly maxConnections: number
  /** Certificates in PEM, trusted beside those that Node trusts: the authority of a company's own network. */
  readonly ca?: readonly string[] | undefined
}

export type LimitReason = 'timeout' | 'closed'

/** Why a step of an attempt was stopped. */
export class LimitReached extends Error {
  readonly reason: LimitReason

  constructor(reason: LimitReason) {
    super(reason)
    this.reason = reason
  }
}

/**
 * The end of an attempt from outside: its deadline, or the transport closing. One limit covers all steps of an attempt,
 * each of which says how it is stopped while it runs.
 */
export class AttemptLimit {
  readonly #clock: Clock
  readonly #timer: unknown
  #reached: LimitReached | null = null
  #stop: ((why: LimitReached) => void) | null = null

  constructor(clock: Clock, deadlineMs: number) {
    this.#clock = clock
    this.#timer = clock.setTimeout(() => this.reach('timeout'), deadlineMs)
  }

  /** Stops the step that runs; the first reason stands. */
  reach(reason: LimitReason): void {
    if (this.#reached !== null) return
    this.#reached = new LimitReached(reason)
    this.#stop?.(this.#reached)
  }

  /** How the step that begins now is stopped; at once where the limit is reached already. */
  whenReached(stop: (why: LimitReached) => void): void {
    this.#stop = stop
    if (this.#reached !== null) stop(this.#reached)
  }

  /** Waits for work that cannot be stopped, and not beyond the limit. What it gives later is ignored. */
  during<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.whenReached(reject)
      work.then(resolve, reject)
    })
  }

  /** The attempt is over: nothing is stopped any more. */
  release(): void {
    this.#stop = null
    this.#clock.clearTimeout(this.#timer)
  }
}

/** How a connection fails that the other side has closed. */
const HUNG_UP: ReadonlySet<ErrorLabel> = new Set<ErrorLabel>(['connection reset', 'connection closed'])

/**
 * The transport over undici, which the first attempt loads: until then it would only make the boot longer.
 *
 * @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) for an entry of `policy.allowCidrs` that is not a network
 */
export function createTransport({ policy, lookup, clock, maxConnections, ca = [] }: TransportOptions): Transport {
  const guard = new UrlGuard(policy, lookup)
  const running = new Set<AttemptLimit>()
  let opening: Promise<ConnectionPool> | null = null
  let closed = false

  const openPool = async (): Promise<ConnectionPool> => {
    const { ConnectionPool } = await import('./connection-pool.ts')
    return new ConnectionPool(maxConnections, ca)
  }

  const attempt = async (request: DeliveryRequest, limit: AttemptLimit): Promise<Answer> => {
    const target = await limit.during(guard.check(request.url))
    opening ??= openPool()
    const pool = await limit.during(opening)
    const path = target.url.pathname + target.url.search
    const kept = pool.take(target)
    try {
      return await over(pool, kept, path, request, limit)
    } catch (error) {
      // The receiver closed a kept connection before it saw the request, or while: once more, over one of its own.
      if (!kept.wasStale || !HUNG_UP.has(errorLabel(error))) throw error
      return await over(pool, pool.open(target), path, request, limit)
    }
  }

  return Object.freeze({
    async send(request: DeliveryRequest, deadlineMs: number): Promise<AttemptResult> {
      if (closed) return { kind: 'failed', error: 'closed', durationMs: 0 }
      const startedAt = clock.now()
      // The clock may be set back meanwhile.
      const elapsed = () => Math.max(0, clock.now() - startedAt)
      const limit = new AttemptLimit(clock, deadlineMs)
      running.add(limit)
      try {
        const { status, body, retryAfter } = await attempt(request, limit)
        const asked = retryAfter === null ? {} : { retryAfter }
        return { kind: 'answered', status, responseBody: body, ...asked, durationMs: elapsed() }
      } catch (error) {
        return { ...fault(error), durationMs: elapsed() }
      } finally {
        limit.release()
        running.delete(limit)
      }
    },

    async close() {
      closed = true
      for (const limit of running) limit.reach('closed')
      await (await opening)?.close()
    }
  })
}

/** @param path of the URL, with its query */
async function over(
  pool: ConnectionPool,
  connection: PinnedConnection,
  path: string,
  request: DeliveryRequest,
  limit: AttemptLimit
): Promise<Answer> {
  try {
    const answer = await connection.post(path, request, (stop) => limit.whenReached(stop))
    if (answer.complete) pool.keep(connection)
    else pool.drop(connection)
    return answer
  } catch (error) {
    pool.drop(connection)
    throw error
  }
}

/** A name that cannot be resolved for the moment is a fault of the network; any other refusal is final. */
function fault(error: unknown) {
  if (error instanceof LimitReached) return { kind: 'failed', error: error.reason } as const
  if (!(error instanceof SsrfError)) return { kind: 'failed', error: errorLabel(error) } as const
  const { reason } = error
  if (reason === 'resolver') return { kind: 'failed', error: refusalLabel(reason) } as const
  return { kind: 'abandoned', error: refusalLabel(reason), reason } as const
}
