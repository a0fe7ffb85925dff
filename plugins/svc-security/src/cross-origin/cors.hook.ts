/**
 * Notes the preflights that @fastify/cors did not allow: the audit hears of pages that
 * tried. It answers before any later hook but this one, `onResponse`, which costs every
 * request a little: an application without it has no such hook.
 */
import type { onResponseHookHandler } from 'fastify'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { rejectedOrigin } from './rejected-origin.ts'

export function corsHook(journal: Pick<SecurityJournal, 'corsRejected'>): onResponseHookHandler {
  return function noteRejectedPreflight(request, reply, done) {
    if (request.method === 'OPTIONS') {
      const origin = rejectedOrigin(request.headers, reply.getHeader('access-control-allow-origin'))
      if (origin !== null) journal.corsRejected(origin, request)
    }
    done()
  }
}
