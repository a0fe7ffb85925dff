/** The suite of the `accounts` brick. */
import assert from 'node:assert/strict'
import {
  aCase,
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  oneWinner,
  refused,
  runCases,
  STRANGE_TEXTS,
  UNSTORABLE_TEXTS
} from 'svc-stores/conformance'
import type { AccountStore } from './account-store.ts'

const operations: Operations<AccountStore> = {
  find: (store) => store.find('u1'),
  verify: (store) => store.verify('u1', 'ada@example.org'),
  setLocale: (store) => store.setLocale('u1', 'de'),
  setDeletion: (store) => store.setDeletion('u1', 1),
  due: (store) => store.due(1),
  remove: (store) => store.remove('u1')
}

const cases: readonly ConformanceCase<AccountStore>[] = [
  aCase('each change keeps what the others wrote, in any order and at once', async ({ store, clock }) => {
    assert.equal(await store.find('u1'), null)
    await store.setDeletion('u1', 9)
    await Promise.all([store.setLocale('u1', 'en'), store.verify('u1', 'ada@example.org'), store.setDeletion('u1', 7)])
    await store.setLocale('u1', 'de')
    const now = clock.now()
    const whole = { id: 'u1', address: 'ada@example.org', verifiedAt: now, locale: 'de', deleteAt: 7 }
    assert.deepEqual(await store.find('u1'), whole)
    clock.advance(5)
    await store.verify('u1', 'ada@example.com')
    await store.setDeletion('u1', null)
    const later = { ...whole, address: 'ada@example.com', verifiedAt: now + 5, deleteAt: null }
    assert.deepEqual(await store.find('u1'), later)
    assert.equal(await store.find('u2'), null)
  }),
  aCase('those whose time has come are due, the earliest first', async ({ store, clock }) => {
    const now = clock.now()
    await store.verify('stays', 'a@example.org')
    for (const [id, at] of Object.entries({ late: now, early: now - 9, later: now + 1 }))
      await store.setDeletion(id, at)
    assert.deepEqual(await store.due(10), ['early', 'late'])
    assert.deepEqual(await store.due(1), ['early'])
    clock.advance(1)
    assert.deepEqual(await store.due(10), ['early', 'late', 'later'])
    await store.setDeletion('early', null)
    assert.deepEqual(await store.due(10), ['late', 'later'])
  }),
  aCase('removing succeeds once', async ({ store }) => {
    await store.setLocale('u1', 'en')
    oneWinner(await atOnce(10, () => store.remove('u1')))
    assert.equal(await store.find('u1'), null)
    assert.equal(await store.remove('u1'), false)
  }),
  aCase('strange users stay apart; what no store can hold is refused', async ({ store }) => {
    for (const text of STRANGE_TEXTS) await store.setLocale(text, text)
    for (const text of STRANGE_TEXTS) assert.equal((await store.find(text))?.locale, text, JSON.stringify(text))
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.setLocale(text, 'en'), 'SVC_STORE_RECORD', /"id"/)
      await refused(() => store.verify('u1', text), 'SVC_STORE_RECORD', /"address"/)
    }
  })
]

/** Proves a store of accounts. @param runner tap's `t`, or any runner with `test(name, body)` */
export function accountStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<AccountStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
