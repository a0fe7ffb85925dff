/** The memory store of the `user` brick passes its published suite. */
import t from 'tap'
import { userStoreConformance } from '../../src/conformance/index.ts'
import { MemoryUserStore } from '../../src/memory/user-store.ts'

await userStoreConformance(t, { makeStore: (parts) => new MemoryUserStore(parts), faults: null })
