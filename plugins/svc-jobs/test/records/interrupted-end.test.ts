/** The end of the last job of a batch and the admission of the job that follows are stored together, or neither is. */
import { ManualClock } from 'svc-stores/conformance'
import { type Database, memoryDatabase, type Table, type TablePlan } from 'svc-stores/table'
import t from 'tap'
import { jobStore, type NewRecord } from '../../src/stores.ts'

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

const aJob = (number: number): NewRecord => {
  const fixed = { body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
  return { id: idOf(number), name: 'a', lane: 'a', ...fixed }
}

/** A database in memory that breaks off at one of the writes of a transaction. */
function breaking() {
  const clock = new ManualClock()
  const database = memoryDatabase({ clock })
  let left = Number.POSITIVE_INFINITY
  const write = (target: object, name: string) => {
    const method = Reflect.get(target, name) as unknown
    if (typeof method !== 'function') return method
    return (...given: unknown[]) => {
      if (['insert', 'insertNew', 'update', 'updateOne', 'delete'].includes(name)) {
        left -= 1
        if (left < 0) return Promise.reject(new Error('killed'))
      }
      const result: unknown = Reflect.apply(method, target, given)
      return name === 'within' ? broken(result as Table<object>) : result
    }
  }
  const broken = <Row extends object>(table: Table<Row>): Table<Row> =>
    new Proxy(table, { get: (target, name) => write(target, name as string) })
  const table = <Row extends object>(plan: TablePlan) => broken(database.table<Row>(plan))
  const subject = new Proxy(database, {
    get: (target, name) => {
      const value: unknown = name === 'table' ? table : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  }) as Database
  return { store: jobStore.open(subject, { clock }), breakAfter: (writes: number) => (left = writes) }
}

t.test('wherever the end of the last job breaks off', async (t) => {
  let broken = 0
  for (let writes = 0; writes < 50; writes += 1) {
    const { store, breakAfter } = breaking()
    await store.addBatch({ id: 'batch', jobs: [aJob(1)], after: [], next: aJob(2) })
    breakAfter(writes)
    const end = () => store.end([idOf(1)], { state: 'done', attempts: 1, reason: null })
    const isStored = await end().then(
      () => true,
      () => false
    )
    breakAfter(Number.POSITIVE_INFINITY)
    const states = async () => (await store.load([1, 2].map(idOf))).map(({ state }) => state)
    const waiting = async () => (await store.queue.counts()).waiting
    if (isStored) break
    broken += 1
    t.strictSame([await states(), await waiting()], [['waiting', 'blocked'], 1], `after ${writes} writes`)
    await end()
    t.strictSame([await states(), await waiting()], [['done', 'waiting'], 2])
    t.match(await store.batches.load(['batch']), [{ state: 'done', left: 0 }])
  }
  t.equal(broken, 7, 'alone, followed, counts, state, unblocked, due, queued')
})
