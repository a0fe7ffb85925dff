/** The memory store of the `webhooks` brick passes its published suite. */
import t from 'tap'
import { webhooksStoreConformance } from '../../src/conformance/index.ts'
import { MemoryWebhooksStore } from '../../src/memory/webhooks-store.ts'

await webhooksStoreConformance(t, { makeStore: (parts) => new MemoryWebhooksStore(parts), faults: null })
