/**
 * Notes the preflights that @fastify/cors did not allow: pages that tried
 * are journaled. It answers before any later hook but this one, `onResponse`, which costs every
 * request a little: an application without it has no such hook.
 */
import type { onResponseHookHandler } from 'fastify'
import type { SecurityJournal } from '../journal/security-journal.ts'

export function corsHook(journal: Pick<SecurityJournal, 'corsRejected'>): onResponseHookHandler {
  return function noteRejectedPreflight(request, reply, done) {
    if (request.method === 'OPTIONS') {
      const origin = rejectedOrigin(request.headers, reply.getHeader('access-control-allow-origin'))
      if (origin !== null) journal.corsRejected(origin, request)
    }
    done()
  }
}

interface PreflightHeaders {
  readonly origin?: string | undefined
  readonly 'access-control-request-method'?: string | undefined
}

/**
 * Whether an answer to OPTIONS refused a page (Fetch standard, "CORS-preflight fetch"): a browser asked for a page of
 * another origin, and no allowance came back.
 *
 * @param allowed `Access-Control-Allow-Origin` of the answer
 * @returns the origin of the page, or `null` for what is no preflight and for one that was allowed
 */
export function rejectedOrigin(headers: PreflightHeaders, allowed: unknown): string | null {
  const { origin } = headers
  if (origin === undefined || headers['access-control-request-method'] === undefined) return null
  return allowed === '*' || allowed === origin ? null : origin
}
