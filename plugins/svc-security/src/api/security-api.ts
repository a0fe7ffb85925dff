/**
 * The scope of this plugin's own routes: JSON and nothing else, so that no plain
 * form can post to them, and bodies that are small and taken as they came.
 */
import type { FastifyInstance, FastifyReply, onErrorHookHandler } from 'fastify'
import type { RequiredProof, RouteSecurity } from 'svc-kernel'
import { routeSecurity } from 'svc-kernel/plugin'

export const SECURITY_API = '/svc/security/api'

/**
 * Bytes of a body, where the route sets no limit of its own. The longest name and password that are taken fit in,
 * each of their characters written as an escape; every caller may post here, and parsing comes before validation.
 */
const BODY_LIMIT = 8192

/** Declares routes under the rules of the security API. What an application parses elsewhere is not parsed here. */
export function securityApi(fastify: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'))
    scope.addHook('onError', keepHeaders)
    scope.addHook('onRoute', (route) => {
      route.bodyLimit ??= BODY_LIMIT
    })
    routes(scope)
  })
}

/** An error handler of the application may write its own answer; when and with what to come back stays on it. */
const keepHeaders: onErrorHookHandler = function keepHeaders(_request, reply, error, done) {
  const { headers } = (error ?? {}) as { headers?: Readonly<Record<string, unknown>> }
  for (const name of ['retry-after', 'dpop-nonce']) {
    const value = headers?.[name]
    if (typeof value === 'string') reply.header(name, value)
  }
  done()
}

/** The security of a route that proves identity itself: no zone asks for proof before it. */
export function publicRoute(name: string): RouteSecurity {
  return routeSecurity(name, { bypassFirewall: true })
}

/** The security of a route that asks for the session of a signed-in user itself: no key or token opens it. */
export function sessionRoute(name: string): RouteSecurity {
  return routeSecurity(name, { bypassFirewall: true, session: 'signed-in' })
}

/** The security of the second step of a login. */
export function pendingRoute(name: string): RouteSecurity {
  return routeSecurity(name, { bypassFirewall: true, session: 'pending' })
}

/** The same route, which asks for this proof too. */
export function proven<Options extends { readonly config: object }>(options: Options, proof: RequiredProof | null) {
  return proof === null ? options : { ...options, config: { ...options.config, proof } }
}

/** What was said to one caller, no cache keeps. @returns the answer as it is */
export function noStore<Answer>(reply: FastifyReply, answer: Answer): Answer {
  reply.header('cache-control', 'no-store')
  return answer
}
