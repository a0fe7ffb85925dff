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
import { failureWord, refusalWord } from './failure-word.ts'
import type { Transport, TransportOptions } from './transport.ts'

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
    const connection = pool.take(target)
    try {
      const answer = await connection.post(target.url.pathname + target.url.search, request, limit)
      if (answer.complete) pool.keep(connection)
      else pool.drop(connection)
      return answer
    } catch (error) {
      pool.drop(connection)
      throw error
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
        const { status, body } = await attempt(request, limit)
        return { kind: 'answered', status, responseBody: body, durationMs: elapsed() }
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

/** A name that cannot be resolved for the moment is a fault of the network; any other refusal stands. */
function fault(error: unknown) {
  if (error instanceof LimitReached) return { kind: 'failed', error: error.reason } as const
  if (!(error instanceof SsrfError)) return { kind: 'failed', error: failureWord(error) } as const
  const { reason } = error
  if (reason === 'resolver') return { kind: 'failed', error: refusalWord(reason) } as const
  return { kind: 'abandoned', error: refusalWord(reason), reason } as const
}
