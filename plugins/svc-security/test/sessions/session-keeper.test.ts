/** Sessions in a store that may fail: activity, bounds, and what is remembered until it can be written. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { RevocationNotifier } from '../../src/sessions/revocation-notifier.ts'
import { SessionKeeper } from '../../src/sessions/session-keeper.ts'
import { type SessionBounds, type SessionStore, sessionStore } from '../../src/sessions/session-store.ts'

const IDLE_MS = 100_000
const BOUNDS = { idleTimeoutS: 100, absoluteTimeoutS: 1000 }

const down = () => Promise.reject(new Error('read-only'))
const announced = () => Promise.reject(Object.assign(new Error('down'), { statusCode: 503, announced: true }))

/** One session of alice, a second old at most; operations of its store may be replaced. */
async function kept(bounds: SessionBounds = BOUNDS) {
  const clock = new ManualClock()
  const own: SessionStore = inMemory(sessionStore, { clock })
  const replaced: Partial<SessionStore> = {}
  const calls: string[] = []
  const store = new Proxy(own, {
    get(target, name) {
      const operation = (replaced as Record<string | symbol, unknown>)[name] ?? Reflect.get(target, name)
      if (typeof operation !== 'function') return operation
      return (...given: unknown[]) => {
        calls.push(String(name))
        return operation.apply(target, given) as unknown
      }
    }
  })
  const told: string[] = []
  const journal = {
    done: ({ action, reason }: { action: string; reason?: string | null }) => void told.push(`${action} ${reason}`),
    mishap: (what: string) => void told.push(what)
  }
  const revocations = new RevocationNotifier()
  const keeper = new SessionKeeper({ store, bounds, clock, journal, revocations })
  await own.create({ id: 's', user: 'alice', content: {}, flash: {}, meta: {} })
  const look = (active = true) => keeper.find('s', active, undefined)
  return { clock, own, replaced, calls, told, keeper, revocations, look }
}

t.test('activity is written once it is half the idle time old, or a minute', async (t) => {
  const rows: [idleTimeoutS: number, dueMs: number][] = [
    [100, 50_000],
    [1000, 60_000],
    [0, 60_000]
  ]
  for (const [idleTimeoutS, dueMs] of rows) {
    const { clock, calls, look } = await kept({ idleTimeoutS, absoluteTimeoutS: 0 })
    clock.advance(dueMs - 1)
    await look()
    t.notOk(calls.includes('touch'), `${idleTimeoutS} s: not before`)
    clock.advance(1)
    await look(false)
    t.notOk(calls.includes('touch'), 'a look that is no activity writes none')
    t.equal((await look())?.updatedAt, clock.now())
    t.ok(calls.includes('touch'), `${idleTimeoutS} s`)
  }
})

t.test('requests at the same time write the activity once', async (t) => {
  const { clock, calls, look } = await kept()
  clock.advance(60_000)
  const found = await Promise.all([look(), look(), look()])
  t.equal(found.filter((record) => record !== null).length, 3)
  t.equal(calls.filter((name) => name === 'touch').length, 1)
  clock.advance(60_000)
  await look()
  t.equal(calls.filter((name) => name === 'touch').length, 2, 'and the next one again')
})

t.test('a session that ended between its look-up and its activity is none', async (t) => {
  const { clock, replaced, look } = await kept()
  replaced.touch = async () => false
  clock.advance(60_000)
  t.equal(await look(), null)
})

t.test('activity that cannot be written refuses nothing, and keeps the session alive here', async (t) => {
  const { clock, own, replaced, told, look } = await kept()
  replaced.touch = down
  for (const _ of [1, 2, 3]) {
    clock.advance(60_000)
    t.equal((await look())?.updatedAt, clock.now())
  }
  t.strictSame(told, ['the last activity of a session could not be stored'], 'logged once per outage')
  clock.advance(IDLE_MS - 1)
  t.equal((await look(false))?.updatedAt, clock.now() - (IDLE_MS - 1))
  replaced.touch = (id) => own.touch(id)
  await look()
  t.equal((await own.find('s'))?.updatedAt, clock.now())
  replaced.touch = down
  clock.advance(60_000)
  await look()
  t.equal(told.length, 2, 'the next outage is logged again')
  clock.advance(IDLE_MS)
  t.equal(await look(), null, 'without activity it ends all the same')
})

