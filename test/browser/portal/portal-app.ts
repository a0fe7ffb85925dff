/** An application with organisations, their keys, events and the portal, on two origins: its own, and one that frames it. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcEvents, { defineEvents, type PortalTheme } from 'svc-events'
import svcOrganizations from 'svc-organizations'
import svcSecurity from 'svc-security'
import { freePort } from '../../support/ports.ts'

export const events = defineEvents({
  'ticket.created': {
    data: {
      type: 'object',
      required: ['title', 'priority'],
      properties: { title: { type: 'string', maxLength: 100 }, priority: { enum: ['low', 'high'] } }
    },
    version: 2,
    description: 'a ticket was created',
    example: { title: 'The printer is on fire', priority: 'high' }
  },
  'ticket.closed': {
    data: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
    version: 1,
    description: 'a ticket was closed'
  },
  'invoice.paid': { data: { type: 'object' }, version: 1, description: 'an invoice was paid' }
})

export interface PortalApp {
  readonly app: FastifyInstance
  readonly origin: string
  /** Id of the organisation. */
  readonly acme: string
  readonly close: () => Promise<void>
}

/** @param framedBy origins whose pages may show the portal */
export async function startPortal(framedBy: readonly string[], theme: PortalTheme = {}): Promise<PortalApp> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const app = createFastify()
  const importModule = async () => ({})
  app.decorate('appHost', { name: 'Help desk', root: '.', mode: 'test', checkOnly: false, importModule })
  await app.register(svcAudit)
  await app.register(svcSecurity, {
    areas: { site: { pattern: '^/', authenticators: ['session', 'apikey', 'anonymous'] } },
    passwords: { memoryKib: 7168, passes: 1, parallelism: 1 },
    apiKeys: {}
  })
  await app.register(svcOrganizations, { keys: {}, roles: { admin: { permissions: ['billing', 'tickets'] } } })
  await app.register(svcEvents, {
    events,
    path: '/api/organizations/:organization',
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    allowHttp: true,
    denyPrivateIps: false,
    retryScheduleS: [3600],
    portal: { origin, frameAncestors: [...framedBy], theme, keys: ['billing', 'tickets'] },
    parts: {
      organizations: {
        state: async (id) => {
          const found = await app.organizations.find(id)
          return found === null ? null : found.state === 'active' ? 'active' : 'suspended'
        }
      }
    }
  })
  await app.listen({ host: '127.0.0.1', port })
  const identifier = 'ada@example.org'
  await app.userAccounts.create({ identifier, password: 'correct horse battery', roles: [] })
  const owner = await app.userAccounts.find(identifier)
  if (owner === null) throw new Error('there is no owner')
  const { id: acme } = await app.organizations.create(owner, { slug: 'acme', name: 'Acme' })
  return { app, origin, acme, close: () => app.close() }
}

/** A page of another site that shows what its query names in a frame. */
export async function startFraming(): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer((request, response) => {
    const src = new URL(request.url ?? '', 'http://a').searchParams.get('src') ?? ''
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><title>Settings</title><iframe title="Webhooks" width="900" height="700" src="${encodeURI(src)}"></iframe>`
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // `localhost` and `127.0.0.1` are two sites: what the frame stores is kept apart.
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` }
}
