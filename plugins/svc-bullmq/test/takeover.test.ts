/** What an instance held that was killed goes to another one; what a late claim took is given back. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { HEARTBEAT_MS, MISSED_HEARTBEATS } from 'svc-queue/driver'
import t from 'tap'
import { LaneQueues } from '../src/bullmq-queue.ts'
import { bullmqQueue } from '../src/index.ts'
import { elapse } from './support/elapse.ts'
import { redisProgram, startRedis } from './support/redis.ts'

const HOLDER = fileURLToPath(new URL('./support/holder-process.js', import.meta.url))
const deliveries = ['msg_1', 'msg_2', 'msg_3'].map((id) => ({
  id,
  lane: 'wh_1',
  payload: `{"id":"${id}"}`,
  held: false
}))
const ANY_ROOM = () => 100

if (redisProgram === null) {
  const reason = 'SKIPPED: neither redis-server nor valkey-server is installed; nothing here was tested'
  process.stderr.write(`\n  ${reason}\n\n`)
  t.plan(0, reason)
} else {
  redisTests(redisProgram)
}

function redisTests(program: string): void {
  t.test('a server that goes away during a heartbeat fails it, and nothing else', async (t) => {
    const server = await startRedis(t, program)
    const redis = server.connect()
    const queue = bullmqQueue({ connection: redis })
    await queue.heartbeat('one')
    await queue.admit('one', deliveries)
    t.equal((await queue.claim('one', 100, ANY_ROOM)).length, 3)
    // Locks are extended by a script; the lanes are answered after it has failed.
    const send = redis.sendCommand.bind(redis)
    redis.sendCommand = ((command, stream) => {
      if (command.name.startsWith('eval')) command.reject(new Error('away'))
      return command.name.startsWith('eval') ? command.promise : send(command, stream)
    }) as typeof redis.sendCommand
    redis.smembers = (async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
      throw new Error('away')
    }) as never
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    t.teardown(() => process.off('unhandledRejection', note))
    await t.rejects(queue.heartbeat('one'), { code: 'SVC_BULLMQ_UNAVAILABLE' })
    t.strictSame(unhandled, [])
  })

  t.test('the holder is killed', async (t) => {
    const server = await startRedis(t, program)
    const redis = server.connect()
    const queue = bullmqQueue({ connection: redis })
    await queue.heartbeat('other')
    await queue.admit('other', deliveries)

    const child = spawn(process.execPath, [HOLDER, server.path], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    t.teardown(() => child.kill('SIGKILL'))
    for await (const line of createInterface({ input: child.stdout })) {
      t.equal(line, 'held 3')
      break
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    t.same(await queue.claim('other', 100, ANY_ROOM), [], 'it may live still')
    t.match(await queue.counts(), { waiting: 0, held: 3 })

    for (let beat = 0; beat <= MISSED_HEARTBEATS; beat += 1) {
      await elapse(redis, HEARTBEAT_MS)
      t.equal(await queue.heartbeat('other'), true)
    }
    const taken = await queue.claim('other', 100, ANY_ROOM)
    t.same(
      taken.toSorted((a, b) => a.id.localeCompare(b.id)),
      deliveries.map(({ held: _, ...delivery }) => ({
        ...delivery,
        attempts: 0
      }))
    )
    await queue.settle('other', {
      ended: taken.map(({ id }) => id),
      retried: [],
      released: []
    })
    t.same(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
    await queue.close()
  })

  t.test('a claim that is answered late leaves what it took to others', async (t) => {
    const redis = (await startRedis(t, program)).connect()
    let now = 0
    const queue = new LaneQueues({ connection: redis }, () => {
      now += 5_000
      return now
    })
    await queue.heartbeat('a')
    await queue.admit('a', deliveries)
    t.same(await queue.claim('a', 100, ANY_ROOM), [])
    t.match(await queue.counts(), { waiting: 3, held: 0 })
    await queue.close()
  })

  t.test('an end that comes late, from another process, ends the delivery', async (t) => {
    const redis = (await startRedis(t, program)).connect()
    const [late, other] = [bullmqQueue({ connection: redis }), bullmqQueue({ connection: redis })]
    await late.heartbeat('late')
    await other.heartbeat('other')
    await late.admit('late', deliveries)
    t.equal((await late.claim('late', 100, ANY_ROOM)).length, 3)
    for (let beat = 0; beat <= MISSED_HEARTBEATS; beat += 1) {
      await elapse(redis, HEARTBEAT_MS)
      t.equal(await other.heartbeat('other'), true)
    }
    t.equal(await late.heartbeat('late'), false)
    t.equal(await late.heartbeat('late again'), true)
    t.equal((await other.claim('other', 100, ANY_ROOM)).length, 3)
    await late.settle('late again', { ended: ['msg_1'], retried: [], released: ['msg_2'] })
    t.match(await other.counts(), { waiting: 0, held: 2 })
    await Promise.all([late.close(), other.close()])
  })

  t.test('what fails again after it was rescheduled can be rescheduled again', async (t) => {
    const queue = bullmqQueue({ connection: (await startRedis(t, program)).connect() })
    await queue.heartbeat('a')
    await queue.admit('a', deliveries.slice(0, 1))
    for (const attempts of [1, 2]) {
      t.equal((await queue.claim('a', 1, ANY_ROOM)).length, 1)
      await queue.settle('a', { ended: [], retried: [{ id: 'msg_1', attempts, delayMs: 60_000 }], released: [] })
      t.equal(await queue.reschedule('wh_1', 10), 1)
    }
    await queue.close()
  })

  t.test('nothing is claimed for a holder that is not known to live', async (t) => {
    const queue = bullmqQueue({
      connection: (await startRedis(t, program)).connect()
    })
    await queue.admit('a', deliveries)
    t.same(await queue.claim('a', 100, ANY_ROOM), [])
    t.match(await queue.counts(), { waiting: 3, held: 0 })
    await queue.close()
  })
}
