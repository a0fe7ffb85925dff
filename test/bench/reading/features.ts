/** The features that are read: each is opened on memory stores, and then serves one request, delivery or query at a time. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import { createAccessToken } from 'svc-kernel'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSecurity, { hashPassword } from 'svc-security'
import svcWebhooks, { DELIVERY_CHANNELS } from 'svc-webhooks'
import { portOf } from '../../support/ports.ts'

export interface OpenFeature {
  once(): Promise<unknown>
  close(): Promise<unknown>
}

export interface Feature {
  readonly name: string
  /** The package that owns it; the kernel and the stores count beside it. */
  readonly owner: string
  open(): Promise<OpenFeature>
}

const COST = { memoryKib: 7168, passes: 1, parallelism: 1 }
const USER = { identifier: 'alice', password: 'correct horse', roles: ['ROLE_USER'] }
const WEBHOOKS = {
  allowHttp: true,
  denyPrivateIps: false,
  store: 'memory',
  encryptionKey: Buffer.alloc(32, 7).toString('base64')
} as const

export const FEATURES: readonly Feature[] = [
  { name: 'login', owner: 'svc-security', open: openLogin },
  { name: 'PATCH of an endpoint', owner: 'svc-webhooks', open: openPatch },
  { name: 'delivery attempt', owner: 'svc-webhooks', open: openDelivery },
  { name: 'find with relations', owner: 'svc-orm', open: openFind },
  { name: 'zone match', owner: 'svc-security', open: openZone }
]

async function openLogin(): Promise<OpenFeature> {
  const fastify = Fastify()
  await fastify.register(svcSecurity, { session: {}, passwords: COST })
  await fastify.ready()
  await fastify.userAccounts.create(USER)
  const payload = { username: USER.identifier, password: USER.password }
  const login = () => fastify.inject({ method: 'POST', url: '/svc/security/api/auth/login', payload })
  return { once: async () => expect(await login()), close: () => fastify.close() }
}

async function openZone(): Promise<OpenFeature> {
  const fastify = Fastify()
  const password = await hashPassword(USER.password, COST)
  await fastify.register(svcSecurity, {
    areas: { in: { pattern: '^/in', authenticators: ['session'] } },
    passwords: COST,
    parts: { users: { findByIdentifier: () => ({ ...USER, password }) } }
  })
  fastify.get('/in', () => 'ok')
  const payload = { username: USER.identifier, password: USER.password }
  const login = await fastify.inject({ method: 'POST', url: '/svc/security/api/auth/login', payload })
  const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
  return { once: async () => expect(await fastify.inject({ url: '/in', cookies })), close: () => fastify.close() }
}

async function openPatch(): Promise<OpenFeature> {
  const fastify = await webhooksApp()
  fastify.addHook('onRequest', async (request) => {
    request.user = { identifier: 'root', roles: ['ROLE_SVC_ADMIN'] }
    request.token = createAccessToken({ type: 'session', user: request.user })
  })
  fastify.accessGate.use({ allows: () => true })
  await fastify.ready()
  const { endpoint } = await fastify.webhooks.create({ url: 'http://127.0.0.1:9/in', events: ['login.*'] })
  const url = `/svc/security/api/webhooks/${endpoint.id}`
  const patch = () => fastify.inject({ method: 'PATCH', url, payload: { description: `at ${performance.now()}` } })
  return { once: async () => expect(await patch()), close: () => fastify.close() }
}

async function openDelivery(): Promise<OpenFeature> {
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.end())
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const fastify = await webhooksApp()
  await fastify.ready()
  const url = `http://127.0.0.1:${portOf(receiver)}/in`
  await fastify.webhooks.create({ url, events: ['login.*'] })
  const deliver = async () => {
    const delivered = new Promise<void>((resolve) => {
      const heard = () => {
        unsubscribe(DELIVERY_CHANNELS.delivered, heard)
        setImmediate(resolve)
      }
      subscribe(DELIVERY_CHANNELS.delivered, heard)
    })
    fastify.audit.record({ category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' })
    await delivered
  }
  const close = async () => {
    await fastify.close()
    receiver.closeAllConnections()
    receiver.close()
  }
  return { once: deliver, close }
}

async function openFind(): Promise<OpenFeature> {
  const author = defineEntity({ name: 'Author', schema: { name: { type: 'string' } } })
  const book = defineEntity({
    name: 'Book',
    schema: { title: { type: 'string' } },
    relations: { author: { type: 'many-to-one', target: 'Author' } }
  })
  const fastify = Fastify()
  await fastify.register(svcOrm, { memory: true, parts: { entities: [author, book] } })
  await fastify.ready()
  const { id } = await fastify.orm.repository(author).create({ name: 'Jane' })
  const books = fastify.orm.repository(book)
  await books.create({ title: 'Emma', authorId: id })
  return {
    once: () => books.find({ title: { $like: 'E%' } }, { relations: ['author'] }),
    close: () => fastify.close()
  }
}

async function webhooksApp(): Promise<FastifyInstance> {
  const fastify = Fastify()
  await fastify.register(svcAudit)
  await fastify.register(svcWebhooks, WEBHOOKS)
  return fastify
}

function expect({ statusCode, body }: { readonly statusCode: number; readonly body: string }): void {
  if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${body}`)
}
