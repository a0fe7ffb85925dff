/** Guesses by way of several instances that share a store: they count as one, and outlive all of them. */
import type { StoreParts } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { MemoryCounter } from '../../src/throttling/attempt-counter.ts'
import { type AttemptsStore, attemptsStore, TableAttemptsStore } from '../../src/throttling/attempts-store.ts'
import { LoginThrottler } from '../../src/throttling/login-throttler.ts'
import { StoredCounter } from '../../src/throttling/stored-counter.ts'

const backoff = { freeAttempts: 3, baseDelayS: 1, capDelayS: 900 }
const HOME = '203.0.113.9'

/** A store that notes what it is asked. */
class NotingStore extends TableAttemptsStore {
  asked: string[] = []

  override find(ids: readonly string[]) {
    this.asked.push('find')
    return super.find(ids)
  }

  override add(...given: Parameters<AttemptsStore['add']>) {
    this.asked.push('add')
    return super.add(...given)
  }

  override set(...given: Parameters<AttemptsStore['set']>) {
    this.asked.push('set')
    return super.set(...given)
  }

  override delete(id: string) {
    this.asked.push('delete')
    return super.delete(id)
  }
}

function sharing(instances: number) {
  const clock = new ManualClock()
  const parts: StoreParts = { clock }
  const store = new NotingStore(memoryDatabase(parts), parts)
  const instance = () =>
    new LoginThrottler(backoff, {
      counter: new StoredCounter(store, clock),
      slots: new MemoryCounter(clock),
      clock
    })
  return { clock, store, instance, throttlers: Array.from({ length: instances }, instance) }
}

type Verdict = 'guessed' | 'refused'

async function guess(throttler: LoginThrottler, identifier = 'alice', ip = HOME): Promise<Verdict> {
  try {
    await throttler.check({ identifier, ip })
  } catch {
    return 'refused'
  }
  await new Promise((resolve) => setImmediate(resolve))
  await throttler.failed({ identifier, ip })
  return 'guessed'
}

t.test('I2: guesses by turns at three instances are as many as at one', async (t) => {
  const { clock, throttlers } = sharing(3)
  const verdicts: Verdict[] = []
  for (let turn = 0; turn < 12; turn += 1) verdicts.push(await guess(throttlers[turn % 3] as LoginThrottler))
  t.equal(verdicts.filter((verdict) => verdict === 'guessed').length, 4, 'three that are free and the next')
  clock.advance(1000)
  t.equal(await guess(throttlers[1] as LoginThrottler), 'guessed')
  t.equal(await guess(throttlers[2] as LoginThrottler), 'refused', 'one for each delay, wherever')
})

t.test('I2: guesses at all instances at once: one more for each other instance, and that once', async (t) => {
  const { clock, throttlers } = sharing(3)
  const burst = async () => {
    let settled = false
    const all = Promise.all(throttlers.flatMap((throttler) => Array.from({ length: 20 }, () => guess(throttler))))
    void all.then(() => {
      settled = true
    })
    // Who waits for a slot of another instance looks again from time to time.
    for (let turn = 0; !settled; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      if (turn % 100 === 99) clock.advance(100)
    }
    return (await all).filter((verdict) => verdict === 'guessed').length
  }
  const first = await burst()
  t.ok(first >= 4 && first <= 6, `${first} of 60`)
  for (const seconds of [4, 8, 16, 32]) {
    clock.advance(seconds * 1000)
    t.equal(await burst(), 1, 'then one for each delay, of all instances together')
  }
})

t.test('I2: a name that is guessed at from many networks is slowed down on all instances', async (t) => {
  const { throttlers } = sharing(3)
  const verdicts: Verdict[] = []
  for (let n = 0; n < 12; n += 1)
    verdicts.push(await guess(throttlers[n % 3] as LoginThrottler, 'alice', `192.0.2.${n}`))
  t.equal(verdicts.filter((verdict) => verdict === 'guessed').length, 4)
})

t.test('I2: what was counted survives a restart of every instance', async (t) => {
  const { throttlers, instance } = sharing(2)
  for (let turn = 0; turn < 4; turn += 1) await guess(throttlers[turn % 2] as LoginThrottler)
  t.equal(await guess(instance()), 'refused')
})

t.test('I2: a login that holds costs one read, from a network that is known', async (t) => {
  const { clock, store, throttlers } = sharing(1)
  const [throttler] = throttlers as [LoginThrottler]
  const login = async () => {
    store.asked = []
    await throttler.check({ identifier: 'alice', ip: HOME })
    await throttler.succeeded({ identifier: 'alice', ip: HOME })
    return store.asked
  }
  t.strictSame(await login(), ['find', 'set'], 'the first makes the network known')
  t.strictSame(await login(), ['find'])
  clock.advance(13 * 86_400_000)
  t.strictSame(await login(), ['find', 'set'], 'beyond half of its time, again')
  t.strictSame(await login(), ['find'])
  await guess(throttler)
  t.ok((await login()).includes('delete'), 'a failure before it is forgotten')
  t.strictSame(await login(), ['find'])
})

t.test('I2: attempts that hold pass on all instances, and every slot is given back', async (t) => {
  const { store, throttlers } = sharing(3)
  const login = async (throttler: LoginThrottler) => {
    await throttler.check({ identifier: 'alice', ip: HOME })
    await new Promise((resolve) => setImmediate(resolve))
    await throttler.succeeded({ identifier: 'alice', ip: HOME })
  }
  const alive = setInterval(() => undefined, 60_000)
  t.teardown(() => clearInterval(alive))
  await Promise.all(throttlers.flatMap((throttler) => [1, 2, 3].map(() => login(throttler))))
  t.equal(await guess(throttlers[0] as LoginThrottler), 'guessed')
  const held = throttlers.map((throttler) => throttler.check({ identifier: 'alice', ip: HOME }))
  t.equal((await Promise.all(held)).length, 3, 'nothing holds a slot that ended')
  t.ok(store.asked.length > 0)
})

t.test('I2: a clock that is set back lengthens no delay', async (t) => {
  const { clock, throttlers } = sharing(1)
  const [throttler] = throttlers as [LoginThrottler]
  for (let turn = 0; turn < 4; turn += 1) await guess(throttler)
  clock.advance(-86_400_000)
  t.equal(await guess(throttler), 'refused')
  clock.advance(1000)
  t.equal(await guess(throttler), 'guessed')
})

t.test('I2: the store is a brick like the others', async (t) => {
  t.equal(attemptsStore.brick, 'attempts')
})
