/**
 * `request.session` of @fastify/session, over the sessions of this plugin. It is registered in a scope without routes,
 * so that its hooks run for no request: a `request.session` is made when one is first read, and written after the
 * handler, if it changed.
 *
 * Decorates  request.session, request.sessionStore; by @fastify/cookie request.cookies, reply.setCookie
 * Hooks      onSend: writes what changed, and the cookie of a session that is new
 */
import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify'
import { type Problem, reserveDecorators, warnProblem } from 'svc-kernel'
import { PluginSessionStore } from './plugin-session-store.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { RequestSession, SessionService } from './session-service.ts'

const notResumed: Problem = {
  code: 'SVC_SEC_SESSION_NOT_RESUMED',
  message: 'request.session is null: it was read in a request whose session was not resumed',
  fix: "list session in the route's zone (['session', 'anonymous'] on a public page), or await fastify.sessions.resume(request)",
  more: 'npx svc-cli docs logging-in'
}

/** Registers @fastify/cookie too, unless the application did: its settings are then the application's. */
export async function shareSessions(
  fastify: FastifyInstance,
  { sessions, cookie }: { readonly sessions: SessionService; readonly cookie: SessionCookie }
): Promise<void> {
  const store = new PluginSessionStore(sessions)
  let scope = fastify
  let warned = false

  function read(request: FastifyRequest): RequestSession | null {
    const held = sessions.held(request)
    if (held?.settled === undefined) {
      if (!warned)
        warnProblem(request.log, {
          ...notResumed,
          at: `${request.method} ${request.routeOptions.url ?? ''}`
        })
      warned = true
      return null
    }
    if (held.view === undefined) store.make(held, (id) => scope.decryptSession(id, request, () => undefined))
    return held.view ?? null
  }

  function assign(request: FastifyRequest, session: RequestSession | null): void {
    const held = sessions.held(request)
    if (held === null) return
    if (session === null) held.view = null
    else sessions.hold(request, store.adopt(session, held))
  }

  fastify.decorateRequest('session', {
    getter() {
      return read(this) as RequestSession
    },
    setter(session: RequestSession | null) {
      assign(this, session)
    }
  })
  fastify.decorateRequest('sessionStore', { getter: () => store })
  if (!fastify.hasPlugin('@fastify/cookie')) await fastify.register(fastifyCookie)
  await fastify.register(async (withoutRoutes) => {
    scope = withoutRoutes
    await scope.register(fastifySession, {
      ...store.options,
      store,
      cookie: cookie.attributes
    })
  })
  reserveDecorators(fastify, 'svc-security', ['session', 'sessionStore', 'cookies'])
  reserveDecorators(fastify, 'svc-security', ['serializeCookie'], 'decorate')
  fastify.addHook('onSend', saveSession(sessions, cookie))
}

/** After the handler: writes a session that changed, and brings or clears its cookie. */
function saveSession(sessions: SessionService, cookie: SessionCookie): onSendHookHandler {
  return function saveRequestSession(request, reply, _payload, done) {
    const held = sessions.held(request)
    if (held === null || (held.view === undefined && held.unsent !== true)) {
      done()
      return
    }
    const { view } = held
    const finish = (error: Error | null = null): void => {
      // The answer that reports it passes here too, and must not try again.
      if (error !== null) held.view = undefined
      else if (held.unsent === true && held.id !== null) cookie.write(request, reply, held.id)
      else if (view === null && held.id === null && cookie.isPresent(request)) cookie.clear(request, reply)
      held.unsent = false
      done(error as Error)
    }
    if (view?.isModified()) view.save((error?: Error) => finish(error ?? null))
    else finish()
  }
}
