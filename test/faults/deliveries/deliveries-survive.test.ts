/**
 * In strict mode, with a durable queue: whatever is killed, what was acknowledged arrives. In the long run: ten servers are
 * killed under load.
 */
import t from 'tap'
import type { Absent, Backend } from '../campaign/backends/backend.ts'
import { documents } from '../campaign/backends/documents.ts'
import { postgres } from '../campaign/backends/postgres.ts'
import { redis } from '../campaign/backends/redis.ts'
import { sqlite } from '../campaign/backends/sqlite.ts'
import { runDeliveryCampaign } from './delivery-campaign.ts'

const BACKENDS: readonly [string, number, () => Promise<Backend | Absent>][] = [
  ['sqlite', 1, sqlite],
  ['postgres', 3, postgres],
  ['documents', 3, documents],
  ['redis', 3, redis]
]

for (const [name, instances, open] of BACKENDS) {
  t.test(`${name}: ${instances} instances, killed under load`, { timeout: 240_000 }, async (t) => {
    const backend = await open()
    if ('absent' in backend) {
      process.stderr.write(`\n  SKIPPED: ${backend.absent}; deliveries on ${name} were not tried\n\n`)
      t.plan(0, backend.absent)
      return
    }
    t.teardown(() => backend.close())
    const report = await runDeliveryCampaign(backend, { instances, kills: 3, everyMs: 700, callers: 4, pauseMs: 40 })
    const { acknowledged, refused, duplicates, lost, renamed, afterDeletion, crashes } = report
    t.comment(`${acknowledged} acknowledged, ${refused} refused, ${duplicates} came again`)
    t.strictSame(crashes, [], 'none ended by itself')
    t.ok(acknowledged > 0)
    t.strictSame(lost, [], 'each arrived')
    t.strictSame(renamed, [], 'what came again kept its id')
    t.strictSame(afterDeletion, [], 'a deleted endpoint gets nothing more')
  })
}
