/** Ids of slots: the same on every instance, and other ones for other slots and schedules. */
import t from 'tap'
import { slotId } from '../../src/schedules/slot-id.ts'

const SLOT = Date.UTC(2026, 0, 1, 3)

t.test('an id is a UUID of version 7 with the time of its slot, and the SHA-256 of both', async (t) => {
  // Computed with hashlib of Python.
  t.equal(slotId('report', SLOT), '019b777f-7380-7374-8e4e-6804aa277e72')
})

t.test('no two slots have one id, and later slots sort after earlier ones', async (t) => {
  const ids = Array.from({ length: 500 }, (_, index) => slotId('report', SLOT + index * 1000))
  t.strictSame([...ids].sort(), ids)
  const others = Array.from({ length: 500 }, (_, index) => slotId(`report.${index}`, SLOT))
  t.equal(new Set([...ids, ...others]).size, 1000)
  for (const id of [...ids, ...others])
    t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
