/** The suite of the `attempts` brick. */
import assert from 'node:assert/strict'
import { atOnce, type Operations, oneWinner, refused, STRANGE_TEXTS, UNSTORABLE_TEXTS } from 'svc-stores/conformance'
import type { AttemptsStore } from '../throttling/attempts-store.ts'
import { type StoreCases, type StoreSuite, storeSuite } from './store-suite.ts'

const operations: Operations<AttemptsStore> = {
  find: (store) => store.find(['k']),
  add: (store) => store.add('k', 1, 1000),
  set: (store) => store.set('k', 1, 1000),
  delete: (store) => store.delete('k'),
  purge: (store) => store.purge()
}

async function pointsOf(store: AttemptsStore, id: string): Promise<number | undefined> {
  return (await store.find([id]))[0]?.points
}

const cases: StoreCases<AttemptsStore> = {
  'of fifty that add at once none is lost, and each sees another sum': async ({ store }) => {
    const records = await atOnce(50, () => store.add('k', 1, 60_000))
    const sums = records.map(({ points }) => points).sort((a, b) => a - b)
    assert.deepEqual(
      sums,
      Array.from({ length: 50 }, (_, index) => index + 1)
    )
    assert.equal(await pointsOf(store, 'k'), 50)
  },
  'a count keeps its end, whatever is added, and begins again after it': async ({ store, clock }) => {
    const began = clock.now()
    const first = await store.add('k', 2, 10_000)
    assert.deepEqual(first, { id: 'k', points: 2, createdAt: began, expiresAt: began + 10_000 })
    clock.advance(9_999)
    assert.equal((await store.add('k', -1, 10_000)).expiresAt, began + 10_000)
    assert.equal(await pointsOf(store, 'k'), 1)
    clock.advance(1)
    assert.deepEqual(await store.find(['k']), [])
    const sums = (await atOnce(20, () => store.add('k', 1, 5_000))).map(({ points }) => points)
    assert.equal(Math.max(...sums), 20, 'nothing of the one that ended is in it')
    assert.equal((await store.find(['k']))[0]?.expiresAt, began + 15_000)
  },
  'what is set replaces what stood': async ({ store, clock }) => {
    await store.add('k', 7, 1_000)
    await store.set('k', 1, 60_000)
    clock.advance(59_999)
    assert.equal(await pointsOf(store, 'k'), 1)
    clock.advance(1)
    assert.equal(await pointsOf(store, 'k'), undefined)
  },
  'several are found with one question': async ({ store }) => {
    await store.set('a', 1, 1_000)
    await store.set('b', 2, 1_000)
    await store.set('c', 3, 1_000)
    const found = await store.find(['c', 'a', 'absent'])
    assert.deepEqual(found.map(({ id, points }) => [id, points]).sort(), [
      ['a', 1],
      ['c', 3]
    ])
    assert.deepEqual(await store.find([]), [])
  },
  'one of those that delete it at once did': async ({ store }) => {
    await store.add('k', 1, 1_000)
    oneWinner(await atOnce(20, () => store.delete('k')))
    assert.equal(await store.delete('k'), false)
    assert.equal(await pointsOf(store, 'k'), undefined)
  },
  'purges what has ended alone': async ({ store, clock }) => {
    await store.set('a', 1, 1_000)
    await store.set('b', 1, 1_001)
    clock.advance(1_000)
    assert.equal(await store.purge(), 1)
    assert.equal(await pointsOf(store, 'b'), 1)
  },
  'strange names are kept apart; what no store can keep is refused': async ({ store }) => {
    for (const [index, text] of STRANGE_TEXTS.entries()) await store.set(text, index + 1, 60_000)
    for (const [index, text] of STRANGE_TEXTS.entries()) assert.equal(await pointsOf(store, text), index + 1)
    for (const text of UNSTORABLE_TEXTS) await refused(() => store.set(text, 1, 1_000), 'SVC_STORE_RECORD', /"id"/)
  }
}

/** Proves a store of counts. @param runner tap's `t`, or any runner with `test(name, body)` */
export const attemptsStoreConformance: StoreSuite<AttemptsStore> = storeSuite(operations, cases)
