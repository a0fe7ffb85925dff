/** What the limiter asks a store for, what it knows by itself, and what it does while the store does not answer. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import type { Spent } from '../../src/limit/gcra.ts'
import type { Limit } from '../../src/limit/limit.ts'
import type { LimitsStore } from '../../src/storage/limits-store.ts'
import { MemoryLimitsStore } from '../../src/storage/memory-limits-store.ts'
import { limitedApp } from '../support/limited-app.ts'

/** A store elsewhere: every answer is a promise, every call is counted, and it can be away. */
class RemoteStore implements LimitsStore {
  readonly calls: string[] = []
  isAway = false
  readonly #kept: MemoryLimitsStore

  constructor(clock: ManualClock) {
    this.#kept = new MemoryLimitsStore(clock)
  }

  async take(name: string, caller: string, pace: Limit, cost: number): Promise<Spent> {
    this.#note(`take ${name}`)
    return this.#kept.take(name, caller, pace, cost)
  }

  async giveBack(name: string, caller: string, pace: Limit, cost: number): Promise<void> {
    this.#note(`give back ${name}`)
    this.#kept.giveBack(name, caller, pace, cost)
  }

  async spending(name: string, count: number) {
    this.#note(`spending ${name}`)
    return this.#kept.spending(name, count)
  }

  async purge(): Promise<number> {
    this.#note('purge')
    return this.#kept.purge()
  }

  #note(call: string): void {
    this.calls.push(call)
    if (this.isAway) throw new Error('the store is away')
  }
}

const turn = () => new Promise(setImmediate)

async function remoteApp(t: Parameters<typeof limitedApp>[0], onOutage: 'local' | 'refuse' = 'local') {
  const clock = new ManualClock()
  const store = new RemoteStore(clock)
  const limits = [
    { rate: '100/hour', by: () => 'k', name: 'slow' },
    { rate: '2/min', by: () => 'k', name: 'fast', onOutage }
  ]
  const app = await limitedApp(
    t,
    (fastify) => {
      fastify.get(
        '/one',
        { config: { limits: { rate: '2/min', by: () => 'k', name: 'one', onOutage } } },
        async () => 1
      )
      fastify.get('/two', { config: { limits } }, async () => 2)
    },
    { parts: { clock, stores: { limits: store } } }
  )
  const calls = async (work: () => Promise<unknown>) => {
    store.calls.length = 0
    await work()
    return [...store.calls]
  }
  const status = async (url: string) => (await app.fastify.inject(url)).statusCode
  return { ...app, clock, store, calls, status }
}

t.test('a refused key is not asked for again until its time comes', async (t) => {
  const { calls, status, clock } = await remoteApp(t)
  t.strictSame(await calls(() => status('/one')), ['take one'])
  t.strictSame(await calls(() => status('/one')), ['take one'])
  t.strictSame(await calls(async () => t.equal(await status('/one'), 429)), [], 'known: the budget is whole')
  clock.advance(29_999)
  t.strictSame(await calls(async () => t.equal(await status('/one'), 429)), [])
  clock.advance(1)
  t.strictSame(await calls(async () => t.equal(await status('/one'), 200)), ['take one'])
})

t.test('a key that another instance has spent is asked for once', async (t) => {
  const { calls, status, store } = await remoteApp(t)
  await status('/one')
  const [budget] = await store.spending('one', 1)
  await store.take('one', budget?.caller ?? '', { intervalUs: 30_000_000, burst: 2 } as Limit, 1)
  t.strictSame(await calls(async () => t.equal(await status('/one'), 429)), ['take one'])
  t.strictSame(await calls(async () => t.equal(await status('/one'), 429)), [])
})

t.test(
  'of several limits, what one has taken is given back where another refuses; later nothing is asked',
  async (t) => {
    const { calls, status, fastify, store } = await remoteApp(t)
    await status('/two')
    await status('/two')
    t.strictSame(await calls(async () => t.equal(await status('/two'), 429)), [], 'known')
    const [slow] = await store.spending('slow', 1)
    t.equal(slow?.aheadUs, 72_000_000, 'two of the slow one')
    await fastify.close()
  }
)

