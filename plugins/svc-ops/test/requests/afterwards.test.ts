/** A failed request has what was thrown; what came when its answer was out stands apart, and takes no room from the rest. */
import { EventEmitter, once } from 'node:events'
import { requestChannels } from 'svc-kernel'
import t from 'tap'
import { recordingApplication } from '../support/recording-application.ts'

const statement = (table: string, text?: string) =>
  requestChannels.statement.publish({
    connector: 'main',
    kind: 'select',
    table,
    durationMs: 1,
    failed: false,
    ...(text === undefined ? {} : { text })
  })

t.test('Q12: statements and messages after the answer stand apart, and are no part of the count', async (t) => {
  const { fastify, read } = await recordingApplication(t)
  const work = new EventEmitter()
  const over = once(work, 'over')
  fastify.get('/busy', async () => {
    for (let count = 0; count < 3; count += 1) statement('orders', 'select * from "orders" where "id" = ?')
    requestChannels.message.publish({ channel: 'orders' })
    void once(work, 'begin').then(() => {
      for (let count = 0; count < 50; count += 1) statement('queue')
      requestChannels.message.publish({ channel: 'orders' })
      work.emit('over')
    })
    return 'ok'
  })
  await fastify.inject('/busy')
  work.emit('begin')
  await over
  const { row, whole } = await read('/busy')
  t.match(row, { statements: 3 })
  const tables = (afterwards: boolean) =>
    whole.statements.filter((each: { afterwards: boolean }) => each.afterwards === afterwards)
  t.match(tables(false), Array(3).fill({ table: 'orders', text: 'select * from "orders" where "id" = ?' }))
  t.equal(tables(true).length, 20, 'bounded by itself')
  t.match(tables(true)[0], { table: 'queue', text: null })
  t.equal(whole.omitted, 30)
  t.strictSame(whole.messages, [
    { channel: 'orders', afterwards: false, count: 1 },
    { channel: 'orders', afterwards: true, count: 1 }
  ])
})

t.test('Q12: a failed request shows its redacted error; a refused one has none', async (t) => {
  const { fastify, read } = await recordingApplication(t)
  fastify.get('/broken', async () => {
    throw new Error('postgres://app:hunter2@db is away', { cause: new Error('ECONNREFUSED') })
  })
  fastify.get('/refused', async () => {
    throw Object.assign(new Error('not now'), { statusCode: 409 })
  })
  await fastify.inject('/broken')
  await fastify.inject('/refused')
  const { failure } = (await read('/broken')).whole
  t.match(failure, { name: 'Error', message: 'postgres://[redacted]@db is away' })
  t.match(failure.stack, /afterwards\.test\.js[\s\S]*Caused by: Error: ECONNREFUSED/)
  t.notMatch(JSON.stringify(failure), /hunter2/)
  t.equal((await read('/refused')).whole.failure, null)
})
