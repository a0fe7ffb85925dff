/**
 * The transport over undici. The URL is checked anew for each attempt, and the
 * connection goes to the addresses of that very check. undici itself is loaded
 * by the first attempt: until then it would only make the boot longer.
 */
import { SsrfError } from '../ssrf/ssrf-error.ts'
import { UrlGuard } from '../ssrf/url-guard.ts'
import type { Answer } from './answer-reader.ts'
import { AttemptLimit, LimitReached } from './attempt-limit.ts'
import type { AttemptResult, DeliveryRequest } from './attempt-result.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { type FailureWord, failureWord, refusalWord } from './failure-word.ts'
import type { PinnedConnection } from './pinned-connection.ts'
import type { Transport, TransportOptions } from './transport.ts'

/** How a connection fails that the other side has closed. */
const HUNG_UP: ReadonlySet<FailureWord> = new Set<FailureWord>(['connection reset', 'connection closed'])

/** @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) for an entry of `policy.allowCidrs` that is not a network */
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
      if (!kept.wasStale || !HUNG_UP.has(failureWord(error))) throw error
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
    const answer = await connection.post(path, request, limit)
    if (answer.complete) pool.keep(connection)
    else pool.drop(connection)
    return answer
  } catch (error) {
    pool.drop(connection)
    throw error
  }
}

/** A name that cannot be resolved for the moment is a fault of the network; any other refusal stands. */
function fault(error: unknown) {
  if (error instanceof LimitReached) return { kind: 'failed', error: error.reason } as const
  if (!(error instanceof SsrfError)) return { kind: 'failed', error: failureWord(error) } as const
  const { reason } = error
  if (reason === 'resolver') return { kind: 'failed', error: refusalWord(reason) } as const
  return { kind: 'abandoned', error: refusalWord(reason), reason } as const
}
