/**
 * In strict mode, with a durable queue: whatever is killed, what was acknowledged arrives. In the long run: ten servers are
 * killed under load.
 */
import t from 'tap'
import { BACKENDS, onEach } from '../campaign/backends/on-each.ts'
import { runDeliveryCampaign } from './delivery-campaign.ts'

const PLAN = { kills: 3, everyMs: 700, callers: 4, pauseMs: 40, perPhase: 60 }

onEach(t, BACKENDS, 'instances are killed under load', async (t, backend) => {
  // A file is for the instances of one machine.
  const instances = backend.name === 'sqlite' ? 1 : 3
  const report = await runDeliveryCampaign(backend, { ...PLAN, instances })
  const { acknowledged, refused, duplicates, lost, renamed, afterDeletion, crashes } = report
  t.comment(`${acknowledged} acknowledged, ${refused} refused, ${duplicates} came again`)
  t.strictSame(crashes, [], 'none ended by itself')
  t.ok(acknowledged > 0)
  t.strictSame(lost, [], 'each arrived')
  t.strictSame(renamed, [], 'what came again kept its id')
  t.strictSame(afterDeletion, [], 'a deleted endpoint gets nothing more')
})