t.test('an instance that does not know the refusal gives back what it took', async (t) => {
  const clock = new ManualClock()
  const store = new RemoteStore(clock)
  const limits = [
    { rate: '100/hour', by: () => 'k', name: 'slow' },
    { rate: '2/min', by: () => 'k', name: 'fast' }
  ]
  const routes = (fastify: Parameters<Parameters<typeof limitedApp>[1]>[0]) => {
    fastify.get('/', { config: { limits } }, async () => 'ok')
  }
  const one = await limitedApp(t, routes, { parts: { clock, stores: { limits: store } } })
  const other = await limitedApp(t, routes, { parts: { clock, stores: { limits: store } } })
  await one.fastify.inject('/')
  await one.fastify.inject('/')
  store.calls.length = 0
  t.equal((await other.fastify.inject('/')).statusCode, 429)
  t.strictSame(store.calls, ['take slow', 'take fast', 'give back slow'])
  const [slow] = await store.spending('slow', 1)
  t.equal(slow?.aheadUs, 72_000_000)
})

t.test('local: memory counts while the store is away, and the log says so once', async (t) => {
  const { status, store, clock, lines, calls } = await remoteApp(t)
  store.isAway = true
  t.strictSame([await status('/one'), await status('/one'), await status('/one')], [200, 200, 429])
  const said = () => lines.filter(({ code }) => code === 'SVC_LIMIT_STORE').map(({ msg, level }) => [level, msg])
  const began = 'the store of rate limits failed; '
  t.match(said(), [[50, began]])
  t.equal(said().length, 1)
  t.strictSame(await calls(() => status('/one')), [], 'no request asks the store meanwhile')
  store.isAway = false
  clock.advance(1_000)
  t.strictSame(await calls(() => status('/one')), ['spending health'])
  await turn()
  t.match(said(), [
    [50, began],
    [30, 'the store of rate limits answers again']
  ])
  t.equal(await status('/one'), 200, 'the budget of the store is whole')
})

t.test('refuse: 503 with a code while the store is away; what others have taken is given back', async (t) => {
  const { fastify, store, clock, lines, status } = await remoteApp(t, 'refuse')
  store.isAway = true
  for (const url of ['/one', '/two', '/one']) {
    const answer = await fastify.inject(url)
    t.equal(answer.statusCode, 503)
    t.match(answer.json(), { code: 'SVC_LIMIT_UNAVAILABLE' })
    t.equal(answer.headers['cache-control'], 'no-store')
  }
  await t.rejects(fastify.limits.take('one', 'x'), { code: 'SVC_LIMIT_UNAVAILABLE' })
  t.equal(lines.filter(({ level }) => Number(level) >= 40).length, 1, 'one line')
  store.isAway = false
  clock.advance(1_000)
  await status('/one')
  await turn()
  t.equal(await status('/one'), 200)
})

t.test('a clock that is set back makes no caller wait longer than the limit says', async (t) => {
  const { status, clock } = await remoteApp(t)
  await status('/one')
  await status('/one')
  t.equal(await status('/one'), 429)
  clock.advance(-86_400_000)
  t.equal(await status('/one'), 429)
  clock.advance(30_000)
  t.equal(await status('/one'), 200)
})

t.test('what a route cannot be charged with', async (t) => {
  const { fastify } = await remoteApp(t)
  await t.rejects(fastify.limits.take('none', 'k'), { code: 'SVC_LIMIT_UNKNOWN', message: /known: one, slow, fast/ })
  for (const cost of [0, 3, 1.5, Number.NaN])
    await t.rejects(fastify.limits.take('one', 'k', cost), { code: 'SVC_LIMIT_COST' })
  await t.rejects(fastify.limits.take('one', null as never), { code: 'SVC_LIMIT_KEY', message: /got null/ })
  t.strictSame(await fastify.limits.take('one', 'k', 2), { taken: true, remaining: 0, retryAfterS: 0, resetS: 60 })
  t.strictSame(await fastify.limits.take('one', 'k', 2), { taken: false, remaining: 0, retryAfterS: 60, resetS: 60 })
})
