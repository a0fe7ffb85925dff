/** The memory store of the `audit` brick passes its published suite. */
import t from 'tap'
import { auditStoreConformance } from '../../src/conformance/index.ts'
import { MemoryAuditStore } from '../../src/memory/audit-store.ts'

await auditStoreConformance(t, { makeStore: (parts) => new MemoryAuditStore(parts), faults: null })
