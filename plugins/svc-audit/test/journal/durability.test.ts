/** `durability: 'strict'`: answers wait for what was recorded, share a write, and are withheld where it cannot be stored. */
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import type { AuditEvent } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import svcAudit from '../../src/index.ts'
import { MemoryAuditStore } from '../../src/storage/memory-audit-store.ts'

const CHANGE = { category: 'config', action: 'config.update', outcome: 'success', actor: 'root' } as const
const turn = () => new Promise((resolve) => setImmediate(resolve))

async function turns(count = 20): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn()
}

/** A store beside the journal's memory, whose batches are held until they are let go. */
async function anApplication(
  t: Test,
  options: object = { durability: 'strict' },
  routes: (fastify: FastifyInstance) => void = () => undefined
) {
  const clock = new ManualClock()
  const kept = new MemoryAuditStore({ clock })
  const batches: string[][] = []
  const state = { held: [] as (() => void)[], hold: false, down: false }
  const store = {
    append: async (events: readonly AuditEvent[]) => {
      batches.push(events.map(({ resource }) => resource ?? ''))
      if (state.hold) await new Promise<void>((resolve) => state.held.push(resolve))
      if (state.down) throw new Error('down')
      await kept.append(events)
    },
    list: kept.list.bind(kept),
    purge: kept.purge.bind(kept)
  }
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit, { ...options, parts: { clock, stores: { audit: store } } } as never)
  fastify.post<{ Params: { name: string } }>('/change/:name', async ({ params }, reply) => {
    await turn()
    fastify.audit.record({ ...CHANGE, resource: params.name })
    return reply.code(201).header('set-cookie', 'a=b').header('location', '/change/1').send({ name: params.name })
  })
  fastify.get('/look', async () => ({ ok: true }))
  routes(fastify)
  await fastify.ready()
  const post = (name: string) => fastify.inject({ method: 'POST', url: `/change/${name}` })
  const stored = async () => (await kept.list({}, { limit: 1000 })).items.map(({ resource }) => resource)
  return { fastify, clock, state, batches, stored, post }
}

t.test('no answer leaves before what its request recorded is stored', async (t) => {
  const { state, post, stored, fastify } = await anApplication(t)
  state.hold = true
  let answered = 0
  const answers = ['a', 'b', 'c'].map((name) => post(name).finally(() => (answered += 1)))
  await turns()
  t.equal(answered, 0)
  t.equal((await fastify.inject('/look')).statusCode, 200, 'a request that recorded nothing waits for nobody')
  while (answered < 3) {
    t.equal((await stored()).length >= answered, true)
    state.held.shift()?.()
    await turns(5)
  }
  for (const answer of await Promise.all(answers)) t.equal(answer.statusCode, 201)
  t.strictSame((await stored()).sort(), ['a', 'b', 'c'])
})

t.test('requests that end together share a write, and each has at most one', async (t) => {
  const { batches, post } = await anApplication(t)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => post(`p${index}`)))
  t.ok(answers.every(({ statusCode }) => statusCode === 201))
  t.equal(batches.flat().length, 50)
  t.ok(batches.length < 10, `${batches.length} batches for 50 requests`)
  const before = batches.length
  await post('alone')
  t.equal(batches.length, before + 1)
})

t.test('relaxed, the default, waits for nothing', async (t) => {
  const { state, post, stored } = await anApplication(t, {})
  state.hold = true
  t.equal((await post('a')).statusCode, 201)
  t.strictSame(await stored(), [])
  for (let step = 0; step < 3; step += 1) {
    state.held.shift()?.()
    await turns(5)
  }
})

t.test('what cannot be stored withholds the answer, and is sent again', async (t) => {
  const { state, post, stored, batches, clock } = await anApplication(t)
  state.down = true
  for (const name of ['a', 'b']) {
    const answer = await post(name)
    t.match(answer.json(), { statusCode: 503, code: 'SVC_AUDIT_UNSTORED' })
    t.strictSame([answer.headers['set-cookie'], answer.headers.location], [undefined, undefined])
  }
  t.ok(batches.length >= 2, 'a waiting answer asks the store at once, whatever pause it is in')
  state.down = false
  t.equal((await post('c')).statusCode, 201)
  t.strictSame((await stored()).sort(), ['a', 'b', 'c'], 'nothing that was recorded is lost')
  t.equal(clock.pending <= 1, true, 'the retention alone waits')
})

t.test('a store that is silent is given up after its time', async (t) => {
  const { state, post, clock } = await anApplication(t)
  state.hold = true
  const answer = post('a')
  await turns()
  clock.advance(10_000)
  t.equal((await answer).json().code, 'SVC_AUDIT_UNSTORED')
  state.hold = false
  for (const release of state.held) release()
})

t.test('an event that found no room withholds its answer', async (t) => {
  const { state, fastify, post } = await anApplication(t)
  state.hold = true
  for (let index = 0; index < 10_000; index += 1) fastify.audit.record({ ...CHANGE, resource: `x${index}` })
  t.equal((await post('late')).json().code, 'SVC_AUDIT_UNSTORED')
  state.hold = false
  for (const release of state.held.splice(0)) release()
  await fastify.audit.flushed()
})

