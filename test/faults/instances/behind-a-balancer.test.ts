/**
 * Three instances behind HAProxy, on PostgreSQL, on PostgreSQL with Redis, and on documents: a rolling restart under load
 * fails no request, and what one instance did, the others know. In the long run: nine processes start three times.
 */
import t from 'tap'
import { onEach } from '../campaign/backends/on-each.ts'
import { SHARED } from './backends.ts'
import { haproxyProgram } from './balancer.ts'
import { runHouseCampaign } from './house-campaign.ts'

const program = haproxyProgram()
const absent = async () => ({ name: 'a balancer', absent: 'HAProxy is not installed' })

onEach(t, program === null ? { haproxy: absent } : SHARED, 'instances behind a balancer', async (t, backend) => {
  const plan = { goesOn: () => false, dwellMs: 500 }
  const { problems, summary, ...counts } = await runHouseCampaign(program as string, backend, plan)
  t.comment(summary)
  t.strictSame(problems, [])
  t.match(counts, { restarts: 3, kills: 1 })
  t.ok(counts.acknowledged > 0, `${counts.acknowledged} writes were acknowledged`)
})
