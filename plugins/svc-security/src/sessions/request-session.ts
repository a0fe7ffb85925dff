/**
 * `request.session` of @fastify/session, over the sessions of this plugin. It is registered in a scope without routes,
 * so that its hooks run for no request: a `request.session` is made when one is first read, and written after the
 * handler, if it changed. It is never null: where no session was looked for it is an empty one, without a call of the store.
 *
 * Decorates  request.session, request.sessionStore; by @fastify/cookie request.cookies, reply.setCookie
 * Hooks      onSend: writes what changed, and the cookie of a session that is new
 */
import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Problem } from 'svc-kernel'
import { reserveDecorators, warnProblem } from 'svc-kernel/plugin'
import { SessionUnread } from '../errors.ts'
import { type HeldSession, noSession, type RequestSession } from './held-session.ts'
import { PluginSessionStore } from './plugin-session-store.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { SessionService } from './session-service.ts'

const notResumed: Problem = {
  code: 'SVC_SEC_SESSION_NOT_RESUMED',
  message: 'request.session is empty, because the session of this request was not resumed',
  fix: "list session in the route's zone (['session', 'anonymous'] on a public page), or await fastify.sessions.resume(request)",
  more: 'npx svc docs sessions'
}

/** Registers @fastify/cookie too, unless the application did: its settings are then the application's. */
export async function shareSessions(
  fastify: FastifyInstance,
  { sessions, cookie }: { readonly sessions: SessionService; readonly cookie: SessionCookie }
): Promise<void> {
  const store = new PluginSessionStore(sessions)
  let scope = fastify
  let warned = false
  /** Stand-ins for sessions that were not read. */
  let unread: WeakMap<FastifyRequest, HeldSession> | null = null
  /** Whose `request.session` the plugin is about to make, which it does synchronously. */
  let making: HeldSession | null = null

  function viewOf(request: FastifyRequest, held: HeldSession): RequestSession | null {
    if (held.view !== undefined) return held.view
    making = held
    store.make(held, (id) => scope.decryptSession(id, request, () => undefined))
    making = null
    return held.view ?? null
  }

  /** A visitor has none; a session that was not read is shown as an empty one, which cannot be written. */
  function standIn(request: FastifyRequest): HeldSession {
    if (sessions.held(request) === null && sessions.idOf(request) === null) {
      const none = noSession()
      sessions.hold(request, none)
      return none
    }
    unread ??= new WeakMap()
    const known = unread.get(request)
    if (known !== undefined) return known
    if (!warned) warnProblem(request.log, { ...notResumed, at: `${request.method} ${request.routeOptions.url ?? ''}` })
    warned = true
    const empty = { ...noSession(), unread: true }
    unread.set(request, empty)
    return empty
  }

  function read(request: FastifyRequest): RequestSession | null {
    const held = sessions.held(request)
    return viewOf(request, held?.settled === undefined ? standIn(request) : held)
  }

  function assign(request: FastifyRequest, session: RequestSession | null): void {
    const held = making ?? sessions.held(request)
    if (session === null) {
      if (held !== null) held.view = null
      return
    }
    const own = store.adopt(session, held ?? noSession())
    if (own.unread !== true) sessions.hold(request, own)
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
  await fastify.register(namedAsItsPlugin)
  fastify.addHook(
    'onSend',
    saveSession(sessions, cookie, (request) => unread?.get(request))
  )
}

/** Plugins that depend on @fastify/session by its name find it, although it is registered in its own scope. */
const namedAsItsPlugin = Object.assign(async () => undefined, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('plugin-meta')]: { name: '@fastify/session' }
})

/** After the handler: writes a session that changed, and brings or clears its cookie. */
function saveSession(
  sessions: SessionService,
  cookie: SessionCookie,
  unreadOf: (request: FastifyRequest) => HeldSession | undefined
): onSendHookHandler {
  return function saveRequestSession(request, reply, _payload, done) {
    const held = sessions.held(request)
    const unread = unreadOf(request)
    if (unread?.view?.isModified()) {
      unread.view = undefined
      done(new SessionUnread())
      return
    }
    if (held === null || (held.view === undefined && held.unsent !== true)) {
      done()
      return
    }
    const { view } = held
    const finish = (error: Error | null = null): void => {
      // The answer that reports it passes here too, and must not try again.
      if (error !== null) held.view = undefined
      else if (held.unsent === true && held.id !== null) cookie.write(request, reply, held.id, held.renewal)
      else if (view === null && held.id === null && cookie.isPresent(request)) cookie.clear(request, reply)
      // Of a session that was renewed the answer that reports the error brings the cookie.
      if (error === null) held.unsent = false
      done(error as Error)
    }
    if (view?.isModified()) view.save((error?: Error) => finish(error ?? null))
    else finish()
  }
}
