/** The store of schedules in memory, with transactions and without. */
import type { StoreParts } from 'svc-stores'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { scheduleStoreConformance } from '../../src/conformance.ts'
import { scheduleStore } from '../../src/stores.ts'

t.test('with transactions', async (t) => {
  const makeStore = (parts: StoreParts) => scheduleStore.open(memoryDatabase(parts), parts)
  await scheduleStoreConformance(t, { makeStore, faults: null })
})

t.test('on a server without transactions', async (t) => {
  const makeStore = (parts: StoreParts) => {
    const database = memoryDatabase(parts)
    Object.defineProperty(database, 'transactions', { value: false })
    return scheduleStore.open(database, parts)
  }
  await scheduleStoreConformance(t, { makeStore, faults: null })
})