t.test('streams, refusals of hooks, unknown URLs and faults wait too', async (t) => {
  const { state, fastify, batches } = await anApplication(t, undefined, (fastify) => {
    fastify.addHook('onRequest', async ({ url }) => {
      if (url === '/nowhere' || url === '/fault') fastify.audit.record({ ...CHANGE, resource: url })
    })
    fastify.get('/fault', async () => {
      throw new Error('fault')
    })
    fastify.get('/stream', async (_request, reply) => {
      fastify.audit.record({ ...CHANGE, resource: '/stream' })
      return reply.send(Readable.from(['a', 'b']))
    })
  })
  for (const [url, status] of [
    ['/nowhere', 404],
    ['/fault', 500],
    ['/stream', 200]
  ] as const) {
    state.hold = true
    let over = false
    const answer = fastify.inject(url).finally(() => (over = true))
    await turns()
    t.notOk(over, `${url} waits`)
    t.strictSame(batches.at(-1), [url])
    state.hold = false
    for (const release of state.held.splice(0)) release()
    t.equal((await answer).statusCode, status)
    state.down = true
    t.equal((await fastify.inject(url)).statusCode, 503, `${url} is withheld`)
    state.down = false
    await fastify.audit.flushed()
  }
})

t.test('flushed() is for code outside of requests, in both modes', async (t) => {
  for (const durability of ['relaxed', 'strict']) {
    const { state, fastify, stored } = await anApplication(t, { durability })
    fastify.audit.record({ ...CHANGE, resource: 'job' })
    t.strictSame(await stored(), [])
    await fastify.audit.flushed()
    t.strictSame(await stored(), ['job'])
    state.down = true
    fastify.audit.record({ ...CHANGE, resource: 'lost' })
    await t.rejects(fastify.audit.flushed(), { statusCode: 503, code: 'SVC_AUDIT_UNSTORED' })
    state.down = false
    await fastify.audit.flushed()
    t.strictSame((await stored()).sort(), ['job', 'lost'])
  }
})

t.test('subscribers store what follows, after the event and before the answer', async (t) => {
  const { state, fastify, post, stored } = await anApplication(t)
  const order: string[] = []
  const taken: (string | null)[] = []
  const leave = fastify.audit.subscribe(({ resource }) => void taken.push(resource), {
    flush: async () => {
      order.push(`${(await stored()).length} stored, ${taken.splice(0).join()} follows`)
      if (state.down) throw Object.assign(new Error('the queue is away'), { statusCode: 503, code: 'QUEUE_AWAY' })
    }
  })
  t.equal((await post('a')).statusCode, 201)
  t.strictSame(order, ['1 stored, a follows'])
  leave()
  t.equal((await post('b')).statusCode, 201)
  t.equal(order.length, 1, 'who left is not asked')
  fastify.audit.subscribe(() => undefined, {
    flush: async () => {
      throw Object.assign(new Error('the queue is away'), { statusCode: 503, code: 'QUEUE_AWAY' })
    }
  })
  t.match((await post('c')).json(), { statusCode: 503, code: 'QUEUE_AWAY' })
})

t.test('a request is told that a subscriber did not take its event, whatever came since', async (t) => {
  const { fastify, post, stored } = await anApplication(t)
  const takes = (resource: string | null) => {
    if (resource === 'thrown') throw new Error('no room')
    return resource !== 'refused'
  }
  const flush = () => Promise.resolve()
  const leave = fastify.audit.subscribe(({ resource }) => takes(resource), { flush })
  const answers = await Promise.all(['refused', 'taken', 'thrown'].map(post))
  t.strictSame(
    answers.map(({ statusCode }) => statusCode),
    [503, 201, 503]
  )
  t.match(answers[0]?.json(), { code: 'SVC_AUDIT_UNSTORED' })
  t.strictSame((await stored()).sort(), ['refused', 'taken', 'thrown'], 'the events themselves are')
  leave()
  fastify.audit.subscribe(({ resource }) => takes(resource))
  t.equal((await post('refused')).statusCode, 201, 'one that stores nothing refuses nothing')
})

t.test('strict over memory is told: its events end with the process', async (t) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const fastify = Fastify({ logger: { level: 'warn', stream } })
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit, { durability: 'strict', store: 'memory' })
  await fastify.ready()
  t.match(lines.join(''), /SVC_AUDIT_STRICT_MEMORY/)
  fastify.audit.record(CHANGE)
  await fastify.audit.flushed()
})

t.test('strict in a scope that misses routes is refused', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  fastify.register(async (scope) => {
    await scope.register(svcAudit, { durability: 'strict', store: 'memory' })
  })
  fastify.get('/outside', async () => 'ok')
  await t.rejects(async () => fastify.ready(), { message: /SVC_AUDIT_NOT_ROOT/ })
})
