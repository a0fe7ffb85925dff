/** The memory store of the `passkeys` brick passes its published suite. */
import t from 'tap'
import { passkeysStoreConformance } from '../../src/conformance/index.ts'
import { MemoryPasskeysStore } from '../../src/memory/passkeys-store.ts'

await passkeysStoreConformance(t, { makeStore: (parts) => new MemoryPasskeysStore(parts), faults: null })
