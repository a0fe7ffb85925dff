/**
 * Durable deliveries over HTTP: two whole applications on one PostgreSQL. What is asked of the one is true of the other,
 * within a second; a database that is away is said to be so, and nothing that was answered is lost with it.
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcAudit from 'svc-audit'
import { hashPassword } from 'svc-security'
import { userStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import svcWebhooks, { verifyWebhook } from 'svc-webhooks'
import t, { type Test } from 'tap'
import { API, CHEAP, PASSWORD } from '../../support/account-app.ts'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'
import { startApp } from '../../support/start-app.ts'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'

const HOOKS = `${API}/webhooks`
const hashed = await hashPassword(PASSWORD, { ...CHEAP, parallelism: 1 })

/** Answered once its event, and what is to be delivered of it, is stored. */
const ring = fp(async (fastify: FastifyInstance) => {
  fastify.post<{ Params: { name: string } }>('/ring/:name', async ({ params: { name } }) => {
    fastify.audit.record({ category: 'auth', action: 'login.failure', outcome: 'failure', actor: name })
    return { rung: name }
  })
})

async function instance(t: Test, url: string) {
  const users = inMemory(userStore, { clock: new ManualClock() })
  await users.create({ identifier: 'root', password: hashed, roles: ['ROLE_SVC_ADMIN'] })
  const { port } = await startApp(t, {
    mode: 'test',
    before: [
      [svcSqlorm, { connectors: { default: { url } } }],
      [svcAudit, { durability: 'strict' }]
    ],
    security: {
      areas: { admin: { pattern: '^/svc', authenticators: ['userpassword'] } },
      passwords: CHEAP,
      parts: { stores: { user: users } }
    },
    modules: [
      ring,
      [
        svcWebhooks,
        {
          queue: 'store',
          allowHttp: true,
          denyPrivateIps: false,
          autoDisableThreshold: 3,
          retryScheduleS: [1, 1, 1],
          encryptionKey: Buffer.alloc(32, 7).toString('base64')
        }
      ]
    ]
  })
  const authorization = `Basic ${Buffer.from(`root:${PASSWORD}`).toString('base64')}`
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...given })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  return { call, ring: (name: string) => call('POST', `/ring/${name}`) }
}

const programs = postgresPrograms()
const skip = programs === null ? 'PostgreSQL is not installed' : false

t.test('two applications, one PostgreSQL', { skip }, async (t) => {
  const server = await PostgresServer.start(programs as string)
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  const url = server.url('postgres')
  const [one, other] = [await instance(t, url), await instance(t, url)]
  const receiver = await WebhookReceiver.start(t)
  const got = (path: string) => receiver.received.filter((each) => each.path === path)
  const actors = (path: string) => got(path).map(({ body }) => JSON.parse(String(body)).data.actor as string)
  const endpoint = async (path: string) => {
    const { body } = await one.call('POST', HOOKS, { url: receiver.url(path), events: ['login.*'] })
    return { id: body.endpoint.id as string, secret: body.secret as string }
  }
  /** An endpoint of the one is known to the other when that delivers to it. */
  const known = (path: string) =>
    until(async () => {
      await other.ring('probe')
      return got(path).length > 0
    }, `the first delivery to ${path}`)

  await t.test('an endpoint of the one gets the events of the other, and counts are of both', async (t) => {
    const { id, secret } = await endpoint('/a')
    await known('/a')
    const [message] = got('/a')
    const { headers = {}, body = '' } = message ?? {}
    t.equal(verifyWebhook({ secret, headers, body }).id, headers['webhook-id'])
    await until(async () => (await one.call('GET', `${HOOKS}/stats`)).body.queue.inFlight === 0, 'an empty queue')
    receiver.status = () => null
    await Promise.all([other.ring('held'), one.ring('held')])
    await until(() => receiver.waiting === 2, 'two messages under way')
    const stats = await Promise.all(
      [one, other].map(async ({ call }) => (await call('GET', `${HOOKS}/stats`)).body.queue)
    )
    for (const queue of stats) t.match(queue, { size: 0, inFlight: 2, oldestS: Number })
    receiver.status = () => 200
    receiver.answerAll(200)
    const history = (instance: typeof one) => instance.call('GET', `${HOOKS}/${id}/deliveries?limit=200`)
    const all = () => got('/a').length
    await until(async () => (await history(one)).body.deliveries.length === all(), 'the history of both')
    t.strictSame((await history(other)).body, (await history(one)).body)
    await one.call('DELETE', `${HOOKS}/${id}`)
  })

  await t.test('a change and a deletion on the one hold for the other', async (t) => {
    const { id } = await endpoint('/b')
    await known('/b')
    t.equal((await one.call('PATCH', `${HOOKS}/${id}`, { url: receiver.url('/moved') })).status, 200)
    await other.ring('after the move')
    await until(() => actors('/moved').includes('after the move'), 'the message at its new place')
    t.notOk(actors('/b').includes('after the move'))
    t.equal((await other.call('DELETE', `${HOOKS}/${id}`)).status, 200)
    await one.ring('after the end')
    await until(async () => (await other.call('GET', `${HOOKS}/stats`)).body.queue.inFlight === 0, 'an empty queue')
    t.notOk(actors('/moved').includes('after the end'))
    t.equal((await one.call('GET', `${HOOKS}/${id}`)).status, 404)
  })

  await t.test('an endpoint dies once, whoever sees it', async (t) => {
    const { id } = await endpoint('/c')
    await known('/c')
    receiver.status = () => 400
    await Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? one : other).ring('dying')))
    const find = async () => (await other.call('GET', `${HOOKS}/${id}`)).body
    await until(async () => (await find()).enabled === false, 'the endpoint to be disabled')
    const path = `${API}/audit/events?action=webhook.disabled`
    const events = async () =>
      (await one.call('GET', path)).body.items.filter(({ resource }: Deaths) => resource === id)
    await until(async () => (await events()).length > 0, 'the record of it')
    await until(async () => (await one.call('GET', `${HOOKS}/stats`)).body.queue.inFlight === 0, 'an empty queue')
    t.equal((await events()).length, 1)
    receiver.status = () => 200
    await one.call('DELETE', `${HOOKS}/${id}`)
  })

  await t.test('while the database is away nothing is answered as done, and what was done arrives', async (t) => {
    const { id } = await endpoint('/d')
    await known('/d')
    receiver.status = () => 503
    t.equal((await other.ring('before')).status, 200)
    await until(() => actors('/d').includes('before'), 'its first attempt')
    await server.stop()
    const refused = await one.ring('meanwhile')
    t.match([refused.status, refused.body.code], [503, 'SVC_AUDIT_UNSTORED'])
    const stats = await other.call('GET', `${HOOKS}/stats`)
    t.match([stats.status, stats.body.code], [503, 'SVC_WEBHOOKS_UNAVAILABLE'])
    receiver.status = () => 200
    await server.start()
    const arrived = () => actors('/d').filter((actor) => actor === 'before').length > 1
    await until(arrived, 'what was answered before')
    await until(async () => (await one.ring('after')).status === 200, 'an answer')
    await until(() => actors('/d').includes('after'), 'what is answered after it')
    const ids = new Set(got('/d').map(({ headers }) => headers['webhook-id']))
    t.equal(ids.size, new Set(got('/d').map(({ body }) => JSON.parse(String(body)).data.id)).size, 'one id per event')
    const { body } = await one.call('GET', `${HOOKS}/${id}/deliveries?outcome=retried`)
    t.match(body.deliveries[0], { status: 503, attempt: 1, ok: false }, 'each attempt is in the history')
  })
})

interface Deaths {
  readonly resource: string
}