t.test('what another process wrote later counts more than what is remembered here', async (t) => {
  const { clock, own, replaced, look } = await kept()
  replaced.touch = down
  clock.advance(60_000)
  await look()
  clock.advance(10_000)
  await own.touch('s')
  t.equal((await look(false))?.updatedAt, clock.now())
})

t.test('an outage that its driver logs is not logged here', async (t) => {
  const { clock, replaced, told, look } = await kept()
  replaced.touch = announced
  clock.advance(60_000)
  t.ok(await look())
  t.strictSame(told, [])
  replaced.destroy = announced
  clock.advance(IDLE_MS)
  t.equal(await look(), null)
  t.strictSame(told, [])
})

t.test('the sweep first writes the activity that was remembered; what is past its bound goes', async (t) => {
  const { clock, own, replaced, keeper, look } = await kept()
  await own.create({ id: 'idle', user: 'bob', content: {}, flash: {}, meta: {} })
  replaced.touch = down
  clock.advance(60_000)
  await look()
  await keeper.find('idle', true, undefined)
  clock.advance(60_000)
  await look()
  clock.advance(40_000)
  replaced.touch = (id) => own.touch(id)
  t.equal(await keeper.purge(), 1)
  t.equal(await own.find('idle'), null)
  t.equal((await own.find('s'))?.updatedAt, clock.now())
  clock.advance(IDLE_MS)
  t.equal(await keeper.purge(), 1, 'and forgets it')
})

t.test(
  'the sweep writes nothing for a session whose activity was written meanwhile, or that was removed',
  async (t) => {
    for (const end of ['written', 'removed']) {
      const { clock, own, replaced, calls, keeper, look } = await kept()
      replaced.touch = down
      clock.advance(60_000)
      await look()
      replaced.touch = (id) => own.touch(id)
      clock.advance(60_000)
      if (end === 'written') await look()
      else await keeper.remove('s')
      calls.length = 0
      await keeper.purge()
      t.strictSame(calls, ['purge'], end)
    }
  }
)

t.test('without an idle bound the sweep writes all that is remembered', async (t) => {
  const { clock, own, replaced, keeper, look } = await kept({ idleTimeoutS: 0, absoluteTimeoutS: 1000 })
  replaced.touch = down
  clock.advance(60_000)
  await look()
  replaced.touch = (id) => own.touch(id)
  t.equal(await keeper.purge(), 0)
  t.equal((await own.find('s'))?.updatedAt, clock.now())
})

t.test('past a bound it is over, also where the store cannot forget it', async (t) => {
  const { clock, replaced, told, look } = await kept()
  clock.advance(IDLE_MS)
  replaced.destroy = down
  t.equal(await look(), null)
  t.strictSame(told, ['an expired session could not be removed'])
  delete replaced.destroy
  t.equal(await look(), null)
  t.strictSame(told.slice(1), ['session.destroyed expired'])
})

t.test('who holds on to a session hears that it was removed, also where it was gone', async (t) => {
  const { keeper, own, revocations } = await kept()
  let heard = 0
  revocations.watch('s', 'alice', () => (heard += 1))
  revocations.watch('other', 'alice', () => t.fail('another session'))
  await own.destroy('s')
  t.equal(await keeper.remove('s'), false)
  t.equal(heard, 1)
  await own.create({ id: 's', user: 'alice', content: {}, flash: {}, meta: {} })
  t.equal(await keeper.remove('s'), true)
  t.equal(heard, 2)
})

t.test('when it is over without further activity', async (t) => {
  const rows: [idleTimeoutS: number, absoluteTimeoutS: number, end: number | null][] = [
    [10, 0, 15_000],
    [0, 10, 12_000],
    [10, 20, 15_000],
    [30, 20, 22_000],
    [0, 0, null]
  ]
  for (const [idleTimeoutS, absoluteTimeoutS, end] of rows) {
    const { keeper } = await kept({ idleTimeoutS, absoluteTimeoutS })
    t.equal(keeper.endOf({ createdAt: 2000, updatedAt: 5000 }), end, `${idleTimeoutS} s, ${absoluteTimeoutS} s`)
  }
})

t.test('without a store each look is refused, not answered with no session', async (t) => {
  const clock = new ManualClock()
  const journal = { done: () => undefined, mishap: () => undefined }
  const keeper = new SessionKeeper({
    store: null,
    bounds: BOUNDS,
    clock,
    journal,
    revocations: new RevocationNotifier()
  })
  t.throws(() => keeper.find('s', true, undefined), { code: 'SVC_SEC_UNAVAILABLE', statusCode: 503 } as never)
})
