/**
 * Three instances behind HAProxy, on PostgreSQL, on PostgreSQL with Redis, and on documents: a rolling restart under load
 * fails no request, and what one instance did, the others know. In the long run: nine processes start three times.
 */
import t from 'tap'
import { SHARED } from './backends.ts'
import { haproxyProgram } from './balancer.ts'
import { runHouseCampaign } from './house-campaign.ts'

const program = haproxyProgram()

t.setTimeout(600_000)

for (const [name, open] of Object.entries(SHARED)) {
  t.test(name, { timeout: 300_000 }, async (t) => {
    const backend = program === null ? { name, absent: 'HAProxy is not installed' } : await open()
    if (program === null || 'absent' in backend) {
      const { absent } = backend as { absent: string }
      process.stderr.write(`\n  SKIPPED: ${absent}; instances on ${name} were not tried\n\n`)
      return t.plan(0, absent)
    }
    t.teardown(() => backend.close())
    const { problems, summary, ...counts } = await runHouseCampaign(program, backend, {
      goesOn: () => false,
      dwellMs: 500
    })
    t.comment(summary)
    t.strictSame(problems, [])
    t.match(counts, { restarts: 3, kills: 1 })
    t.ok(counts.acknowledged > 0, `${counts.acknowledged} writes were acknowledged`)
  })
}
