/** The table queue on the memory engine: the published suite. The engines of databases run it in their packages. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import { durableQueueConformance } from '../../../src/delivery/durable/durable-queue-conformance.ts'
import { deliveriesStore } from '../../../src/delivery/durable/store-queue.ts'

t.test('the suite', (t) =>
  durableQueueConformance(t, { makeStore: (parts) => inMemory(deliveriesStore, parts), faults: null })
)
