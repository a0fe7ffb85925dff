/** The memory store of the `totp` brick passes its published suite. */
import t from 'tap'
import { totpStoreConformance } from '../../src/conformance/index.ts'
import { MemoryTotpStore } from '../../src/memory/totp-store.ts'

await totpStoreConformance(t, { makeStore: (parts) => new MemoryTotpStore(parts), faults: null })
