/** The suite of the `passkeys` brick. */
import assert from 'node:assert/strict'
import {
  atOnce,
  listingCases,
  NOT_TEXT,
  type Operations,
  oneWinner,
  refused,
  STRANGE_TEXTS,
  searchCases,
  spoil,
  UNSTORABLE_TEXTS
} from 'svc-stores/conformance'
import { type NewPasskey, type PasskeysStore, passkeySort } from '../factors/passkeys/passkeys-store.ts'
import { type StoreCases, type StoreSuite, storeSuite } from './store-suite.ts'

/** With every field, as the cases change them. */
function aPasskey(given: Partial<NewPasskey> = {}): NewPasskey {
  return {
    id: 'credential-1',
    userId: 'alice',
    publicKey: 'pQECAyYgASFYIA',
    counter: 0,
    transports: ['internal'],
    backupEligible: true,
    backupState: false,
    nickname: 'phone',
    ...given
  }
}

const operations: Operations<PasskeysStore> = {
  save: (store) => store.save(aPasskey()),
  find: (store) => store.find('credential-1'),
  advance: (store) => store.advance('credential-1', 1, false),
  rename: (store) => store.rename('credential-1', 'alice', 'phone'),
  remove: (store) => store.remove('credential-1', 'alice'),
  removeByUser: (store) => store.removeByUser('alice'),
  list: (store) => store.list({}, {}),
  count: (store) => store.count({})
}

const cases: StoreCases<PasskeysStore> = {
  'keeps what was saved': async ({ store, clock }) => {
    const expected = { ...aPasskey(), createdAt: clock.now(), lastUsedAt: null }
    assert.deepEqual(await store.save({ ...aPasskey(), lastUsedAt: 1 } as never), expected)
    assert.deepEqual(await store.find('credential-1'), expected)
    assert.equal(await store.find('other'), null)
  },
  'a second save replaces the registration; times stay, the counter never falls': async ({ store, clock }) => {
    const first = await store.save(aPasskey({ counter: 9 }))
    await store.advance('credential-1', 10, true)
    clock.advance(5)
    const second = await store.save(aPasskey({ counter: 3, publicKey: 'bmV3', nickname: null }))
    const expected = { ...first, publicKey: 'bmV3', nickname: null, counter: 10, lastUsedAt: first.createdAt }
    assert.deepEqual(second, { ...expected, backupState: false })
    assert.equal((await store.save(aPasskey({ counter: 11 }))).counter, 11)
    assert.equal(await store.count({}), 1)
  },
  'saves at once make one record': async ({ store }) => {
    await atOnce(50, (index) => store.save(aPasskey({ counter: index })))
    assert.equal(await store.count({}), 1)
    assert.equal((await store.find('credential-1'))?.counter, 49)
  },
  'a credential never changes hands': async ({ store }) => {
    const claims = ['alice', 'bob', 'carol'].map((userId) => store.save(aPasskey({ userId })))
    oneWinner((await Promise.allSettled(claims)).map(({ status }) => status === 'fulfilled'))
    const owner = (await store.find('credential-1'))?.userId
    await refused(() => store.save(aPasskey({ userId: 'mallory' })), 'SVC_STORE_DUPLICATE')
    assert.equal(await store.rename('credential-1', 'mallory', 'mine'), false)
    assert.equal(await store.remove('credential-1', 'mallory'), false)
    const found = await store.find('credential-1')
    assert.deepEqual([found?.userId, found?.nickname], [owner, 'phone'])
  },
  'advances a counter forward alone, for one caller': async ({ store, clock }) => {
    await store.save(aPasskey({ counter: 5 }))
    clock.advance(3)
    assert.equal(await store.advance('credential-1', 5, true), false)
    assert.equal(await store.advance('credential-1', 4, true), false)
    assert.equal(await store.advance('credential-1', 0, true), false)
    assert.equal((await store.find('credential-1'))?.lastUsedAt, null)
    oneWinner(await atOnce(50, () => store.advance('credential-1', 6, true)))
    const found = await store.find('credential-1')
    assert.deepEqual([found?.counter, found?.backupState, found?.lastUsedAt], [6, true, clock.now()])
    assert.equal(await store.advance('nobody', 1, true), false)
  },
  'an authenticator without a counter may sign in again and again': async ({ store }) => {
    await store.save(aPasskey({ counter: 0 }))
    assert.deepEqual(await atOnce(3, () => store.advance('credential-1', 0, false)), [true, true, true])
    assert.equal(await store.advance('credential-1', 1, false), true)
    assert.equal(await store.advance('credential-1', 0, false), false)
  },
  'the owner renames and removes': async ({ store }) => {
    for (const id of ['a', 'b', 'c']) await store.save(aPasskey({ id }))
    await store.save(aPasskey({ id: 'd', userId: 'bob' }))
    assert.equal(await store.rename('a', 'alice', 'key ring'), true)
    assert.equal((await store.find('a'))?.nickname, 'key ring')
    oneWinner(await atOnce(20, () => store.remove('a', 'alice')))
    assert.equal(await store.removeByUser('alice'), 2)
    assert.equal(await store.count({}), 1)
    assert.equal(await store.count({ userId: 'bob' }), 1)
  },
  'strange texts are kept as they are; what no store can keep is refused': async ({ store }) => {
    for (const text of STRANGE_TEXTS) await store.save(aPasskey({ id: text, userId: text, nickname: text }))
    for (const text of STRANGE_TEXTS) {
      const found = await store.find(text)
      assert.deepEqual([found?.userId, found?.nickname], [text, text])
      assert.equal(await store.count({ userId: text }), 1, JSON.stringify(text))
      spoil(found as object)
      assert.deepEqual((await store.find(text))?.transports, ['internal'])
    }
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.save(aPasskey({ id: text })), 'SVC_STORE_RECORD', /"id"/)
      assert.equal(await store.find(text), null)
    }
    for (const value of NOT_TEXT as never[]) {
      assert.equal(await store.find(value), null)
      assert.equal(await store.remove(value, value), false)
      assert.equal(await store.removeByUser(value), 0)
    }
    assert.equal(await store.count({}), STRANGE_TEXTS.length)
  }
}

/** Proves a passkeys store. @param runner tap's `t`, or any runner with `test(name, body)` */
export const passkeysStoreConformance: StoreSuite<PasskeysStore> = storeSuite(
  operations,
  cases,
  searchCases<PasskeysStore>({
    fields: 'the nickname',
    anchored: true,
    seed: (store, nickname, index) => store.save(aPasskey({ id: `c${index}`, nickname })),
    search: async (store, q) => (await store.list({ q }, {})).items.map(({ nickname }) => nickname)
  }),
  listingCases<PasskeysStore>({
    sortable: passkeySort.fields,
    hidden: ['publicKey'],
    seed: (store, index) => store.save(aPasskey({ id: `c${(index * 7) % 10}`, userId: `user-${(index * 3) % 10}` })),
    list: (store, filter, page) => store.list(filter, page as never),
    count: (store, filter) => store.count(filter)
  })
)
