/** The memory store of the `tokens` brick passes its published suite. */
import t from 'tap'
import { tokensStoreConformance } from '../../src/conformance/index.ts'
import { MemoryTokensStore } from '../../src/memory/tokens-store.ts'

await tokensStoreConformance(t, { makeStore: (parts) => new MemoryTokensStore(parts), faults: null })
