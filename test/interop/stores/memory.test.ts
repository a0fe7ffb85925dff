/** Every store on the memory engine. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import { everyStore } from '../../support/every-store.ts'
import { BRICKS, runSuite } from './every-suite.ts'

for (const brick of BRICKS) {
  t.test(brick, (t) => runSuite(t, brick, { makeStore: (_brick, parts) => inMemory<object>(everyStore[brick], parts) }))
}
