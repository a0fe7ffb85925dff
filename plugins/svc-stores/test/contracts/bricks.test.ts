/** The list of bricks and operations, which no driver can be short of unnoticed. */
import t from 'tap'
import { ManualClock } from '../../src/conformance/manual-clock.ts'
import { BRICKS, missingOperations } from '../../src/contracts/bricks.ts'
import { memoryStores } from '../../src/memory/memory-stores.ts'

t.test('eight bricks, and a memory store of each is whole', async (t) => {
  const names = ['audit', 'idempotency', 'passkeys', 'session', 'tokens', 'totp', 'user', 'webhooks']
  t.strictSame([...BRICKS].sort(), names)
  for (const brick of BRICKS) {
    t.strictSame(missingOperations(brick, memoryStores[brick]({ clock: new ManualClock() })), [], brick)
  }
})

t.test('an operation that is no function is missing', async (t) => {
  t.strictSame(missingOperations('audit', { append: () => {}, list: 'no' }), ['list', 'purge'])
})
