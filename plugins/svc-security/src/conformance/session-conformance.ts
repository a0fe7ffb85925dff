/** The suite of the `session` brick. */
import assert from 'node:assert/strict'
import {
  atOnce,
  type ConformanceCase,
  listingCases,
  NOT_TEXT,
  type Operations,
  oneWinner,
  refused,
  STRANGE_TEXTS,
  spoil,
  strangeJson,
  UNSTORABLE_TEXTS
} from 'svc-stores/conformance'
import { type NewSession, type SessionBounds, type SessionStore, sessionSort } from '../sessions/session-store.ts'
import { idsOf, oneAnswered, type StoreCases, type StoreSuite, storeSuite } from './store-suite.ts'

/** With every field, as the cases change them. */
function aSession(given: Partial<NewSession> = {}): NewSession {
  return { id: 's1', user: 'alice', content: { cart: [1, 2] }, flash: { info: ['hi'] }, meta: { ip: '::1' }, ...given }
}

const operations: Operations<SessionStore> = {
  create: (store) => store.create(aSession()),
  find: (store) => store.find('s1'),
  update: (store) => store.update('s1', { user: 'bob' }),
  touch: (store) => store.touch('s1'),
  destroy: (store) => store.destroy('s1'),
  destroyByUser: (store) => store.destroyByUser('alice'),
  list: (store) => store.list({}, {}),
  count: (store) => store.count({}),
  purge: (store) => store.purge({ idleTimeoutS: 1, absoluteTimeoutS: 1 })
}

const cases: StoreCases<SessionStore> = {
  'keeps what was created, with its times': async ({ store, clock }) => {
    const expected = { ...aSession(), createdAt: clock.now(), updatedAt: clock.now() }
    assert.deepEqual(await store.create(aSession()), expected)
    assert.deepEqual(await store.find('s1'), expected)
    assert.equal(await store.find('s2'), null)
  },
  'creates an id once': async ({ store }) => {
    await store.create(aSession())
    await refused(() => store.create(aSession({ user: 'mallory' })), 'SVC_STORE_DUPLICATE')
    assert.equal((await store.find('s1'))?.user, 'alice')
    await oneAnswered(50, () => store.create(aSession({ id: 's2' })))
  },
  'updates the given keys and the activity time': async ({ store, clock }) => {
    const { createdAt } = await store.create(aSession())
    clock.advance(5)
    assert.equal(await store.update('s1', { content: { cart: [] }, user: null }), true)
    const expected = { ...aSession({ content: { cart: [] }, user: null }), createdAt, updatedAt: createdAt + 5 }
    assert.deepEqual(await store.find('s1'), expected)
  },
  'an update cannot write the id or the creation time': async ({ store, clock }) => {
    const { createdAt } = await store.create(aSession())
    clock.advance(5)
    await store.update('s1', { id: 's2', createdAt: 0, admin: true, meta: {} } as never)
    const expected = { ...aSession({ meta: {} }), createdAt, updatedAt: createdAt + 5 }
    assert.deepEqual(await store.find('s1'), expected)
    assert.equal(await store.find('s2'), null)
  },
  'a touch writes the activity time alone': async ({ store, clock }) => {
    const created = await store.create(aSession())
    clock.advance(7)
    assert.equal(await store.touch('s1'), true)
    assert.deepEqual(await store.find('s1'), { ...created, updatedAt: created.updatedAt + 7 })
    assert.equal(await store.touch('nobody'), false)
  },
  'a touch keeps what a concurrent update writes': async ({ store, clock }) => {
    await store.create(aSession())
    clock.advance(1)
    await atOnce(50, (index) => (index % 2 ? store.touch('s1') : store.update('s1', { content: { last: 1 } })))
    assert.deepEqual((await store.find('s1'))?.content, { last: 1 })
  },
  'a destroyed session stays gone': async ({ store }) => {
    await store.create(aSession())
    oneWinner(await atOnce(50, () => store.destroy('s1')))
    assert.equal(await store.update('s1', { user: 'alice' }), false)
    assert.equal(await store.touch('s1'), false)
    assert.equal(await store.find('s1'), null)
  },
  'destroys the sessions of one user, except one where told': async ({ store }) => {
    for (const id of ['a', 'b', 'c']) await store.create(aSession({ id }))
    await store.create(aSession({ id: 'other', user: 'bob' }))
    await store.create(aSession({ id: 'guest', user: null }))
    assert.equal(await store.destroyByUser('alice', 'b'), 2)
    assert.equal(await store.count({ user: 'alice' }), 1)
    assert.equal(await store.destroyByUser('alice'), 1)
    assert.equal(await store.count({}), 2)
  },
  'lists and counts by user': async ({ store }) => {
    await store.create(aSession({ id: 'a' }))
    await store.create(aSession({ id: 'b', user: 'bob' }))
    await store.create(aSession({ id: 'g', user: null }))
    const { items } = await store.list({ user: 'bob' }, {})
    assert.deepEqual(idsOf(items), ['b'])
    assert.equal(await store.count({ user: 'bob' }), 1)
    for (const user of [undefined, null, { $ne: '' }]) {
      await refused(() => store.count({ user } as never), 'SVC_STORE_FILTER')
    }
  },
  'keeps strange JSON as it is, and hands out copies': async ({ store }) => {
    const given = aSession({ content: strangeJson(), flash: strangeJson(), meta: strangeJson() })
    const created = await store.create(given)
    const before = structuredClone(created)
    spoil(created)
    spoil(given)
    const found = await store.find('s1')
    assert.deepEqual(found, before)
    assert.equal(JSON.stringify(found?.content), JSON.stringify(strangeJson()))
    spoil(found as object)
    assert.deepEqual(await store.find('s1'), before)
    assert.equal(({} as { admin?: unknown }).admin, undefined)
  },
  'strange ids and users find themselves alone': async ({ store }) => {
    for (const text of STRANGE_TEXTS) await store.create(aSession({ id: text, user: text }))
    for (const text of STRANGE_TEXTS) {
      assert.equal((await store.find(text))?.id, text)
      assert.equal(await store.count({ user: text }), 1, JSON.stringify(text))
    }
  },
  'refuses what no store can keep; looking for it finds nothing': async ({ store }) => {
    await store.create(aSession())
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.create(aSession({ id: text })), 'SVC_STORE_RECORD', /"id"/)
      await refused(() => store.update('s1', { user: text }), 'SVC_STORE_RECORD', /"user"/)
      assert.equal(await store.find(text), null)
      assert.equal(await store.destroyByUser(text), 0)
    }
    await refused(() => store.update('s1', { content: { n: Number.NaN } }), 'SVC_STORE_RECORD', /"content"/)
  },
  'what is no text matches nothing': async ({ store }) => {
    await store.create(aSession())
    for (const value of NOT_TEXT as never[]) {
      assert.equal(await store.find(value), null)
      assert.equal(await store.touch(value), false)
      assert.equal(await store.destroy(value), false)
      assert.equal(await store.destroyByUser(value), 0)
    }
    assert.equal(await store.count({}), 1)
  }
}

