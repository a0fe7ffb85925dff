/** The suite of stores of one-time tokens. */
import assert from 'node:assert/strict'
import type { TokenRecord } from '../tokens/token-record.ts'
import type { TokenStore } from '../tokens/token-store.ts'
import {
  aCase,
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  refused,
  runCases
} from './conformance-suite.ts'
import { STRANGE_TEXTS, UNSTORABLE_TEXTS } from './hostile-text.ts'
import type { Operations } from './outage-cases.ts'

/** Valid for a thousand milliseconds, unless `more` says otherwise. */
function aToken(now: number, more: Partial<TokenRecord> = {}): TokenRecord {
  const owner = { subject: 'u1', identifier: 'ada@example.org', address: 'ada@example.org' }
  return { id: 'r1', purpose: 'reset', ...owner, hash: 'h1', data: {}, createdAt: now, expiresAt: now + 1000, ...more }
}

const operations: Operations<TokenStore> = {
  put: (store) => store.put(aToken(0)),
  find: (store) => store.find('r1'),
  arm: (store) => store.arm('r1', 'h2'),
  take: (store) => store.take('reset', 'h1'),
  read: (store) => store.read('reset', 'h1'),
  restore: (store) => store.restore(aToken(0)),
  remove: (store) => store.remove('r1'),
  endOf: (store) => store.endOf('ada@example.org'),
  eraseOf: (store) => store.eraseOf('u1'),
  list: (store) => store.list('reset', 1),
  purge: (store) => store.purge()
}

const taken = (answers: ReadonlyArray<TokenRecord | null>) => answers.filter((answer) => answer !== null)

const cases: readonly ConformanceCase<TokenStore>[] = [
  aCase('of callers at once, one takes a token, whole', async ({ store, clock }) => {
    const token = aToken(clock.now(), { data: { roles: ['ROLE_USER'], locale: null } })
    await store.put(token)
    assert.deepEqual(await store.find('r1'), token)
    assert.deepEqual(taken(await atOnce(20, () => store.take('reset', 'h1'))), [token])
    assert.equal(await store.find('r1'), null)
  }),
  aCase('a token does for its purpose and until its end alone', async ({ store, clock }) => {
    await store.put(aToken(clock.now()))
    assert.equal(await store.take('address', 'h1'), null)
    assert.equal(await store.take('reset', 'h2'), null)
    clock.advance(1000)
    assert.equal(await store.take('reset', 'h1'), null)
    assert.equal(await store.arm('r1', 'h2'), null)
    await store.put(aToken(clock.now()))
    clock.advance(999)
    assert.equal((await store.take('reset', 'h1'))?.id, 'r1')
  }),
  aCase('a token that is read stays, for its purpose and until its end', async ({ store, clock }) => {
    const token = aToken(clock.now())
    await store.put(token)
    assert.deepEqual(await store.read('reset', 'h1'), token)
    assert.deepEqual(await store.read('reset', 'h1'), token)
    assert.equal(await store.read('address', 'h1'), null)
    assert.equal(await store.read('reset', 'h2'), null)
    clock.advance(1000)
    assert.equal(await store.read('reset', 'h1'), null)
  }),
  aCase('the newest token of an id replaces the one before', async ({ store, clock }) => {
    await store.put(aToken(clock.now()))
    await store.put(aToken(clock.now(), { hash: 'h2' }))
    assert.equal(await store.take('reset', 'h1'), null)
    assert.equal((await store.take('reset', 'h2'))?.hash, 'h2')
  }),
  aCase('a token without a secret is not taken; a secret replaces the one before', async ({ store, clock }) => {
    const open = { purpose: 'sign-up', hash: null } as const
    await store.put(aToken(clock.now(), { id: 's1', ...open }))
    await store.put(aToken(clock.now(), { id: 's2', ...open }))
    assert.deepEqual(await store.list('sign-up', 10), [])
    assert.equal((await store.arm('s1', 'a'))?.hash, 'a')
    assert.equal((await store.arm('s1', 'b'))?.hash, 'b')
    assert.equal(await store.arm('s3', 'c'), null)
    assert.equal(await store.take('sign-up', 'a'), null)
    assert.equal((await store.take('sign-up', 'b'))?.id, 's1')
  }),
  aCase('a token is restored unless a newer one came', async ({ store, clock }) => {
    const token = aToken(clock.now())
    await store.restore(token)
    assert.deepEqual(await store.take('reset', 'h1'), token)
    await store.put(aToken(clock.now(), { hash: 'h2' }))
    await store.restore(token)
    assert.equal(await store.take('reset', 'h1'), null)
    assert.equal((await store.take('reset', 'h2'))?.hash, 'h2')
  }),
  aCase('tokens end with a login name, or with their user', async ({ store, clock }) => {
    const now = clock.now()
    await store.put(aToken(now, { id: 'a', hash: 'a' }))
    await store.put(aToken(now, { id: 'b', hash: 'b', identifier: null }))
    await store.put(aToken(now, { id: 'c', hash: 'c', subject: 'u2', identifier: 'bob@example.org' }))
    await store.endOf('ada@example.org')
    assert.deepEqual([await store.find('a'), (await store.find('b'))?.id], [null, 'b'])
    await store.eraseOf('u1')
    assert.deepEqual([await store.find('b'), (await store.find('c'))?.id], [null, 'c'])
    assert.equal(await store.remove('c'), true)
    assert.equal(await store.remove('c'), false)
  }),
  aCase(
    'a list has the open ones of a purpose, the newest first; a purge removes the others',
    async ({ store, clock }) => {
      const now = clock.now()
      const invitation = { purpose: 'invitation' } as const
      await store.put(aToken(now, { id: 'old', hash: 'o', ...invitation, expiresAt: now + 1 }))
      await store.put(aToken(now, { id: 'a', hash: 'a', ...invitation }))
      await store.put(aToken(now + 1, { id: 'b', hash: 'b', ...invitation }))
      await store.put(aToken(now, { id: 'c', hash: 'c' }))
      clock.advance(1)
      assert.deepEqual(
        (await store.list('invitation', 10)).map(({ id }) => id),
        ['b', 'a']
      )
      assert.deepEqual(
        (await store.list('invitation', 1)).map(({ id }) => id),
        ['b']
      )
      assert.equal(await store.purge(), 1)
      assert.equal(await store.purge(), 0)
      assert.equal((await store.find('a'))?.id, 'a')
    }
  ),
  aCase('strange texts come back as they were; what no store can hold is refused', async ({ store, clock }) => {
    for (const text of STRANGE_TEXTS) {
      await store.put(aToken(clock.now(), { id: text, hash: text, identifier: text, address: text, data: { text } }))
    }
    for (const text of STRANGE_TEXTS) {
      const found = await store.take('reset', text)
      assert.deepEqual([found?.id, found?.address, found?.data], [text, text, { text }], JSON.stringify(text))
    }
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.put(aToken(clock.now(), { address: text })), 'SVC_STORE_RECORD', /"address"/)
    }
  })
]

/** Proves a store of one-time tokens. @param runner tap's `t`, or any runner with `test(name, body)` */
export function tokenStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<TokenStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
