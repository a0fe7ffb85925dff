/** The memory store of the `session` brick passes its published suite. */
import t from 'tap'
import { sessionStoreConformance } from '../../src/conformance/index.ts'
import { MemorySessionStore } from '../../src/memory/session-store.ts'

await sessionStoreConformance(t, { makeStore: (parts) => new MemorySessionStore(parts), faults: null })
