/** The share of the machine that others use is what was busy less what we used ourselves. */
import t from 'tap'
import { foreignShare, type MachineTime, readMachineTime } from './foreign-load.ts'

t.test('what /proc/stat tells of all processors', async (t) => {
  const stat = 'cpu  100 20 30 800 50 1 2 7 3 4\ncpu0 1 1 1 1 1 1 1 1 1 1\nbtime 1\n'
  t.same(readMachineTime(stat), { elapsed: 1010, busy: 160 }, 'waiting for disks is idle, stolen time is busy')
})

t.test('the foreign share', async (t) => {
  const rows: Array<[what: string, busy: number, ownUs: number, share: number | null]> = [
    ['all of it is ours', 50, 500_000, 0],
    ['none of it is ours', 50, 0, 0.25],
    ['half of it is ours', 50, 250_000, 0.125],
    ['ticks are coarse: ours is more than what was busy', 50, 510_000, 0]
  ]
  const before: MachineTime = { busy: 1000, elapsed: 5000 }
  for (const [what, busy, ownUs, share] of rows) {
    t.equal(foreignShare(before, { busy: 1000 + busy, elapsed: 5200 }, ownUs), share, what)
  }
  t.equal(foreignShare(before, before, 0), null, 'no tick has passed')
  t.equal(foreignShare(null, before, 0), null, 'a system that does not tell')
})
