/** The largest lane against a search through all of them. */
import { strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { LaneSizes } from '../../src/dispatch/lane-sizes.ts'

t.test('it is the largest, however lanes grow and shrink', async () => {
  const step = fc.record({ lane: fc.nat(4), grows: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const sizes = new LaneSizes()
      const lanes = [0, 0, 0, 0, 0]
      for (const { lane, grows } of steps) {
        const places = lanes[lane] ?? 0
        if (grows) sizes.grown(places + 1)
        else if (places > 0) sizes.shrunk(places)
        lanes[lane] = Math.max(0, places + (grows ? 1 : -1))
        strictEqual(sizes.largest, Math.max(...lanes))
      }
    })
  )
})
