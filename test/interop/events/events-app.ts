/** An application with events, organisations that are named by the path, and a caller who belongs to one of them. */
import { tmpdir } from 'node:os'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import svcAudit from 'svc-audit'
import svcEvents, { defineEvents, type OrganizationState, type SvcEventsOptions } from 'svc-events'
import type { ModuleEntry } from 'svc-host'
import svcJobs from 'svc-jobs'
import svcOpenapi from 'svc-openapi'
import { defineEntity } from 'svc-orm'
import svcRealtime from 'svc-realtime'
import svcSecurity, { type AccessVoter, Vote } from 'svc-security'
import type { Test } from 'tap'
import { z } from 'zod'
import { PlainCredential } from '../../support/plain-credential.ts'

export const Ticket = defineEntity({ name: 'Ticket', schema: { title: { type: 'string' } } })

export const events = defineEvents({
  'ticket.created': {
    data: z.object({ title: z.string().max(100) }),
    version: 2,
    description: 'a ticket was created',
    example: { title: 'The printer is on fire' }
  },
  'ticket.closed': {
    data: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
    version: 1
  }
})

export const KEY = Buffer.alloc(32, 7).toString('base64')
export const API = (organization: string) => `/api/organizations/${organization}`

/** A user belongs to the organisation of the same name. */
const ownOrganization: AccessVoter = {
  supports: (attribute) => attribute === 'ORG_EVENTS',
  vote: ({ user }, _attribute, subject) => (user.identifier === subject ? Vote.GRANT : Vote.ABSTAIN)
}

export interface EventsApp {
  readonly app: FastifyInstance
  readonly states: Map<string, OrganizationState>
}

/** @param database modules that bring a driver @param define called before the start */
export async function eventsApp(
  t: Test,
  database: readonly ModuleEntry[],
  define: (app: FastifyInstance) => void = () => undefined,
  options: Partial<SvcEventsOptions> = {}
): Promise<EventsApp> {
  const app = Fastify({ logger: false })
  t.teardown(() => app.close())
  const importModule = async () => ({})
  app.decorate('appHost', { name: 'events', root: tmpdir(), mode: 'test', checkOnly: false, importModule })
  for (const entry of database) {
    const [plugin, given] = (Array.isArray(entry) ? entry : [entry, {}]) as [FastifyPluginAsync<object>, object]
    await app.register(plugin, given)
  }
  const states = new Map<string, OrganizationState>()
  await app.register(svcAudit)
  await app.register(svcSecurity, {
    areas: { api: { pattern: '^/(?:api|svc)', authenticators: ['plain'] } },
    parts: { voters: [ownOrganization], authenticators: { plain: PlainCredential.bearer() } }
  })
  await app.register(svcRealtime, { channels: [{ pattern: 'events:*', requires: ['ORG_EVENTS'] }] })
  await app.register(svcJobs, { run: options.run ?? true })
  await app.register(svcOpenapi)
  await app.register(svcEvents, {
    events,
    path: '/api/organizations/:organization',
    encryptionKey: KEY,
    allowHttp: true,
    denyPrivateIps: false,
    ...options,
    parts: {
      organizations: {
        state: (organization) => (states.has(organization) ? (states.get(organization) ?? null) : 'active')
      }
    }
  })
  define(app)
  await app.ready()
  return { app, states }
}
