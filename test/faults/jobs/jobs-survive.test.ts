/** Whatever is killed, a job of an answered request runs, and what must run alone does. The long run: `npm run faults`. */
import t from 'tap'
import type { Absent, Backend } from '../campaign/backends/backend.ts'
import { documents } from '../campaign/backends/documents.ts'
import { postgres } from '../campaign/backends/postgres.ts'
import { sqlite } from '../campaign/backends/sqlite.ts'
import { runJobCampaign } from './job-campaign.ts'

const BACKENDS: readonly [string, () => Promise<Backend | Absent>][] = [
  ['sqlite', sqlite],
  ['postgres', postgres],
  ['documents', documents]
]

for (const [name, open] of BACKENDS) {
  t.test(`${name}: 3 instances, killed under load`, { timeout: 240_000 }, async (t) => {
    const backend = await open()
    if ('absent' in backend) {
      process.stderr.write(`\n  SKIPPED: ${backend.absent}; jobs on ${name} were not tried\n\n`)
      t.plan(0, backend.absent)
      return
    }
    t.teardown(() => backend.close())
    const report = await runJobCampaign(backend, { instances: 3, kills: 3, everyMs: 700, callers: 4, pauseMs: 40 })
    const { acknowledged, refused, repeated, rates, crashes, lost, overlaps } = report
    t.comment(
      `${acknowledged} acknowledged, ${refused} refused, ${repeated} ran again; ${rates.join(' and ')} a second`
    )
    t.strictSame(crashes, [], 'none ended by itself')
    t.ok(acknowledged > 0)
    t.strictSame(lost, [], 'each ran to its end')
    t.strictSame(overlaps, [], 'what runs alone did')
  })
}
