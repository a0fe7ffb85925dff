/** The suite of the `tokens` brick. */
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
import type { NewToken } from '../token-store/token-record.ts'
import { type TokensStore, tokenSort } from '../token-store/tokens-store.ts'
import { idsOf, oneAnswered, type StoreCases, type StoreSuite, storeSuite } from './store-suite.ts'
import { aToken, purgeCases } from './tokens-purge-cases.ts'

const operations: Operations<TokensStore> = {
  create: (store) => store.create(aToken()),
  find: (store) => store.find('t1'),
  findByHash: (store) => store.findByHash('hash of t1'),
  withOwner: (store) => store.withOwner?.(null)('hash of t1') ?? store.findByHash('hash of t1'),
  rotate: (store) => store.rotate('t1', aToken({ id: 't2' })),
  revoke: (store) => store.revoke('t1', 'logout'),
  expire: (store) => store.expire('t1', 1),
  revokeFamily: (store) => store.revokeFamily('f1', 'logout'),
  revokeBySubject: (store) => store.revokeBySubject('alice', 'logout'),
  markUsed: (store) => store.markUsed('t1', 0),
  list: (store) => store.list({}, {}),
  count: (store) => store.count({}),
  deny: (store) => store.deny('t1', Date.UTC(2030, 0, 1)),
  isDenied: (store) => store.isDenied('t1'),
  invalidateBefore: (store) => store.invalidateBefore('alice', 1),
  invalidBefore: (store) => store.invalidBefore('alice'),
  purge: (store) => store.purge(1)
}

function refresh(id: string): NewToken {
  return aToken({ id, kind: 'refresh', name: null, family: 'f' })
}

