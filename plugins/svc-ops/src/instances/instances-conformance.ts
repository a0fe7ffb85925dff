/** The suite of the `instances` brick: `svc-ops/conformance`. */
import assert from 'node:assert/strict'
import {
  aCase,
  atOnce,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  oneWinner,
  refused,
  runCases,
  STRANGE_TEXTS,
  UNSTORABLE_TEXTS
} from 'svc-stores/conformance'
import type { InstanceRecord, InstancesStore } from './instances-store.ts'

const record = (id: string, change: Partial<InstanceRecord> = {}): InstanceRecord => ({
  id,
  name: 'web',
  pid: 4242,
  startedAt: 1_000,
  beat: 1,
  at: 2_000,
  leaving: false,
  figures: { requests: 3, failures: 1, p95Ms: 1.5, busy: 0.25, rss: 100_000_000, waiting: 0 },
  ...change
})

const operations: Operations<InstancesStore> = {
  write: (store) => store.write(record('one')),
  list: (store) => store.list(),
  remove: (store) => store.remove('one')
}

const cases = [
  aCase<InstancesStore>('a row comes back as it was written, the oldest instance first', async ({ store }) => {
    const rows = [record('young', { startedAt: 9_000 }), record('old', { leaving: true, startedAt: 5 })]
    for (const row of rows) await store.write(row)
    assert.deepEqual(await store.list(), [rows[1], rows[0]])
  }),
  aCase<InstancesStore>('a heartbeat replaces the row before', async ({ store }) => {
    await store.write(record('one'))
    const next = record('one', { beat: 2, at: 7_000, figures: { ...record('one').figures, p95Ms: null } })
    await store.write(next)
    assert.deepEqual(await store.list(), [next])
  }),
  aCase<InstancesStore>('of instances that write at once each has its row', async ({ store }) => {
    await atOnce(20, (index) => store.write(record(`i${index}`)))
    assert.equal((await store.list()).length, 20)
  }),
  aCase<InstancesStore>('a row goes once, and stays if its heartbeat came meanwhile', async ({ store }) => {
    await store.write(record('one', { beat: 8 }))
    assert.equal(await store.remove('one', 7), false)
    oneWinner(await atOnce(10, () => store.remove('one', 8)))
    assert.equal(await store.remove('one'), false)
    assert.deepEqual(await store.list(), [])
  }),
  aCase<InstancesStore>('strange names are kept; what no store can keep is refused', async ({ store }) => {
    for (const [index, name] of STRANGE_TEXTS.entries()) await store.write(record(`i${index}`, { name }))
    const names = new Map((await store.list()).map(({ id, name }) => [id, name]))
    for (const [index, name] of STRANGE_TEXTS.entries()) assert.equal(names.get(`i${index}`), name)
    for (const text of UNSTORABLE_TEXTS) await refused(() => store.write(record(text)), 'SVC_STORE_RECORD', /"id"/)
  })
]

/** Proves a store of instances. @param runner tap's `t`, or any runner with `test(name, body)` */
export function instancesStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<InstancesStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
