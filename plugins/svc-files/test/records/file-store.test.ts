/** The store over the tables of the memory engine. Databases run the suite in their drivers. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import { fileStore } from '../../src/records/file-store.ts'
import { fileStoreConformance } from '../../src/records/file-store-conformance.ts'

t.test('memory', (t) =>
  fileStoreConformance(
    { test: (name, body) => t.test(name, body) },
    { makeStore: (parts) => inMemory(fileStore, parts), faults: null }
  )
)
