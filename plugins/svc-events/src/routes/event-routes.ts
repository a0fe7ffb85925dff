/** The routes of organisations, and the AsyncAPI document. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import { type GatesPort, routeSecurity } from 'svc-kernel/plugin'
import { adminScope, deliveriesRoutes, endpointsRoutes, recoveryRoutes } from 'svc-webhooks/parts'
import type { Organizations } from '../access/organizations.ts'
import { asyncApiDocument } from '../described/async-api.ts'
import type { Events } from '../events.ts'
import type { EventsConfig } from '../options.ts'
import { journalRoutes } from './journal.routes.ts'
import { hasLateGates, namesOrganization, OrganizationDoor } from './organization-door.ts'

export interface EventRoutesParts {
  readonly config: EventsConfig
  readonly events: Events
  readonly organizations: Organizations
  /** Whether something else than the path says which organisation a request is of. */
  readonly knows: boolean
  readonly gates: GatesPort | null
}

/** @throws BootError (SVC_EVENTS_NO_ORGANIZATION) */
export function eventRoutes(fastify: FastifyInstance, parts: EventRoutesParts): void {
  const { config, events, organizations, knows, gates } = parts
  if (config.asyncapi !== false) asyncApiRoute(fastify, config.asyncapi, parts)
  if (!config.routes) return
  if (!knows && !namesOrganization(config.path)) throw noOrganization(config.path)
  const door = new OrganizationDoor({ config, events, organizations, gates })
  adminScope(fastify, (scope) => {
    if (config.webhooks) {
      endpointsRoutes(scope, door)
      deliveriesRoutes(scope, door)
      recoveryRoutes(scope, door)
    }
    if (config.journal) journalRoutes(scope, { path: config.path, door, events, organizations })
  })
  fastify.addHook('onReady', async () => {
    if (hasLateGates(fastify, gates)) throw early()
  })
}

/** What it says is what customers may know: events and schemas, and nobody's data. */
function asyncApiRoute(fastify: FastifyInstance, path: string, { config, events }: EventRoutesParts): void {
  const { channel, webhooks } = config
  let text: string | null = null
  fastify.get(
    path,
    {
      config: { svc: routeSecurity('svc.events.asyncapi', { anonymous: true }) },
      schema: { hide: true } as object
    },
    async (_request, reply) => {
      text ??= JSON.stringify(asyncApiDocument(events.types, { channel, webhooks }))
      return reply.type('application/json').header('cache-control', 'no-cache').send(text)
    }
  )
}

function noOrganization(path: string): BootError {
  return new BootError([
    {
      code: 'SVC_EVENTS_NO_ORGANIZATION',
      message: 'the routes of svc-events do not know the organisation of a request',
      at: 'svc-events.path',
      got: JSON.stringify(path),
      expected: '/api/organizations/:organization, svc-organizations before svc-events, or parts.organizations.of',
      fix: 'name :organization in path, register svc-organizations before, pass parts.organizations.of, or set routes: false',
      more: 'npx svc docs events-for-customers'
    }
  ])
}

/** Without this check, the routes would change endpoints without the CSRF checks of svc-security. */
function early(): BootError {
  return new BootError([
    {
      code: 'SVC_EVENTS_EARLY',
      message:
        'svc-events is registered before svc-security: its routes would have no CSRF protection and no idempotency',
      at: 'svc-events',
      got: 'before svc-security',
      expected: 'after svc-security',
      fix: 'register svc-events after svc-security'
    }
  ])
}