function purgeCases(rows: readonly [SessionBounds, string[]][]): ConformanceCase<SessionStore>[] {
  return rows.map(([bounds, remaining]) => [
    `purges by idle ${bounds.idleTimeoutS} s and absolute ${bounds.absoluteTimeoutS} s`,
    async ({ store, clock }) => {
      await store.create(aSession({ id: 'old' }))
      clock.advance(90_000)
      await store.create(aSession({ id: 'idle' }))
      clock.advance(10_000)
      await store.touch('old')
      await store.create(aSession({ id: 'fresh' }))
      assert.equal(await store.purge(bounds), 3 - remaining.length)
      const { items } = await store.list({}, { order: [['id', 'ASC']] })
      assert.deepEqual(idsOf(items), remaining)
    }
  ])
}

/** Proves a session store. @param runner tap's `t`, or any runner with `test(name, body)` */
export const sessionStoreConformance: StoreSuite<SessionStore> = storeSuite(
  operations,
  cases,
  purgeCases([
    // bounds, then which of the sessions aged [idle 10 s, old but active, fresh] remain
    [{ idleTimeoutS: 0, absoluteTimeoutS: 0 }, ['fresh', 'idle', 'old']],
    [{ idleTimeoutS: 10, absoluteTimeoutS: 0 }, ['fresh', 'old']],
    [{ idleTimeoutS: 11, absoluteTimeoutS: 0 }, ['fresh', 'idle', 'old']],
    [{ idleTimeoutS: 0, absoluteTimeoutS: 100 }, ['fresh', 'idle']],
    [{ idleTimeoutS: 0, absoluteTimeoutS: 101 }, ['fresh', 'idle', 'old']],
    [{ idleTimeoutS: 10, absoluteTimeoutS: 100 }, ['fresh']]
  ]),
  listingCases<SessionStore>({
    sortable: sessionSort.fields,
    hidden: ['content', 'flash'],
    seed: (store, index) => store.create(aSession({ id: `s${(index * 7) % 10}` })),
    list: (store, filter, page) => store.list(filter, page as never),
    count: (store, filter) => store.count(filter)
  })
)
