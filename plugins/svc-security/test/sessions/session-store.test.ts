/** The store of sessions while its application closes: late calls find nothing; a new session is not lost in silence. */
import { ManualClock } from 'svc-stores/conformance'
import { type Database, memoryDatabase, type Table } from 'svc-stores/table'
import t from 'tap'
import { type SessionStore, sessionStore } from '../../src/sessions/session-store.ts'

type Method = (...given: unknown[]) => unknown

/** A database whose tables answer later, and reject once it closes, as those over a network do. */
function closable() {
  const clock = new ManualClock()
  const state = { closing: false, failing: false }
  const later = (table: Table<object>) =>
    new Proxy(table, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...given: unknown[]) => {
          await new Promise(setImmediate)
          if (state.closing || state.failing) throw new Error('connection closed')
          return (method as Method).apply(target, given)
        }
      }
    })
  const database = new Proxy(memoryDatabase({ clock }), {
    get(target, name) {
      if (name === 'closing') return state.closing
      const own: unknown = Reflect.get(target, name)
      if (name === 'table') return (plan: never) => later(target.table(plan))
      return typeof own === 'function' ? (own as Method).bind(target) : own
    }
  }) as Database
  return { state, store: sessionStore.open(database, { clock }) as SessionStore }
}

const session = { id: 's', user: 'alice', content: {}, flash: {}, meta: {} }

const late: Record<string, [call: (store: SessionStore) => unknown, answer: unknown]> = {
  find: [(store) => store.find('s'), null],
  update: [(store) => store.update('s', { content: { a: 1 } }), false],
  touch: [(store) => store.touch('s'), false],
  destroy: [(store) => store.destroy('s'), false],
  destroyByUser: [(store) => store.destroyByUser('alice'), 0],
  list: [(store) => store.list({}, { limit: 5 }), { items: [], limit: 5, offset: 0, hasNext: false }],
  count: [(store) => store.count({}), 0],
  purge: [(store) => store.purge({ idleTimeoutS: 1, absoluteTimeoutS: 1 }), 0]
}

for (const [name, [call, answer]] of Object.entries(late)) {
  t.test(`${name} of a database that closes does nothing, also when it closes under way`, async (t) => {
    const { state, store } = closable()
    await store.create(session)
    const underWay = call(store)
    state.closing = true
    t.strictSame(await underWay, answer)
    t.strictSame(await call(store), answer)
    state.closing = false
    t.match(await store.find('s'), { user: 'alice' })
  })

  t.test(`${name} of a database that fails rejects`, async (t) => {
    const { state, store } = closable()
    await store.create(session)
    state.failing = true
    await t.rejects(async () => call(store), /connection closed/)
  })
}

t.test('a session that would be lost is refused', async (t) => {
  const { state, store } = closable()
  state.closing = true
  await t.rejects(store.create(session), /connection closed/)
})

t.test('a database that answers later finds the same', async (t) => {
  const { store } = closable()
  const created = await store.create(session)
  t.strictSame(await store.find('s'), created)
  t.equal(await store.find('other'), null)
})
