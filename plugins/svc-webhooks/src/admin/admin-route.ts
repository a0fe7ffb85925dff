/**
 * What every route of the admin API carries: the guard, which travels with the route and answers 403 where no jury lets
 * an administrator in; no unknown query parameter; and before a change, the CSRF guard and the idempotency gate.
 */
import type {
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  onSendHookHandler,
  preHandlerHookHandler,
  preParsingHookHandler,
  preValidationHookHandler
} from 'fastify'
import type { GatesPort } from 'svc-kernel/plugin'
import { adminChange, adminRoute, refusing, strictQuery } from 'svc-kernel/plugin'
import { NoIdempotencyGate, StoreTimeout, WebhooksUnavailable } from '../errors.ts'
import type { Webhooks } from '../webhooks.ts'

export const WEBHOOKS_API = '/svc/security/api/webhooks'

/** The hooks and the config of a route: its guard, and what comes before a change. */
export interface DoorOptions {
  readonly preParsing: preParsingHookHandler | preParsingHookHandler[]
  readonly preValidation: preValidationHookHandler
  readonly preHandler: preHandlerHookHandler | preHandlerHookHandler[]
  readonly onSend?: onSendHookHandler
  readonly config: object
}

/** Where the routes of a registry are, who may call them, and which registry a request sees. */
export interface RegistryDoor {
  /** The path of the listing. */
  readonly base: string
  /** Of a route that reads. @param name what reports call it @param known names of its query parameters */
  reading(name: string, known?: readonly string[]): DoorOptions
  /** Of a route that changes something. */
  changing(name: string): DoorOptions
  /** A schema with what a description of the API says of the route. */
  described(summary: string, schema: FastifySchema): FastifySchema
  /** @throws what refuses the caller */
  registry(request: FastifyRequest): Webhooks | Promise<Webhooks>
}

/** The door of administrators, to the one registry that there is. @param gates `null` where svc-security keeps no accounts */
export function adminDoor(webhooks: Webhooks, gates: GatesPort | null): RegistryDoor {
  return {
    base: WEBHOOKS_API,
    reading: readingRoute,
    changing: (name) => changingRoute(name, gates),
    described,
    registry: () => webhooks
  }
}

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
export function readingRoute(name: string, known: readonly string[] = []): DoorOptions {
  return { ...overSockets(adminRoute(`svc.webhooks.${name}`)), preValidation: strictQuery(known) }
}

/** Options of a route that changes something. @param gates `null` where svc-security keeps no accounts */
export function changingRoute(name: string, gates: GatesPort | null): DoorOptions {
  const { preHandler, ...rest } = overSockets(adminChange(`svc.webhooks.${name}`, gates?.csrf ?? null))
  const route = { ...rest, preValidation: strictQuery([]) }
  if (gates === null) return { ...route, preHandler: [preHandler, refuseKeys] }
  const { preHandler: claim, onSend } = gates.idempotency
  return { ...route, preHandler: [preHandler, claim], onSend }
}

/** Where a request went, without its query: the path of a door may have parameters. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] as string
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
export const refuseKeys = refusing<preHandlerHookHandler>(function refuseKeys(request, _reply, done) {
  if (request.headers['idempotency-key'] === undefined) done()
  else done(new NoIdempotencyGate())
}, NoIdempotencyGate)
