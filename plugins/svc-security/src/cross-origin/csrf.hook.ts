/** The CSRF guard on its two places: before every route, behind the firewall, and before a route that asks for it. */
import type { onRequestHookHandler, preParsingHookHandler } from 'fastify'
import type { CsrfGuard } from './csrf-guard.ts'

export function csrfHook(guard: CsrfGuard): onRequestHookHandler {
  return function refuseForeignPages(request, _reply, done) {
    done(guard.judge(request) ?? undefined)
  }
}

export function csrfGate(guard: CsrfGuard): preParsingHookHandler {
  return function refuseForeignPages(request, _reply, payload, done) {
    done(guard.judgeCarried(request), payload)
  }
}

/** Before a login, which has no session yet: its page alone. */
export function pageGate(guard: CsrfGuard): onRequestHookHandler {
  return function refuseForeignLogins(request, _reply, done) {
    done(guard.judgePage(request) ?? undefined)
  }
}
