/** svc-bullmq on BullMQ's PostgreSQL backend: the published suite of durable queues, an application, an outage, instances that start at once. */
import Fastify from 'fastify'
import pg from 'pg'
import svcAudit from 'svc-audit'
import { type BullmqQueue, bullmqQueue } from 'svc-bullmq'
import { queueConformance } from 'svc-queue/conformance'
import svcWebhooks, { verifyWebhook } from 'svc-webhooks'
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'

const programs = postgresPrograms()
const skip = programs === null ? 'PostgreSQL is not installed' : false

t.test('PostgreSQL', { skip }, async (t) => {
  const server = await PostgresServer.start(programs as string)
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  const postgres = { connectionString: server.url('postgres') }

  await t.test('the suite', async (t) => {
    const pool = new pg.Pool(postgres)
    t.teardown(() => pool.end())
    await queueConformance(t, {
      makeStore: async () => {
        await pool.query('drop schema if exists bullmq cascade')
        return bullmqQueue({ postgres })
      },
      closeStore: (queue) => (queue as BullmqQueue).close(),
      faults: null,
      lanes: false,
      elapse: (ms) => elapse(pool, ms)
    })
  })

  await t.test('instances that start at once on an empty database make one schema', async () => {
    await server.administer('drop schema if exists bullmq cascade')
    const queues = Array.from({ length: 5 }, () => bullmqQueue({ postgres }))
    await Promise.all(queues.map((queue, index) => queue.heartbeat(`holder ${index}`)))
    await Promise.all(queues.map((queue) => queue.close()))
  })

  await t.test('an event arrives, signed, in the very bytes of its journal; its end is known', async (t) => {
    const { fastify, queue, receiver, secret } = await application(t, postgres)
    receiver.status = () => null
    const metadata = { z: 1, a: { longer: true, b: '\u00e9' }, aa: [1.5, 'x'] }
    fastify.audit.record({ category: 'config', action: 'config.update', outcome: 'success', actor: 'root', metadata })
    await receiver.until(() => receiver.waiting === 1)
    const [message] = receiver.received
    const { headers = {}, body = '' } = message ?? {}
    t.match(verifyWebhook({ secret, headers, body }).id, /^msg_/)
    const [event] = fastify.audit.recent(1)
    t.equal(JSON.stringify(JSON.parse(String(body)).data.metadata), JSON.stringify(event?.metadata))
    t.match(await queue.counts(), { waiting: 0, held: 1 })
    receiver.answerAll(200)
    await until(async () => (await queue.counts()).held === 0, 'the end')
  })

  await t.test('while the server is away it is said to be so; what was admitted is there afterwards', async (t) => {
    const queue = bullmqQueue({ postgres, name: 'away' })
    t.teardown(() => queue.close())
    await queue.heartbeat('a')
    await queue.admit('a', [{ id: 'msg_1', lane: 'wh_1', payload: '{"b":1,"a":2}', held: false }])
    await server.stop()
    const unavailable = { code: 'SVC_BULLMQ_UNAVAILABLE', statusCode: 503 }
    await t.rejects(
      queue.claim('a', 1, () => 1),
      unavailable
    )
    await t.rejects(queue.heartbeat('a'), unavailable)
    await t.rejects(queue.counts(), unavailable)
    await server.start()
    t.equal(await queue.heartbeat('a'), true)
    t.match(await queue.claim('a', 1, () => 1), [{ id: 'msg_1', payload: '{"b":1,"a":2}', attempts: 0 }])
  })
})

/** Time passes in the database: leases run out, and what waits for its time comes nearer, without anybody waiting. */
async function elapse(pool: pg.Pool, ms: number): Promise<void> {
  await pool.query(
    'update bullmq.job set locked_until_ms = locked_until_ms - $1::bigint, process_at_ms = process_at_ms - $1::bigint',
    [ms]
  )
  await pool.query('update bullmq.svc_holder set until_ms = until_ms - $1::bigint', [ms])
  await pool.query('update bullmq.svc_admitted set at_ms = at_ms - $1::bigint', [ms])
  const checked = "update bullmq.meta set value = (value::bigint - $1::bigint)::text where field = 'stalled-check'"
  await pool.query(checked, [ms])
}

async function application(t: Test, postgres: { connectionString: string }) {
  const queue = bullmqQueue({ postgres, name: 'hooks' })
  const receiver = await WebhookReceiver.start(t)
  const fastify = Fastify()
  t.teardown(async () => {
    await fastify.close()
    await queue.close()
  })
  await fastify.register(svcAudit)
  await fastify.register(svcWebhooks, {
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    allowHttp: true,
    denyPrivateIps: false,
    parts: { queue }
  })
  await fastify.ready()
  const { secret } = await fastify.webhooks.create({ url: receiver.url('/'), events: ['config.*'] })
  return { fastify, queue, receiver, secret }
}
