/** Sessions while the database is away, and while the application shuts down. */

import type { SessionStore } from 'svc-security/stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { documents } from '../support/documents.ts'
import { documentStores } from '../support/every-store.ts'
import { connectionTo } from '../support/open-connection.ts'

const GIVEN = { id: 's1', user: 'alice', content: { cart: [1] }, flash: {}, meta: {} }

const UNAVAILABLE = { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 }

type Call = (store: SessionStore) => unknown

const calls: [what: string, call: Call, otherwise: unknown][] = [
  ['find', (store) => store.find('s1'), null],
  ['update', (store) => store.update('s1', { content: { cart: [2] } }), false],
  ['touch', (store) => store.touch('s1'), false],
  ['destroy', (store) => store.destroy('s1'), false],
  ['destroyByUser', (store) => store.destroyByUser('alice'), 0],
  ['list', (store) => store.list({}, { limit: 7 }), { items: [], limit: 7, offset: 0, hasNext: false }],
  ['count', (store) => store.count({}), 0],
  ['purge', (store) => store.purge({ idleTimeoutS: 1, absoluteTimeoutS: 1 }), 0]
]

t.test('while the application shuts down', async (t) => {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri })
  const store = documentStores.session(connection, new ManualClock())
  await connection.open()
  await store.create(GIVEN)
  const underWay = calls.map(([, call]) => call(store))
  const closed = connection.close()

  await t.test('what it overtook ends without an exception', async (t) => {
    const outcomes = await Promise.allSettled(underWay)
    t.strictSame(
      outcomes.filter(({ status }) => status === 'rejected'),
      []
    )
  })
  await closed

  for (const [what, call, otherwise] of calls) {
    await t.test(`${what} answers ${JSON.stringify(otherwise)}`, async (t) => {
      t.strictSame(await call(store), otherwise)
    })
  }

  await t.test('a new session is refused: it would be lost', (t) => t.rejects(store.create(GIVEN), UNAVAILABLE))
  await t.test('a wrong question stays wrong', (t) =>
    t.rejects(store.list({}, { limit: 0 }), { code: 'SVC_STORE_PAGE' })
  )
})

t.test('R1: while the database is away nothing is "not there"', async (t) => {
  const connection = connectionTo(t, { uri: 'mongodb://127.0.0.1:1/none', selectionTimeoutMs: 100 })
  const store = documentStores.session(connection, new ManualClock())
  await connection.open()
  for (const [what, call] of calls) await t.rejects(async () => call(store), UNAVAILABLE, `${what} is refused`)
  await t.rejects(store.create(GIVEN), UNAVAILABLE)
})
