/** Shares of the slots, by table. */
import t from 'tap'
import { slotShares } from '../../src/scheduler/lane.ts'

t.test('W2: shares of the slots', async (t) => {
  const table: [
    slots: number,
    notQuick: number,
    slowOrFailing: number,
    quarter: number,
    quick: number,
    half: number
  ][] = [
    [1, 1, 1, 1, 1, 1],
    [2, 1, 1, 1, 1, 1],
    [3, 1, 1, 1, 2, 1],
    [4, 2, 1, 1, 3, 2],
    [6, 2, 1, 1, 4, 3],
    [8, 3, 2, 2, 6, 4],
    [9, 4, 3, 2, 6, 4],
    [100, 49, 48, 25, 75, 50]
  ]
  for (const [slots, notQuick, slowOrFailing, quarter, quick, half] of table) {
    t.strictSame(slotShares(slots), {
      notQuick,
      slowOrFailing,
      each: { unproven: 1, failing: quarter, slow: quarter, quick },
      alone: { unproven: quarter, failing: quarter, slow: half, quick: slots }
    })
    t.ok(slots === 1 || notQuick <= slots / 2, 'at most half')
  }
})
