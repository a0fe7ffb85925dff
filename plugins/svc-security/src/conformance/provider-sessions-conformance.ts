/** The suite of the `providerSessions` brick. */
import assert from 'node:assert/strict'
import { type Operations, refused, STRANGE_TEXTS, UNSTORABLE_TEXTS } from 'svc-stores/conformance'
import type { ProviderSessionRecord, ProviderSessionsStore } from '../factors/oauth/provider-sessions-store.ts'
import { type StoreCases, type StoreSuite, storeSuite } from './store-suite.ts'

const END = Date.UTC(2030, 0, 1)

function aSession(given: Partial<ProviderSessionRecord> = {}): ProviderSessionRecord {
  return { id: 's1', subject: 'ann', sid: 'a', expiresAt: END, ...given }
}

const operations: Operations<ProviderSessionsStore> = {
  add: (store) => store.add(aSession()),
  move: (store) => store.move('s1', 's2'),
  find: (store) => store.find({ subject: 'ann' }, 1),
  remove: (store) => store.remove(['s1']),
  purge: (store) => store.purge()
}

const cases: StoreCases<ProviderSessionsStore> = {
  'finds sessions by whom and by what they began with': async ({ store }) => {
    await store.add(aSession())
    await store.add(aSession({ id: 's2', sid: null }))
    await store.add(aSession({ id: 's3', subject: 'ben', sid: 'b' }))
    assert.deepEqual([...(await store.find({ subject: 'ann' }, 10))].sort(), ['s1', 's2'])
    assert.equal((await store.find({ subject: 'ann' }, 1)).length, 1)
    assert.deepEqual(await store.find({ sid: 'b' }, 10), ['s3'])
    assert.deepEqual(await store.find({ subject: 'ann', sid: 'a' }, 10), ['s1'])
    assert.deepEqual(await store.find({ subject: 'ben', sid: 'a' }, 10), [])
    assert.equal(await store.remove(['s3', 'absent']), 1)
    assert.deepEqual(await store.find({ sid: 'b' }, 10), [])
    assert.equal(await store.remove([]), 0)
  },
  'a session that takes the place of another one began as that did': async ({ store }) => {
    await store.add(aSession())
    assert.equal(await store.move('s1', 's2'), true)
    assert.deepEqual(await store.find({ sid: 'a' }, 10), ['s2'])
    assert.deepEqual(await store.find({ subject: 'ann' }, 10), ['s2'])
    assert.equal(await store.move('s1', 's3'), false)
  },
  'a session that is added again is one': async ({ store }) => {
    await store.add(aSession())
    await store.add(aSession({ sid: 'b' }))
    assert.deepEqual([await store.find({ sid: 'a' }, 10), await store.find({ sid: 'b' }, 10)], [[], ['s1']])
  },
  'purges what is too old alone': async ({ store, clock }) => {
    await store.add(aSession({ expiresAt: clock.now() + 10 }))
    await store.add(aSession({ id: 's2', expiresAt: clock.now() + 11 }))
    clock.advance(10)
    assert.equal(await store.purge(), 1)
    assert.deepEqual(await store.find({ subject: 'ann' }, 10), ['s2'])
  },
  'strange texts are kept as they are; what no store can keep is refused': async ({ store }) => {
    for (const text of STRANGE_TEXTS) {
      await store.add(aSession({ id: text, subject: text, sid: text }))
      assert.deepEqual(await store.find({ subject: text, sid: text }, 10), [text], JSON.stringify(text))
    }
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.add(aSession({ id: text })), 'SVC_STORE_RECORD', /"id"/)
    }
  }
}

/** Proves a store of sessions that began at a provider. @param runner tap's `t`, or any runner with `test(name, body)` */
export const providerSessionsStoreConformance: StoreSuite<ProviderSessionsStore> = storeSuite(operations, cases)
