/** The suite of the `user` brick. */
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
  strangeJson,
  UNSTORABLE_TEXTS
} from 'svc-stores/conformance'
import { type UserStore, userSort } from '../users/user-store.ts'
import { oneAnswered, type StoreCases, type StoreSuite, storeSuite } from './store-suite.ts'

const operations: Operations<UserStore> = {
  create: (store) => store.create({ identifier: 'alice' }),
  find: (store) => store.find('000000000000000000000000'),
  findByIdentifier: (store) => store.findByIdentifier('alice'),
  findBySocialAccount: (store) => store.findBySocialAccount('idp', 'alice'),
  update: (store) => store.update('000000000000000000000000', { locked: true }),
  replacePassword: (store) => store.replacePassword('000000000000000000000000', null, 'hash'),
  linkSocialAccount: (store) => store.linkSocialAccount('000000000000000000000000', 'idp', 'alice'),
  unlinkSocialAccount: (store) => store.unlinkSocialAccount('000000000000000000000000', 'idp', 'alice'),
  delete: (store) => store.delete('000000000000000000000000'),
  list: (store) => store.list({}, {}),
  count: (store) => store.count({}),
  countAdministrators: (store) => store.countAdministrators(['ROLE_SVC_ADMIN'])
}

const cases: StoreCases<UserStore> = {
  'creates a user with the defaults of the contract': async ({ store, clock }) => {
    const { id, ...user } = await store.create({ identifier: 'alice' })
    assert.ok(typeof id === 'string' && id !== '')
    const now = clock.now()
    assert.deepEqual(user, {
      identifier: 'alice',
      password: null,
      roles: [],
      enabled: true,
      locked: false,
      socialAccounts: [],
      metadata: {},
      createdAt: now,
      updatedAt: now
    })
    assert.deepEqual(await store.find(id), { id, ...user })
    assert.deepEqual(await store.findByIdentifier('alice'), { id, ...user })
    assert.equal(await store.findByIdentifier('Alice'), null)
  },
  'an identifier is unique, also at once and after a change': async ({ store }) => {
    await oneAnswered(50, () => store.create({ identifier: 'alice', metadata: { n: 1 } }))
    const bob = await store.create({ identifier: 'bob' })
    await refused(() => store.update(bob.id, { identifier: 'alice' }), 'SVC_STORE_DUPLICATE')
    assert.equal((await store.find(bob.id))?.identifier, 'bob')
    assert.equal((await store.update(bob.id, { identifier: 'robert' }))?.identifier, 'robert')
    assert.equal(await store.findByIdentifier('bob'), null)
    await store.create({ identifier: 'bob' })
  },
  'an update writes the given keys alone, and its time': async ({ store, clock }) => {
    const alice = await store.create({ identifier: 'alice', password: 'hash', roles: ['ROLE_USER'] })
    clock.advance(5)
    const patch = { locked: true, id: 'x', createdAt: 0, socialAccounts: [{ provider: 'p' }], nothing: 1 }
    const updated = await store.update(alice.id, patch as never)
    assert.deepEqual(updated, { ...alice, locked: true, updatedAt: alice.updatedAt + 5 })
    assert.deepEqual(await store.find(alice.id), updated)
    assert.equal(await store.update('nobody', { locked: true }), null)
  },
  'concurrent updates of different keys all hold': async ({ store }) => {
    const { id } = await store.create({ identifier: 'alice' })
    await Promise.all([
      store.update(id, { locked: true }),
      store.update(id, { roles: ['ROLE_A'] }),
      store.update(id, { enabled: false }),
      store.linkSocialAccount(id, 'p', 's'),
      store.replacePassword(id, null, 'hash')
    ])
    const found = await store.find(id)
    assert.deepEqual(
      [found?.locked, found?.roles, found?.enabled, found?.socialAccounts.length, found?.password],
      [true, ['ROLE_A'], false, 1, 'hash']
    )
  },
  'of updates at once that saw the same record one holds': async ({ store }) => {
    const { id, updatedAt } = await store.create({ identifier: 'alice' })
    assert.equal(await store.update(id, { locked: true }, updatedAt - 1), null)
    const won = await atOnce(20, (index) => store.update(id, { roles: [`ROLE_${index}`] }, updatedAt))
    oneWinner(won.map((updated) => updated !== null))
    const found = await store.find(id)
    assert.deepEqual(
      found,
      won.find((updated) => updated !== null)
    )
    assert.equal(found?.locked, false)
    assert.ok((found?.updatedAt ?? 0) > updatedAt)
    assert.equal(await store.update('nobody', { locked: true }, updatedAt), null)
  },
  'replaces the password that was expected, and no other': async ({ store }) => {
    const { id } = await store.create({ identifier: 'alice', password: 'old' })
    assert.equal(await store.replacePassword(id, 'other', 'evil'), false)
    assert.equal(await store.replacePassword(id, null, 'evil'), false)
    oneWinner(await atOnce(50, (index) => store.replacePassword(id, 'old', `new ${index}`)))
    assert.match((await store.find(id))?.password ?? '', /^new \d+$/)
    assert.equal(await store.replacePassword('nobody', null, 'evil'), false)
  },
  'a user is created with the accounts of providers, or not at all': async ({ store, clock }) => {
    const socialAccounts = [{ provider: 'idp', subject: '42' }]
    const alice = await store.create({ identifier: 'alice', socialAccounts })
    assert.deepEqual(alice.socialAccounts, [{ provider: 'idp', subject: '42', linkedAt: clock.now() }])
    assert.deepEqual(await store.findBySocialAccount('idp', '42'), alice)
    await refused(() => store.create({ identifier: 'bob', socialAccounts }), 'SVC_STORE_DUPLICATE')
    assert.equal(await store.findByIdentifier('bob'), null)
    await oneAnswered(20, (index) =>
      store.create({ identifier: `carol-${index}`, socialAccounts: [{ provider: 'idp', subject: '43' }] })
    )
    assert.equal(await store.count({}), 2)
  },
  'of accounts that are unlinked at once by who saw the same user, one goes': async ({ store }) => {
    const subjects = Array.from({ length: 10 }, (_, index) => ({ provider: 'idp', subject: `s-${index}` }))
    const { id, updatedAt } = await store.create({ identifier: 'alice', socialAccounts: subjects })
    oneWinner(await atOnce(10, (index) => store.unlinkSocialAccount(id, 'idp', `s-${index}`, updatedAt)))
    const left = await store.find(id)
    assert.equal(left?.socialAccounts.length, 9)
    assert.ok(left !== null && left.updatedAt > updatedAt)
    const [{ subject = '' } = {}] = left.socialAccounts
    assert.equal(await store.unlinkSocialAccount(id, 'idp', subject, updatedAt), false)
    assert.equal(await store.unlinkSocialAccount(id, 'idp', subject, left.updatedAt), true)
  },
  'a social account belongs to one user': async ({ store, clock }) => {
    const alice = await store.create({ identifier: 'alice' })
    const bob = await store.create({ identifier: 'bob' })
    assert.equal(await store.linkSocialAccount(alice.id, 'idp', '42'), true)
    clock.advance(5)
    assert.equal(await store.linkSocialAccount(alice.id, 'idp', '42'), true)
    const linkedAt = alice.createdAt
    assert.deepEqual((await store.find(alice.id))?.socialAccounts, [{ provider: 'idp', subject: '42', linkedAt }])
    await refused(() => store.linkSocialAccount(bob.id, 'idp', '42'), 'SVC_STORE_DUPLICATE')
    assert.equal((await store.findBySocialAccount('idp', '42'))?.id, alice.id)
    assert.equal(await store.findBySocialAccount('42', 'idp'), null)
    assert.equal(await store.unlinkSocialAccount(bob.id, 'idp', '42'), false)
    oneWinner(await atOnce(20, () => store.unlinkSocialAccount(alice.id, 'idp', '42')))
    assert.equal(await store.findBySocialAccount('idp', '42'), null)
    assert.equal(await store.linkSocialAccount(bob.id, 'idp', '42'), true)
    assert.equal(await store.linkSocialAccount('nobody', 'idp', '43'), false)
  },
  'accounts linked at once are all kept, and one account goes to one user': async ({ store }) => {
    const users = await Promise.all(['a', 'b', 'c'].map((identifier) => store.create({ identifier })))
    const [first] = users
    await atOnce(20, (index) => store.linkSocialAccount(first?.id ?? '', 'idp', `own-${index}`))
    assert.equal((await store.find(first?.id ?? ''))?.socialAccounts.length, 20)
    const claims = users.map(({ id }) => store.linkSocialAccount(id, 'idp', 'shared'))
    const outcomes = await Promise.allSettled(claims)
    oneWinner(outcomes.map(({ status }) => status === 'fulfilled'))
  },
  'a deleted user frees its identifier and accounts': async ({ store }) => {
    const { id } = await store.create({ identifier: 'alice' })
    await store.linkSocialAccount(id, 'idp', '42')
    oneWinner(await atOnce(20, () => store.delete(id)))
    assert.deepEqual([await store.find(id), await store.findByIdentifier('alice')], [null, null])
    const next = await store.create({ identifier: 'alice' })
    assert.notEqual(next.id, id)
    assert.equal(await store.linkSocialAccount(next.id, 'idp', '42'), true)
  },
  'a deletion that has seen another version deletes nobody': async ({ store }) => {
    const { id, updatedAt } = await store.create({ identifier: 'alice' })
    assert.equal(await store.delete(id, updatedAt - 1), false)
    const changed = await store.update(id, { locked: true }, updatedAt)
    assert.equal(await store.delete(id, updatedAt), false)
    assert.equal((await store.find(id))?.locked, true)
    oneWinner(await atOnce(20, () => store.delete(id, changed?.updatedAt)))
    assert.equal(await store.find(id), null)
  },
  'filters and counts in the store': async ({ store }) => {
    await store.create({ identifier: 'root', roles: ['ROLE_SVC_ADMIN', 'ROLE_USER'] })
    await store.create({ identifier: 'locked', roles: ['ROLE_SVC_ADMIN'], locked: true })
    await store.create({ identifier: 'off', roles: ['ROLE_SVC_ADMIN'], enabled: false })
    await store.create({ identifier: 'boss', roles: ['ROLE_BOSS'] })
    await store.create({ identifier: 'near', roles: ['ROLE_SVC_ADMIN_NOT'] })
    assert.equal(await store.countAdministrators(['ROLE_SVC_ADMIN']), 1)
    assert.equal(await store.countAdministrators(['ROLE_SVC_ADMIN', 'ROLE_BOSS', 'ROLE_USER']), 2)
    assert.equal(await store.countAdministrators([]), 0)
    const rows: [object, string[]][] = [
      [{ role: 'ROLE_SVC_ADMIN' }, ['locked', 'off', 'root']],
      [{ role: 'ROLE_SVC_ADMIN', locked: false }, ['off', 'root']],
      [{ enabled: false }, ['off']],
      [{ enabled: true, locked: true }, ['locked']],
      [{ role: 'ROLE_%' }, []]
    ]
    for (const [filter, expected] of rows) {
      const { items } = await store.list(filter, {})
      assert.deepEqual(
        items.map(({ identifier }) => identifier),
        expected
      )
      assert.equal(await store.count(filter), expected.length)
    }
  },
  'strange identifiers and metadata are kept as they are, and copied': async ({ store }) => {
    for (const identifier of STRANGE_TEXTS) await store.create({ identifier, metadata: strangeJson() })
    for (const identifier of STRANGE_TEXTS) {
      const found = await store.findByIdentifier(identifier)
      assert.equal(found?.identifier, identifier)
      assert.equal(JSON.stringify(found.metadata), JSON.stringify(strangeJson()))
      const before = structuredClone(found)
      spoil(found)
      assert.deepEqual(await store.findByIdentifier(identifier), before)
    }
  },
  'refuses what no store can keep; what is no text matches nothing': async ({ store }) => {
    const { id } = await store.create({ identifier: 'alice' })
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.create({ identifier: text }), 'SVC_STORE_RECORD', /"identifier"/)
      await refused(() => store.update(id, { roles: ['ROLE_A', text] }), 'SVC_STORE_RECORD', /"roles"/)
      assert.equal(await store.findByIdentifier(text), null)
    }
    await refused(() => store.create({ identifier: { $gt: '' } } as never), 'SVC_STORE_RECORD', /"identifier"/)
    await refused(() => store.create({} as never), 'SVC_STORE_RECORD', /"identifier"/)
    for (const value of NOT_TEXT as never[]) {
      assert.equal(await store.find(value), null)
      assert.equal(await store.findByIdentifier(value), null)
      assert.equal(await store.delete(value), false)
    }
    assert.equal(await store.count({}), 1)
  }
}

/** Proves a user store. @param runner tap's `t`, or any runner with `test(name, body)` */
export const userStoreConformance: StoreSuite<UserStore> = storeSuite(
  operations,
  cases,
  searchCases<UserStore>({
    fields: 'identifier',
    anchored: false,
    seed: (store, text) => store.create({ identifier: text }),
    search: async (store, q) => (await store.list({ q }, {})).items.map(({ identifier }) => identifier)
  }),
  listingCases<UserStore>({
    sortable: userSort.fields,
    hidden: ['password'],
    seed: (store, index) =>
      store.create({
        identifier: `${['é', 'Z', 'a', '😀', '\uffee', 'b'][index % 6]}-${index}`,
        enabled: index % 2 === 0,
        locked: index % 3 === 0,
        password: 'hash'
      }),
    list: (store, filter, page) => store.list(filter, page as never),
    count: (store, filter) => store.count(filter)
  })
)
