/**
 * Documents and reference page. Where they are not open, the guard is on every
 * route of the scope, the page's own files included. Nothing is loaded from another host, and the page not where it is off.
 */
import type { FastifyInstance } from 'fastify'
import { guardHooks, type Requirement, type RouteSecurity } from 'svc-kernel'
import { protectOwnAnswers } from 'svc-kernel/plugin'
import type { AsyncApiDocument } from '../asyncapi/async-api-document.ts'
import type { ApiDocument } from '../document/api-document.ts'
import type { ServedDocument } from '../documents.ts'

/** The page sets styles on elements; scripts come only from its own files. */
const CONTENT_POLICY = {
  'default-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"]
}

interface DescriptionRoutes {
  readonly served: ServedDocument
  readonly page: boolean
  readonly document: ApiDocument
  readonly asyncApi: () => AsyncApiDocument
}

export async function descriptionRoutes(
  fastify: FastifyInstance,
  { served, page, document, asyncApi }: DescriptionRoutes
): Promise<void> {
  // The page reads the document here, also where the `swagger` of the application is of another kind.
  Object.defineProperty(fastify, 'swagger', { value: document.swaggerOf(served) })
  const { open, role, path } = served
  const requirement: Requirement | null = open ? null : [[{ attribute: role }]]
  if (requirement !== null) {
    const guard = guardHooks(requirement)
    fastify.addHook('preParsing', guard.preParsing)
    fastify.addHook('preHandler', guard.preHandler)
  }
  fastify.addHook('onRoute', (route) => {
    route.config = { ...route.config, svc: security(requirement), swaggerTransform: false } as typeof route.config &
      object
    route.schema = { ...route.schema, hide: true }
    // The kernel's own look at this route came before it had its name.
    protectOwnAnswers(route)
  })
  fastify.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', open ? 'no-cache' : 'no-store')
  })
  fastify.get('/asyncapi', async () => asyncApi())
  if (!page) {
    fastify.get('/json', async () => fastify.swagger())
    return
  }
  // With what it brings it takes longer to load than this package.
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  await fastify.register(swaggerUi, {
    routePrefix: '/',
    staticCSP: CONTENT_POLICY,
    uiConfig: { persistAuthorization: false }
  })
  // The page names its files beside itself: without the slash they would be looked for one level above.
  if (!fastify.hasRoute({ method: 'GET', url: path })) {
    fastify.get('', async (_request, reply) => reply.redirect(`${path}/`))
  }
}

/** One object for every route of the scope: they are one thing with one guard. */
function security(requirement: Requirement | null): RouteSecurity {
  return {
    name: 'svc.openapi',
    requirement,
    anonymous: requirement === null,
    bypassFirewall: false,
    transports: ['HTTP'],
    source: null
  }
}
