/** The campaign as a test: each fault once. */
import type { Test } from 'tap'
import type { Backend } from './backends/backend.ts'
import { faultsOf, runCampaign } from './campaign.ts'

export async function shortCampaign(t: Test, backend: Backend): Promise<void> {
  for (const reason of backend.missing) {
    process.stderr.write(`\n  SKIPPED: ${reason} (${backend.name})\n\n`)
    await t.test('a fault', async (t) => t.plan(0, reason))
  }
  let index = 0
  const report = await runCampaign(backend, {
    dwellMs: 700,
    next(faults) {
      index += 1
      return faults[index - 1] ?? null
    }
  })
  for (const { fault, redMs, greenMs, errors, refusals } of report.struck) {
    t.comment(`${fault}: red ${redMs} ms, green ${greenMs} ms, ${refusals} refusals, ${errors} error entries`)
  }
  t.comment(report.summary)
  t.ok(report.acknowledged > 0, `${report.acknowledged} writes were acknowledged`)
  t.equal(report.struck.length, index - 1, 'every fault was tried')
  t.strictSame(faultsOf(report), [], 'every answer was right, nothing is lost, health turned in time')
}
