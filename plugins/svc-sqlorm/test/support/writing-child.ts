/**
 * A process of its own that keeps records until it is killed, and says on its
 * output what was acknowledged: one JSON line per record. Arguments: URL, prefix
 * of all ids.
 */
import Fastify from 'fastify'
import { sessionStore, tokensStore, userStore } from 'svc-security/stores'
import svcStores from 'svc-stores'
import { webhooksStore } from 'svc-webhooks/stores'
import svcSqlorm from '../../src/index.ts'

/** What the line of a record says. */
export interface Acknowledged {
  readonly session: string
  readonly token: string
  readonly successor: string
  readonly webhook: string
  readonly failures: number
  readonly user: string
}

const WRITERS = 4
const [url = '', prefix = ''] = process.argv.slice(2)
const fastify = Fastify()
await fastify.register(svcStores)
await fastify.register(svcSqlorm, { connectors: { default: { url } } })
const sessions = fastify.stores.select(sessionStore, 'sqlorm').store
const tokens = fastify.stores.select(tokensStore, 'sqlorm').store
const webhooks = fastify.stores.select(webhooksStore, 'sqlorm').store
const users = fastify.stores.select(userStore, 'sqlorm').store
if (sessions === null || tokens === null || webhooks === null || users === null) throw new Error('no stores')
const stores = { sessions, tokens, webhooks, users }
await fastify.ready()
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))

/** Until the database is gone. */
async function write(writer: number): Promise<void> {
  for (let number = 0; ; number += 1) {
    const id = `${prefix}-${writer}-${number}`
    const line = await record(id).catch(unlessUnavailable)
    if (line === null) return
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'SVC_ORM_UNAVAILABLE') return null
  throw error
}

async function record(id: string): Promise<Acknowledged> {
  await stores.sessions.create({ id, user: id, content: { of: id }, flash: {}, meta: {} })
  await stores.sessions.update(id, { content: { of: id, twice: true } })
  const token = { kind: 'refresh', name: null, subject: id, tenantId: null, scopes: ['a', 'b'], family: id } as const
  await stores.tokens.create({ ...token, id, secretHash: `hash of ${id}`, expiresAt: null })
  const successor = `${id}-next`
  await stores.tokens.rotate(id, { ...token, id: successor, secretHash: `hash of ${successor}`, expiresAt: null })
  const webhook = { url: `https://${id}.example`, secretEnc: 'gcm1.x', events: ['*'], enabled: true, metadata: {} }
  await stores.webhooks.create({ ...webhook, id, description: null, tenantId: null, createdBy: null })
  const failures = (await stores.webhooks.recordFailure(id, 500, 'server error')) ?? 0
  const user = await stores.users.create({ identifier: id, roles: ['ROLE_A', 'ROLE_B'] })
  await stores.users.linkSocialAccount(user.id, 'idp', id)
  return { session: id, token: id, successor, webhook: id, failures, user: id }
}
