/** The queue in an application: events arrive, BullMQ shows them, and without Redis nothing is answered as if it were empty. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Queue } from 'bullmq'
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import svcWebhooks, { verifyWebhook } from 'svc-webhooks'
import t from 'tap'
import { bullmqQueue } from '../src/index.ts'
import { redisProgram, startRedis } from './support/redis.ts'

if (redisProgram === null) {
  const reason = 'SKIPPED: neither redis-server nor valkey-server is installed; nothing here was tested'
  process.stderr.write(`\n  ${reason}\n\n`)
  t.plan(0, reason)
} else {
  redisTests(redisProgram)
}

function redisTests(program: string): void {
  t.test('an event arrives, signed', async (t) => {
    const redis = (await startRedis(t, program)).connect()
    const queue = bullmqQueue({ connection: redis })
    const receiver = createServer().listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    const fastify = Fastify()
    await fastify.register(svcAudit)
    await fastify.register(svcWebhooks, {
      encryptionKey: randomBytes(32).toString('base64'),
      allowHttp: true,
      denyPrivateIps: false,
      parts: { queue }
    })
    await fastify.ready()
    t.teardown(() => receiver.close())

    const { secret } = await fastify.webhooks.create({
      url: `http://127.0.0.1:${port}/`,
      events: ['config.*']
    })
    fastify.audit.record({
      category: 'config',
      action: 'config.update',
      outcome: 'success',
      actor: 'root'
    })
    const [request, response] = await once(receiver, 'request')
    const body = Buffer.concat(await request.toArray())
    t.match(verifyWebhook({ secret, headers: request.headers, body }).id, /^msg_/)
    t.equal(JSON.parse(String(body)).type, 'config.update')
    t.match(await queue.counts(), { waiting: 0, held: 1 })
    response.end()
    await fastify.close()
    t.same(await queue.counts(), { waiting: 0, held: 0, oldestMs: null }, 'its end is known')
    await queue.close()
  })

  t.test('what waits is plain for every program that reads BullMQ', async (t) => {
    const redis = (await startRedis(t, program)).connect()
    const queue = bullmqQueue({
      connection: redis,
      prefix: 'shop',
      name: 'hooks'
    })
    await queue.heartbeat('a')
    await queue.admit('a', [
      {
        id: 'msg_1',
        lane: 'wh_1',
        payload: '{"type":"config.update"}',
        held: false
      }
    ])
    const [delivery] = await queue.claim('a', 1, () => 1)
    t.equal(delivery?.payload, '{"type":"config.update"}')
    const retried = [{ id: 'msg_1', attempts: 2, delayMs: 60_000 }]
    await queue.settle('a', { ended: [], retried, released: [] })

    const seen = new Queue('hooks-wh_1', { connection: redis, prefix: 'shop' })
    const [job] = await seen.getDelayed()
    t.match(job, {
      id: 'msg_1',
      name: 'job',
      data: { type: 'config.update' },
      attemptsMade: 2
    })
    await seen.close()
    await queue.close()
  })

  t.test('Redis is away', async (t) => {
    const server = await startRedis(t, program)
    const queue = bullmqQueue({ connection: server.connect() })
    await queue.heartbeat('a')
    await server.stop()
    const unavailable = { code: 'SVC_BULLMQ_UNAVAILABLE', statusCode: 503 }
    const delivery = {
      id: 'msg_1',
      lane: 'wh_1',
      payload: '{}',
      held: false
    }
    await t.rejects(queue.admit('a', [delivery]), unavailable)
    await t.rejects(
      queue.claim('a', 1, () => 1),
      unavailable
    )
    await t.rejects(queue.heartbeat('a'), unavailable)
    await t.rejects(queue.discard('wh_1'), unavailable)
    await t.rejects(queue.counts(), unavailable)
    await queue.close()
  })
}
