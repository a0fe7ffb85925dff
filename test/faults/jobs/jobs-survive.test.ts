/** Whatever is killed, a job of an answered request runs, and what must run alone does. The long run: `npm run faults`. */
import t from 'tap'
import { BACKENDS, onEach } from '../campaign/backends/on-each.ts'
import { MOST_PACED, runJobCampaign } from './job-campaign.ts'

onEach(t, BACKENDS, '3 instances, killed under load', async (t, backend) => {
  const report = await runJobCampaign(backend, {
    instances: 3,
    everyMs: 700,
    // Longer than a call may take.
    dwellMs: 1_400,
    callers: 4,
    pauseMs: 40,
    perPhase: 40,
    looks: 1
  })
  const { acknowledged, refused, repeated, rates, struck, crashes, lost, parked, overlaps, paced } = report
  t.comment(
    `${acknowledged} acknowledged, ${refused} refused, ${repeated} ran again; ${rates.join(' and ')} a second; ${paced} of a lane with a rate`
  )
  for (const job of [JSON.stringify(struck), ...parked]) t.comment(job)
  t.ok(Object.keys(struck).length >= backend.faults.length, 'every fault struck')
  t.strictSame(crashes, [], 'none ended by itself')
  t.ok(acknowledged > 0)
  t.strictSame(lost, [], 'each ran to its end')
  t.strictSame(overlaps, [], 'what runs alone did')
  // BullMQ limits no lanes.
  if (backend.redis === undefined)
    t.ok(paced > 0 && paced <= MOST_PACED, `${paced} of the lane with a rate began within its time`)
})
