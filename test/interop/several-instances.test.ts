/** Servers of one application on one database list each other, as svc-ops shows them; whichever plugin comes first. */
import Fastify, { type FastifyInstance } from 'fastify'
import { createAccessToken, ensureKernel } from 'svc-kernel'
import svcOps from 'svc-ops'
import type { Instances } from 'svc-ops/wire'
import svcSqlorm from 'svc-sqlorm'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'

const BEAT_MS = 5_000

interface Served {
  readonly fastify: FastifyInstance
  readonly clock: ManualClock
  list(): Promise<Instances>
}

async function served(t: Test, url: string, name: string, opsFirst: boolean): Promise<Served> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  const clock = new ManualClock()
  const ops = () => fastify.register(svcOps, { instances: { name }, parts: { clock } })
  if (opsFirst) await ops()
  await fastify.register(svcSqlorm, { connectors: { main: { url } } })
  if (!opsFirst) await ops()
  fastify.accessGate.use({ allows: ({ user }) => user.roles.includes('ROLE_SVC_ADMIN') })
  fastify.addHook('onRequest', async (request) => {
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: ['ROLE_SVC_ADMIN'] } })
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const list = async () => (await fastify.inject('/svc/ops/api/instances')).json() as Instances
  return { fastify, clock, list }
}

const states = ({ instances }: Instances) => Object.fromEntries(instances.map(({ name, state }) => [name, state]))

async function walk(t: Test, url: string): Promise<void> {
  const [one, two] = [await served(t, url, 'one', false), await served(t, url, 'two', true)]
  const beat = async () => {
    for (const { clock } of [one, two]) clock.advance(BEAT_MS)
  }
  await until(async () => {
    await beat()
    return (await one.list()).instances.length === 2
  }, 'the row of the other')
  await until(async () => {
    await beat()
    return states(await one.list()).two === 'serving' && states(await two.list()).one === 'serving'
  }, 'a heartbeat of each')
  const list = await two.list()
  t.equal(list.shared, true)
  t.equal(list.instances.find(({ id }) => id === list.self)?.name, 'two', 'it names the instance that answers')
  t.match(list.instances[0]?.figures, { failures: 0, waiting: 0 })
  two.fastify.healthChecks.leave()
  await until(async () => {
    await beat()
    return states(await one.list()).two === 'leaving'
  }, 'the word that it stops')
  await two.fastify.close()
  t.strictSame(states(await one.list()), { one: 'serving' })
}

t.test('SQLite', async (t) => walk(t, `sqlite:${t.testdir()}/app.db`))

const programs = postgresPrograms()
const skip = programs === null ? 'PostgreSQL is not installed' : false
t.test('PostgreSQL', { skip }, async (t) => {
  const server = await PostgresServer.start(programs ?? '')
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  await server.administer('create database app')
  await walk(t, server.url('app'))
})

t.test('without a database each knows itself, and says that it cannot see others', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOps, { instances: { name: 'alone' } })
  fastify.accessGate.use({ allows: () => true })
  fastify.addHook('onRequest', async (request) => {
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: [] } })
  })
  const list = (await fastify.inject('/svc/ops/api/instances')).json() as Instances
  t.match(list, { shared: false, instances: [{ name: 'alone', state: 'serving', clockOffMs: 0 }] })
  t.equal(list.instances[0]?.id, list.self)
})
