/** The suite of the `idempotency` brick. */
import assert from 'node:assert/strict'
import { atOnce, type Operations, oneWinner, refused, STRANGE_TEXTS, UNSTORABLE_TEXTS } from 'svc-stores/conformance'
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts'
import { type StoreCases, type StoreSuite, storeSuite } from './store-suite.ts'

const operations: Operations<IdempotencyStore> = {
  begin: (store) => store.begin('k', 'f', 1000),
  complete: (store) => store.complete('k', 'owner', { status: 200, headers: {}, body: '' }),
  abandon: (store) => store.abandon('k', 'owner'),
  purge: (store) => store.purge()
}

const TTL = 600_000
const ANSWER = { status: 201, headers: { location: '/x/1', 'content-type': 'application/json' }, body: '{"id":"1"}' }

async function started(store: IdempotencyStore, id = 'k', fingerprint = 'f'): Promise<string> {
  const opening = await store.begin(id, fingerprint, TTL)
  assert.equal(opening.state, 'started')
  return opening.state === 'started' ? opening.owner : ''
}

const cases: StoreCases<IdempotencyStore> = {
  'of calls at once one starts, the others see it in flight': async ({ store }) => {
    const openings = await atOnce(50, () => store.begin('k', 'f', TTL))
    oneWinner(openings.map(({ state }) => state === 'started'))
    assert.equal(openings.filter(({ state }) => state === 'in-flight').length, 49)
  },
  'a completed answer is given again, as it was': async ({ store, clock }) => {
    const owner = await started(store)
    assert.equal(await store.complete('k', owner, ANSWER), true)
    const opening = await store.begin('k', 'f', TTL)
    assert.deepEqual(opening, { state: 'completed', answer: ANSWER })
    if (opening.state === 'completed') (opening.answer.headers as Record<string, string>).spoiled = 'yes'
    clock.advance(TTL - 1)
    assert.deepEqual(await store.begin('k', 'f', TTL), { state: 'completed', answer: ANSWER })
  },
  'another request under the same key is a mismatch, in flight and after': async ({ store }) => {
    const owner = await started(store)
    assert.deepEqual(await store.begin('k', 'other', TTL), { state: 'mismatch' })
    await store.complete('k', owner, ANSWER)
    assert.deepEqual(await store.begin('k', 'other', TTL), { state: 'mismatch' })
  },
  'an abandoned key is free again': async ({ store }) => {
    const owner = await started(store)
    assert.equal(await store.abandon('k', owner), true)
    assert.equal(await store.abandon('k', owner), false)
    const next = await started(store, 'k', 'other')
    assert.notEqual(next, owner)
  },
  'only the owner completes or abandons, and once': async ({ store }) => {
    const owner = await started(store)
    assert.equal(await store.complete('k', 'somebody', ANSWER), false)
    assert.equal(await store.abandon('k', 'somebody'), false)
    oneWinner(await atOnce(20, () => store.complete('k', owner, ANSWER)))
    assert.equal(await store.complete('k', owner, { ...ANSWER, status: 500 }), false)
    assert.equal(await store.abandon('k', owner), false)
    assert.deepEqual(await store.begin('k', 'f', TTL), { state: 'completed', answer: ANSWER })
    assert.equal(await store.complete('absent', owner, ANSWER), false)
  },
  'an expired key starts anew, and its late owner can no longer write': async ({ store, clock }) => {
    const late = await started(store)
    clock.advance(TTL)
    assert.equal(await store.complete('k', late, ANSWER), false)
    const openings = await atOnce(20, () => store.begin('k', 'other', TTL))
    oneWinner(openings.map(({ state }) => state === 'started'))
    assert.equal(await store.complete('k', late, ANSWER), false)
    assert.equal(await store.abandon('k', late), false)
    assert.equal((await store.begin('k', 'other', TTL)).state, 'in-flight')
  },
  'purges what has expired alone': async ({ store, clock }) => {
    const owner = await started(store, 'a')
    await store.complete('a', owner, ANSWER)
    clock.advance(1)
    await started(store, 'b')
    clock.advance(TTL - 1)
    assert.equal(await store.purge(), 1)
    assert.equal((await store.begin('b', 'f', TTL)).state, 'in-flight')
    assert.equal((await store.begin('a', 'f', TTL)).state, 'started')
  },
  'strange keys and bodies are kept as they are; what no store can keep is refused': async ({ store }) => {
    const owners = new Map<string, string>()
    for (const text of STRANGE_TEXTS) owners.set(text, await started(store, text, text))
    for (const text of STRANGE_TEXTS) {
      const answer = { status: 200, headers: { 'x-text': text }, body: `${text}\0` }
      assert.equal(await store.complete(text, owners.get(text) ?? '', answer), true, JSON.stringify(text))
      assert.deepEqual(await store.begin(text, text, TTL), { state: 'completed', answer })
    }
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.begin(text, 'f', TTL), 'SVC_STORE_RECORD', /"id"/)
      await refused(() => store.begin('k', text, TTL), 'SVC_STORE_RECORD', /"fingerprint"/)
    }
    assert.equal(await store.abandon('a.b.c', { $ne: '' } as never), false)
  }
}

/** Proves an idempotency store. @param runner tap's `t`, or any runner with `test(name, body)` */
export const idempotencyStoreConformance: StoreSuite<IdempotencyStore> = storeSuite(operations, cases)
