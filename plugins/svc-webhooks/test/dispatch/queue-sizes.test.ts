/** The largest queue against a search through all of them. */
import { strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { QueueSizes } from '../../src/dispatch/queue-sizes.ts'

t.test('it is the largest, however queues grow and shrink', async () => {
  const step = fc.record({ queue: fc.nat(4), grows: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const sizes = new QueueSizes()
      const queues = [0, 0, 0, 0, 0]
      for (const { queue, grows } of steps) {
        const places = queues[queue] ?? 0
        if (grows) sizes.grown(places + 1)
        else if (places > 0) sizes.shrunk(places)
        queues[queue] = Math.max(0, places + (grows ? 1 : -1))
        strictEqual(sizes.largest, Math.max(...queues))
      }
    })
  )
})
