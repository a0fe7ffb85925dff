/** The stores of this package in memory, on the tables of the memory engine. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import { accountStoreConformance, tokenStoreConformance } from '../../src/conformance.ts'
import { accountStore, accountTokenStore } from '../../src/stores.ts'

t.test('one-time tokens', (t) =>
  tokenStoreConformance(t, { makeStore: (parts) => inMemory(accountTokenStore, parts), faults: null })
)

t.test('accounts', (t) =>
  accountStoreConformance(t, { makeStore: (parts) => inMemory(accountStore, parts), faults: null })
)
