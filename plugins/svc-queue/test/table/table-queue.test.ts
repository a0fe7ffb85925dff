/** The table queue on the memory engine: the published suite. The engines of databases run it in their packages. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import { queueConformance } from '../../src/conformance.ts'
import { jobsStore } from '../support/jobs.ts'

t.test('the suite', (t) => queueConformance(t, { makeStore: (parts) => inMemory(jobsStore, parts), faults: null }))
