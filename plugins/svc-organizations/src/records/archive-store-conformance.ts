/** The suite of the `organizationArchives` brick. */
import assert from 'node:assert/strict'
import {
  aCase,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  runCases,
  STRANGE_TEXTS
} from 'svc-stores/conformance'
import type { ArchiveStore } from './archive-store.ts'

const operations: Operations<ArchiveStore> = {
  put: (store) => store.put({ id: 'o1', archive: {}, createdAt: 1 }),
  find: (store) => store.find('o1'),
  remove: (store) => store.remove('o1')
}

const cases: readonly ConformanceCase<ArchiveStore>[] = [
  aCase('the newest archive of an organisation is kept, until it is removed', async ({ store }) => {
    await store.put({ id: 'o1', archive: { a: [1, null] }, createdAt: 1 })
    await store.put({ id: 'o1', archive: { texts: [...STRANGE_TEXTS] }, createdAt: 2 })
    await store.put({ id: 'o2', archive: {}, createdAt: 3 })
    assert.deepEqual(await store.find('o1'), { id: 'o1', archive: { texts: [...STRANGE_TEXTS] }, createdAt: 2 })
    assert.deepEqual([await store.remove('o1'), await store.remove('o1')], [true, false])
    assert.deepEqual([await store.find('o1'), (await store.find('o2'))?.id], [null, 'o2'])
  })
]

/** Proves a store of archives. @param runner tap's `t`, or any runner with `test(name, body)` */
export function archiveStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<ArchiveStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
