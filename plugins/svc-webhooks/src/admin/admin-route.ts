/**
 * What every route of the admin API carries: the guard, which travels with the route and answers 403 where no jury lets
 * an administrator in; no unknown query parameter; and before a change, the CSRF guard and the idempotency gate.
 */
import type { FastifyInstance, FastifySchema, preHandlerHookHandler } from 'fastify'
import type { GatesPort } from 'svc-kernel/plugin'
import { adminChange, adminRoute, refusing, strictQuery } from 'svc-kernel/plugin'
import { NoIdempotencyGate, StoreTimeout, WebhooksUnavailable } from '../errors.ts'

export const WEBHOOKS_API = '/svc/security/api/webhooks'

export interface ById {
  readonly Params: { readonly id: string }
}

/** A scope that takes JSON and nothing else, so that no plain form can post to its routes; no answer is cached. */
export function adminScope(fastify: FastifyInstance, addRoutes: (scope: FastifyInstance) => void): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const parse = scope.getDefaultJsonParser('error', 'error')
    scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
      // Many clients declare JSON where they send nothing: no body is no fault where none is asked for.
      if (text === '') done(null, null)
      else void parse(request, text, done)
    })
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    addRoutes(scope)
  })
}

/** Options of a route that reads. @param name what reports call it @param known names of its query parameters */
export function readingRoute(name: string, known: readonly string[] = []) {
  return { ...overSockets(adminRoute(`svc.webhooks.${name}`)), preValidation: strictQuery(known) }
}

/** Options of a route that changes something. @param gates `null` where svc-security keeps no accounts */
export function changingRoute(name: string, gates: GatesPort | null) {
  const { preHandler, ...rest } = overSockets(adminChange(`svc.webhooks.${name}`, gates?.csrf ?? null))
  const route = { ...rest, preValidation: strictQuery([]) }
  if (gates === null) return { ...route, preHandler: [preHandler, refuseKeys] }
  const { preHandler: claim, onSend } = gates.idempotency
  return { ...route, preHandler: [preHandler, claim], onSend }
}

/** A schema with what a description of the API says of the route. */
export function described(summary: string, schema: FastifySchema) {
  const errors = [...(schema.errors ?? []), WebhooksUnavailable, StoreTimeout]
  return { ...schema, errors, tags: ['webhooks'], summary }
}

/** `realtime` is read by svc-realtime, where it is registered: a socket may ask these routes too. */
function overSockets<Options extends { readonly config: object }>(options: Options) {
  return { ...options, config: { ...options.config, realtime: true } }
}

/** An idempotency key that nothing here can honour is refused, not ignored. */
const refuseKeys = refusing<preHandlerHookHandler>(function refuseKeys(request, _reply, done) {
  if (request.headers['idempotency-key'] === undefined) done()
  else done(new NoIdempotencyGate())
}, NoIdempotencyGate)
