/** The memory store of the `idempotency` brick passes its published suite. */
import t from 'tap'
import { idempotencyStoreConformance } from '../../src/conformance/index.ts'
import { MemoryIdempotencyStore } from '../../src/memory/idempotency-store.ts'

await idempotencyStoreConformance(t, { makeStore: (parts) => new MemoryIdempotencyStore(parts), faults: null })
