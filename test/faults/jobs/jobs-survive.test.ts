/** Whatever is killed, a job of an answered request runs, and what must run alone does. The long run: `npm run faults`. */
import t from 'tap'
import type { Absent, Backend } from '../campaign/backends/backend.ts'
import { documents } from '../campaign/backends/documents.ts'
import { postgres } from '../campaign/backends/postgres.ts'
import { redis } from '../campaign/backends/redis.ts'
import { sqlite } from '../campaign/backends/sqlite.ts'
import { MOST_PACED, runJobCampaign } from './job-campaign.ts'

const BACKENDS: readonly [string, () => Promise<Backend | Absent>][] = [
  ['sqlite', sqlite],
  ['postgres', postgres],
  ['documents', documents],
  ['redis', redis]
]

/** More than any of them has faults. */
const KILLS = 7

for (const [name, open] of BACKENDS) {
  t.test(`${name}: 3 instances, killed under load`, { timeout: 240_000 }, async (t) => {
    const backend = await open()
    if ('absent' in backend) {
      process.stderr.write(`\n  SKIPPED: ${backend.absent}; jobs on ${name} were not tried\n\n`)
      t.plan(0, backend.absent)
      return
    }
    t.teardown(() => backend.close())
    const report = await runJobCampaign(backend, {
      instances: 3,
      kills: KILLS,
      everyMs: 700,
      // Longer than a call may take.
      dwellMs: 1_400,
      callers: 4,
      pauseMs: 40,
      looks: 1
    })
    const { acknowledged, refused, repeated, rates, struck, crashes, lost, overlaps, paced } = report
    t.comment(
      `${acknowledged} acknowledged, ${refused} refused, ${repeated} ran again; ${rates.join(' and ')} a second; ${paced} of a lane with a rate`
    )
    t.comment(JSON.stringify(struck))
    t.ok(Object.keys(struck).length >= backend.faults.length, 'every fault struck')
    t.strictSame(crashes, [], 'none ended by itself')
    t.ok(acknowledged > 0)
    t.strictSame(lost, [], 'each ran to its end')
    t.strictSame(overlaps, [], 'what runs alone did')
    // BullMQ limits no lanes.
    if (name !== 'redis')
      t.ok(paced > 0 && paced <= MOST_PACED, `${paced} of the lane with a rate began within its time`)
  })
}