const cases: StoreCases<TokensStore> = {
  'keeps what was created, unused and not revoked': async ({ store, clock }) => {
    const given = { proof: null, jkt: null, audience: null }
    const unused = { ...given, replacedBy: null, lastUsedAt: null, revokedAt: null, revokedReason: null }
    const expected = { ...aToken(), createdAt: clock.now(), ...unused }
    assert.deepEqual(await store.create({ ...aToken(), revokedAt: 1, extra: 1 } as never), expected)
    assert.deepEqual(await store.find('t1'), expected)
    assert.deepEqual(await store.findByHash('hash of t1'), expected)
    assert.deepEqual([await store.find('t2'), await store.findByHash('t1')], [null, null])
  },
  'the proof of a login and the key that it is bound to are what was stored, for each token': async ({ store }) => {
    const login = { proof: '1700000000000 pwd otp mfa', jkt: 'key of alice', audience: 'https://shop.example/mcp' }
    await store.create({ ...refresh('t1'), ...login })
    assert.equal(await store.rotate('t1', { ...refresh('t2'), ...login }), true)
    assert.equal(await store.rotate('t2', refresh('t3')), true)
    const tokens = [await store.find('t1'), await store.findByHash('hash of t2'), await store.find('t3')]
    const stored = tokens.map((token) => ({ proof: token?.proof, jkt: token?.jkt, audience: token?.audience }))
    assert.deepEqual(stored, [login, login, { proof: null, jkt: null, audience: null }])
  },
  'ids and secret hashes are unique; several tokens may have none': async ({ store }) => {
    await oneAnswered(50, () => store.create(aToken()))
    await refused(() => store.create(aToken({ id: 't2', secretHash: 'hash of t1' })), 'SVC_STORE_DUPLICATE')
    assert.equal(await store.find('t2'), null)
    await store.create(aToken({ id: 'a', secretHash: null }))
    await store.create(aToken({ id: 'b', secretHash: null }))
    assert.equal(await store.findByHash(null as never), null)
  },
  'a revocation keeps its first date and reason': async ({ store, clock }) => {
    await store.create(aToken())
    oneWinner(await atOnce(50, (index) => store.revoke('t1', `reason ${index}`)))
    const first = await store.find('t1')
    assert.equal(first?.revokedAt, clock.now())
    assert.match(first?.revokedReason ?? '', /^reason \d+$/)
    clock.advance(1000)
    assert.equal(await store.revoke('t1', 'again'), false)
    assert.deepEqual(await store.find('t1'), first)
    assert.equal(await store.revoke('nobody', 'x'), false)
  },
  'a token expires sooner, and never later': async ({ store, clock }) => {
    const at = clock.now() + 50
    for (const id of ['t1', 'gone']) await store.create(aToken({ id }))
    await store.revoke('gone', 'manual')
    const made = [await store.expire('t1', at), await store.expire('t1', at + 1), await store.expire('t1', at)]
    assert.deepEqual(
      [...made, await store.expire('gone', at), await store.expire('x', at)],
      [true, false, false, false, false]
    )
    assert.equal((await store.find('t1'))?.expiresAt, at)
    clock.advance(50)
    assert.equal(await store.count({ active: true }), 0)
  },
  'revokes a family, or what a subject holds, and leaves the rest': async ({ store }) => {
    await store.create(aToken({ id: 'r1', kind: 'refresh', family: 'f' }))
    await store.create(aToken({ id: 'r2', kind: 'refresh', family: 'f' }))
    await store.create(aToken({ id: 'r3', kind: 'refresh', family: 'g' }))
    await store.create(aToken({ id: 'k1' }))
    await store.create(aToken({ id: 'k2', subject: 'bob' }))
    await store.revoke('r1', 'first')
    assert.equal(await store.revokeFamily('f', 'reuse_detected'), 1)
    assert.equal(await store.revokeFamily('f', 'again'), 0)
    assert.deepEqual(
      [(await store.find('r1'))?.revokedReason, (await store.find('r2'))?.revokedReason],
      ['first', 'reuse_detected']
    )
    assert.equal(await store.revokeBySubject('alice', 'locked', 'refresh'), 1)
    assert.equal(await store.revokeBySubject('alice', 'locked'), 1)
    assert.equal((await store.find('k2'))?.revokedAt, null)
    assert.equal(await store.revokeFamily(null as never, 'x'), 0)
  },
  'writes the last use once in a window': async ({ store, clock }) => {
    await store.create(aToken())
    oneWinner(await atOnce(50, () => store.markUsed('t1', 60_000)))
    assert.equal((await store.find('t1'))?.lastUsedAt, clock.now())
    clock.advance(59_999)
    assert.equal(await store.markUsed('t1', 60_000), false)
    clock.advance(1)
    assert.equal(await store.markUsed('t1', 60_000), true)
    assert.equal((await store.find('t1'))?.lastUsedAt, clock.now())
    assert.equal(await store.markUsed('t1', 0), true)
    assert.equal(await store.markUsed('nobody', 0), false)
  },
  'a rotation replaces the token by its successor': async ({ store, clock }) => {
    await store.create(refresh('r1'))
    clock.advance(5)
    assert.equal(await store.rotate('r1', refresh('r2')), true)
    const old = await store.find('r1')
    assert.deepEqual([old?.replacedBy, old?.revokedReason, old?.revokedAt], ['r2', 'rotated', clock.now()])
    const next = await store.find('r2')
    assert.deepEqual([next?.revokedAt, next?.replacedBy, next?.createdAt], [null, null, clock.now()])
  },
  'of concurrent rotations one wins and one successor is left': async ({ store }) => {
    await store.create(refresh('r'))
    oneWinner(await atOnce(50, (index) => store.rotate('r', refresh(`next-${index}`))))
    assert.equal(await store.count({ kind: 'refresh', active: true }), 1)
    const { items } = await store.list({ active: true }, {})
    assert.equal((await store.find('r'))?.replacedBy, items[0]?.id)
  },
  'a token that is absent, revoked, expired or replaced is not rotated': async ({ store, clock }) => {
    await store.create(refresh('revoked'))
    await store.revoke('revoked', 'logout')
    await store.create({ ...refresh('expired'), expiresAt: clock.now() + 1 })
    clock.advance(1)
    await store.create(refresh('rotated'))
    await store.rotate('rotated', refresh('successor'))
    for (const id of ['revoked', 'expired', 'rotated', 'absent']) {
      assert.equal(await store.rotate(id, refresh(`after ${id}`)), false, id)
      assert.equal(await store.find(`after ${id}`), null, `no successor of ${id}`)
      assert.equal(await store.findByHash(`hash of after ${id}`), null)
    }
    assert.equal((await store.find('revoked'))?.revokedReason, 'logout')
  },
  'a successor that exists already is refused, and the token stays': async ({ store }) => {
    await store.create(refresh('r1'))
    await store.create(refresh('r2'))
    await refused(() => store.rotate('r1', refresh('r2')), 'SVC_STORE_DUPLICATE')
    assert.equal((await store.find('r1'))?.revokedAt, null)
    assert.equal(await store.rotate('r1', refresh('r3')), true)
  },
  'a family revoked during rotations leaves no active token': async ({ store }) => {
    await store.create(refresh('r'))
    await atOnce(50, async (index) => {
      if (index % 5 === 4) await store.revokeFamily('f', 'reuse_detected')
      else await store.rotate('r', refresh(`next-${index}`))
    })
    // Whatever the order was: a revocation after a rotation takes the successor along.
    assert.equal(await store.count({ active: true }), 0)
  },
  'filters and counts in the store': async ({ store, clock }) => {
    const soon = clock.now() + 10
    await store.create(aToken({ id: 'open' }))
    await store.create(aToken({ id: 'brief', expiresAt: soon, kind: 'refresh', tenantId: 'acme' }))
    await store.create(aToken({ id: 'revoked', subject: 'bob' }))
    await store.revoke('revoked', 'manual')
    const rows: [object, string[]][] = [
      [{ active: true }, ['brief', 'open']],
      [{ active: false }, ['revoked']],
      [{ subject: 'alice', kind: 'apikey' }, ['open']],
      [{ tenantId: 'acme' }, ['brief']],
      [{ subject: 'ali%' }, []]
    ]
    for (const [filter, expected] of rows) {
      const { items } = await store.list(filter, { order: [['id', 'ASC']] })
      assert.deepEqual(idsOf(items), expected)
      assert.equal(await store.count(filter), expected.length)
    }
    clock.advance(10)
    assert.equal(await store.count({ active: true }), 1)
  },
  'denies a jti until its token expires; the later expiry wins': async ({ store, clock }) => {
    const now = clock.now()
    assert.equal(await store.isDenied('j'), false)
    await store.deny('j', now + 100)
    await atOnce(20, (index) => store.deny('j', now + index))
    clock.advance(99)
    assert.equal(await store.isDenied('j'), true)
    clock.advance(1)
    assert.equal(await store.isDenied('j'), false)
    assert.equal(await store.isDenied('__proto__'), false)
  },
  'a threshold only moves forward': async ({ store }) => {
    assert.equal(await store.invalidBefore('alice'), null)
    assert.equal(await store.invalidateBefore('alice', 500), 500)
    assert.equal(await store.invalidateBefore('alice', 400), 500)
    await atOnce(50, (index) => store.invalidateBefore('alice', 501 + ((index * 7) % 50)))
    assert.equal(await store.invalidBefore('alice'), 550)
    assert.equal(await store.invalidBefore('constructor'), null)
  },
  'strange texts are kept as they are; what no store can keep is refused': async ({ store }) => {
    for (const text of STRANGE_TEXTS) {
      await store.create(aToken({ id: text, name: text, subject: text, secretHash: text, scopes: [text] }))
      await store.deny(text, Number.MAX_SAFE_INTEGER)
      await store.invalidateBefore(text, 1)
    }
    for (const text of STRANGE_TEXTS) {
      const found = await store.findByHash(text)
      assert.deepEqual([found?.id, found?.name, found?.scopes], [text, text, [text]])
      assert.equal(await store.count({ subject: text }), 1, JSON.stringify(text))
      assert.deepEqual([await store.isDenied(text), await store.invalidBefore(text)], [true, 1])
      spoil(found as object)
      assert.equal((await store.find(text))?.name, text)
    }
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.create(aToken({ id: text })), 'SVC_STORE_RECORD', /"id"/)
      await refused(() => store.deny(text, 1), 'SVC_STORE_RECORD')
      await refused(() => store.invalidateBefore(text, 1), 'SVC_STORE_RECORD')
      assert.deepEqual([await store.find(text), await store.findByHash(text)], [null, null])
    }
  },
  'what is no text matches nothing': async ({ store }) => {
    await store.create(aToken({ family: 'f' }))
    for (const value of NOT_TEXT as never[]) {
      assert.deepEqual([await store.find(value), await store.findByHash(value)], [null, null])
      assert.equal(await store.revoke(value, 'x'), false)
      assert.equal(await store.revokeFamily(value, 'x'), 0)
      assert.equal(await store.revokeBySubject(value, 'x'), 0)
      assert.equal(await store.isDenied(value), false)
    }
    assert.equal((await store.find('t1'))?.revokedAt, null)
  }
}

/** Proves a tokens store. @param runner tap's `t`, or any runner with `test(name, body)` */
export const tokensStoreConformance: StoreSuite<TokensStore> = storeSuite(
  operations,
  cases,
  purgeCases([
    // retention, then what remains of: plain, expires now, later, revoked 50 ms ago, just now
    [0, ['later', 'new', 'old', 'plain']],
    [50, ['later', 'new', 'plain']],
    [51, ['later', 'new', 'old', 'plain']]
  ]),
  searchCases<TokensStore>({
    fields: 'the name',
    anchored: false,
    seed: (store, name, index) => store.create(aToken({ id: `t${index}`, name })),
    search: async (store, q) => (await store.list({ q }, {})).items.map(({ name }) => name)
  }),
  listingCases<TokensStore>({
    sortable: tokenSort.fields,
    hidden: ['secretHash', 'proof'],
    seed: (store, index) => {
      const kind = (['apikey', 'refresh', 'access'] as const)[index % 3] ?? 'apikey'
      return store.create(aToken({ id: `t${(index * 7) % 10}`, subject: `user-${(index * 3) % 10}`, kind }))
    },
    list: (store, filter, page) => store.list(filter, page as never),
    count: (store, filter) => store.count(filter)
  })
)
