/** The suite of the `files` brick. */
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
import type { FileRecord } from './file-record.ts'
import type { FileStore } from './file-store.ts'

const WRITTEN = { bytes: 5, sha256: 'ab' }

function aFile(now: number, more: Partial<FileRecord> = {}): FileRecord {
  const said = { owner: 'ada', name: 'a.txt', type: 'text/plain', bytes: 100 }
  const times = { createdAt: now, changedAt: now }
  return { id: 'f1', scope: 'acme', ...said, sha256: null, state: 'pending', ...times, ...more }
}

const operations: Operations<FileStore> = {
  reserve: (store) => store.reserve(aFile(0)),
  used: (store) => store.used('acme'),
  resize: (store) => store.resize('f1', 1),
  complete: (store) => store.complete('f1', WRITTEN, 'stored'),
  keep: (store) => store.keep('acme', ['f1']),
  find: (store) => store.find('acme', 'f1'),
  list: (store) => store.list('acme', { limit: 1 }),
  remove: (store) => store.remove('acme', 'f1'),
  drop: (store) => store.drop('f1'),
  expire: (store) => store.expire(0),
  removed: (store) => store.removed(0, undefined, 1),
  forget: (store) => store.forget('f1')
}

const idsOf = (records: readonly FileRecord[]) => records.map(({ id }) => id)

async function stored(store: FileStore, record: FileRecord): Promise<void> {
  await store.reserve(record)
  assert.equal(await store.complete(record.id, WRITTEN, 'stored'), true)
}

const cases: readonly ConformanceCase<FileStore>[] = [
  aCase('a file is found once it is stored, in its scope alone', async ({ store, clock }) => {
    const record = aFile(clock.now())
    await store.reserve(record)
    assert.equal(await store.find('acme', 'f1'), null)
    clock.advance(5)
    assert.equal(await store.complete('f1', WRITTEN, 'stored'), true)
    const expected = { ...record, ...WRITTEN, state: 'stored', changedAt: clock.now() }
    assert.deepEqual(await store.find('acme', 'f1'), expected)
    assert.equal(await store.find('globex', 'f1'), null)
    assert.equal(await store.complete('f1', WRITTEN, 'stored'), false)
  }),
  aCase('files are kept all or none, and only with their content', async ({ store, clock }) => {
    for (const id of ['a', 'b', 'c']) await store.reserve(aFile(clock.now(), { id }))
    for (const id of ['a', 'b']) await store.complete(id, WRITTEN, 'pending')
    assert.equal(await store.keep('acme', ['a', 'b', 'c']), false)
    assert.equal(await store.keep('globex', ['a']), false)
    assert.equal(await store.find('acme', 'a'), null)
    assert.equal(await store.keep('acme', ['a', 'b']), true)
    assert.deepEqual(idsOf(await store.list('acme', { limit: 9 })), ['a', 'b'])
    assert.equal(await store.keep('acme', ['a']), false)
  }),
  aCase('pending files count as they are reserved, stored ones as they are, removed ones not', async (given) => {
    const { store, clock } = given
    assert.equal(await store.used('acme'), 0)
    await store.reserve(aFile(clock.now()))
    await stored(store, aFile(clock.now(), { id: 'f2', owner: null }))
    await stored(store, aFile(clock.now(), { id: 'f3', scope: 'globex' }))
    assert.deepEqual([await store.used('acme'), await store.used('acme', 'ada')], [105, 100])
    await store.resize('f1', 40)
    await store.resize('f1', 60)
    assert.equal(await store.used('acme'), 45)
    await store.drop('f1')
    await store.remove('acme', 'f2')
    assert.equal(await store.used('acme'), 0)
  }),
  aCase('of callers at once, one removes a file; another scope removes none', async ({ store, clock }) => {
    await stored(store, aFile(clock.now()))
    assert.equal(await store.remove('globex', 'f1'), false)
    oneWinner(await atOnce(20, () => store.remove('acme', 'f1')))
    assert.equal(await store.find('acme', 'f1'), null)
  }),
  aCase('a list is in the order of ids, in pages, of one scope and owner', async ({ store, clock }) => {
    for (const id of ['c', 'a', 'b']) await stored(store, aFile(clock.now(), { id }))
    await stored(store, aFile(clock.now(), { id: 'd', owner: 'bob' }))
    await stored(store, aFile(clock.now(), { id: 'e', scope: 'globex' }))
    assert.deepEqual(idsOf(await store.list('acme', { limit: 2 })), ['a', 'b'])
    assert.deepEqual(idsOf(await store.list('acme', { limit: 2, after: 'b' })), ['c', 'd'])
    assert.deepEqual(idsOf(await store.list('acme', { limit: 9, owner: 'ada', after: 'a' })), ['b', 'c'])
  }),
  aCase('what is old and was not kept is removed, and what is removed is forgotten last', async ({ store, clock }) => {
    await store.reserve(aFile(clock.now(), { id: 'old' }))
    await stored(store, aFile(clock.now(), { id: 'there' }))
    clock.advance(10)
    await store.reserve(aFile(clock.now(), { id: 'new' }))
    assert.equal(await store.expire(clock.now() - 10), 1)
    assert.equal(await store.complete('old', WRITTEN, 'stored'), false)
    assert.deepEqual(idsOf(await store.removed(clock.now() - 1, undefined, 9)), [])
    await store.remove('acme', 'there')
    assert.deepEqual(idsOf(await store.removed(clock.now(), undefined, 1)), ['old'])
    assert.deepEqual(idsOf(await store.removed(clock.now(), 'old', 9)), ['there'])
    for (const id of ['old', 'new']) await store.forget(id)
    assert.deepEqual(idsOf(await store.removed(clock.now(), undefined, 9)), ['there'])
    assert.equal(await store.complete('new', WRITTEN, 'stored'), true)
  }),
  aCase('strange texts come back as they were; what no store can hold is refused', async ({ store, clock }) => {
    for (const text of STRANGE_TEXTS) {
      await stored(store, aFile(clock.now(), { id: text, scope: text, owner: text, name: text }))
      const found = await store.find(text, text)
      assert.deepEqual([found?.id, found?.owner, found?.name], [text, text, text], JSON.stringify(text))
    }
    for (const text of UNSTORABLE_TEXTS) {
      await refused(() => store.reserve(aFile(clock.now(), { owner: text })), 'SVC_STORE_RECORD', /"owner"/)
      assert.equal(await store.find(text, text), null)
    }
  })
]

/** Proves a store of files. @param runner tap's `t`, or any runner with `test(name, body)` */
export function fileStoreConformance(runner: ConformanceRunner, subject: ConformanceSubject<FileStore>): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
