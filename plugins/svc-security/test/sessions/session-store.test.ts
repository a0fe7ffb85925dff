/** The store of sessions while its application closes: late calls find nothing; a new session is not lost in silence. */
import { ManualClock } from 'svc-stores/conformance'
import { type Database, memoryDatabase, type Table, type TablePlan } from 'svc-stores/table'
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

t.test('its table is that of the first release: databases of earlier versions open unchanged', async (t) => {
  const plans: TablePlan[] = []
  const database = new Proxy(memoryDatabase(), {
    get: (target, name) => {
      if (name !== 'table') return Reflect.get(target, name) as unknown
      return (plan: TablePlan) => {
        plans.push(plan)
        return target.table(plan)
      }
    }
  }) as Database
  sessionStore.open(database, { clock: new ManualClock() })
  const [{ columns, indexes = [], ...names } = {} as TablePlan] = plans
  t.strictSame([plans.length, names], [1, { name: 'svc_session', collection: 'session', record: 'session' }])
  t.strictSame(columns, [
    { name: 'id', type: 'text', field: 'sessionId' },
    { name: 'user', type: 'text', nullable: true },
    { name: 'content', type: 'document' },
    { name: 'flash', type: 'document' },
    { name: 'meta', type: 'document' },
    { name: 'createdAt', type: 'integer' },
    { name: 'updatedAt', type: 'integer' }
  ])
  const newest = [['createdAt', 'desc'], 'id']
  const on = (kind: string) => indexes.filter((index) => index.on === kind).map(({ on: _, ...index }) => index)
  t.strictSame(on('sql'), [
    { columns: ['user', ['createdAt', 'desc']], held: 'user' },
    { columns: newest },
    { columns: [['updatedAt', 'desc'], 'id'] }
  ])
  t.strictSame(on('documents').slice(0, 2), [
    { columns: ['id'], unique: true, name: 'unique_session' },
    { columns: ['user', ...newest], name: 'by_user' }
  ])
  t.strictSame(
    indexes.slice(5).map(({ name }) => name),
    ['ascending_createdAt', 'descending_createdAt', 'ascending_updatedAt', 'descending_updatedAt'],
    'and one for each order of a listing'
  )
})
