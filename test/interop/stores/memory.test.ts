/** Every store on the memory engine. */
import { systemClock } from 'svc-kernel'
import { inMemory } from 'svc-stores'
import t from 'tap'
import { everyStore } from '../../support/every-store.ts'
import { BRICKS, runSuite } from './every-suite.ts'

for (const brick of BRICKS) {
  t.test(brick, (t) => runSuite(t, brick, { makeStore: (_brick, parts) => inMemory<object>(everyStore[brick], parts) }))
}

/** What a table of jobs offers beyond the port, which a queue of an application need not have. */
const BEYOND: Readonly<Record<string, readonly string[]>> = { deliveries: ['lateMs', 'withdraw', 'add'] }

t.test('every definition names the operations of its store, and no others', async (t) => {
  for (const brick of BRICKS) {
    const store = inMemory<object>(everyStore[brick], { clock: systemClock })
    const operations = Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter((name) => name !== 'constructor')
    t.strictSame([...everyStore[brick].operations, ...(BEYOND[brick] ?? [])].sort(), operations.sort(), brick)
    t.ok(await everyStore[brick].check(store as never).then(() => true), `${brick} answers its health check`)
  }
})
