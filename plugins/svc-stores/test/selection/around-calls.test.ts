/** A store with every call made by another function: it keeps its own state, its answers and its errors. */
import t from 'tap'
import { aroundCalls } from '../../src/plugin.ts'

class Counter {
  #count = 0

  async add(by: number): Promise<number> {
    this.#count += by
    return this.#count
  }

  async fail(): Promise<never> {
    throw new Error('away')
  }

  async reset(): Promise<void> {
    this.#count = 0
  }
}

t.test('each named operation goes through, with what it is given and what it answers', async (t) => {
  const counter = new Counter()
  let calls = 0
  const counted = aroundCalls(counter, ['add', 'fail'], (call) => {
    calls += 1
    return call()
  })
  t.equal(await counted.add(2), 2)
  t.equal(await counted.add(3), 5)
  t.equal(await counter.add(1), 6, 'it is the same counter')
  await t.rejects(counted.fail(), { message: 'away' })
  t.equal(calls, 3)
  t.notOk('reset' in counted, 'an operation that is not named is not there')
})

t.test('what it answers is up to the function', async (t) => {
  const refusing = aroundCalls(new Counter(), ['add', 'fail'], async () => {
    throw new Error('late')
  })
  await t.rejects(refusing.add(1), { message: 'late' })
  const patient = aroundCalls(new Counter(), ['add', 'fail'], (call) => call().catch(() => null))
  t.equal(await patient.fail(), null)
})
