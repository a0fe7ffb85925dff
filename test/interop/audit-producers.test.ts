/**
 * Every action of the audit's catalogue has a producer: for each one a whole
 * application is made to record it, and the record says who, what and why, and
 * nothing that is secret. An action without a row fails here.
 */
import { type AuditAction, CATALOGUE } from 'svc-audit'
import t from 'tap'
import { auditedApp } from '../support/audited-app.ts'
import { oidcProvider } from '../support/oidc-provider.ts'
import { provocations } from './audit-provocations.ts'

/** Tested with the plugin that sends webhooks. */
const ELSEWHERE = new Set(['webhook'])

/** Tested with the plugin that runs jobs: `jobs/audit.test.ts`. */
const OF_JOBS = /^(?:job|lane|schedule)\./

/** Tested with the flows of svc-accounts. */
const OF_ACCOUNTS = /^account\./

/** Tested in svc-organizations: `audit.test.ts`. */
const OF_ORGANIZATIONS = /^organization\./

/** Tested with svc-mcp: `tools.test.ts`. */
const OF_TOOLS = /^tool\./

/** Tested with a process of its own, which it ends, and with several starts: `last-resort.test.ts`, `replaced-keys.test.ts`. */
const NEEDS_STARTS = new Set(['process.failure', 'secrets.resealed'])

t.test('each action and outcome has a row', async (t) => {
  const expected = [...CATALOGUE]
    .filter(([action, { category }]) => !ELSEWHERE.has(category) && !NEEDS_STARTS.has(action))
    .filter(([action]) => ![OF_TOOLS, OF_JOBS, OF_ACCOUNTS, OF_ORGANIZATIONS].some((others) => others.test(action)))
    .flatMap(([action, { outcomes }]) => outcomes.map((outcome) => `${action} ${outcome}`))
  t.strictSame(provocations.map(({ action, outcome }) => `${action} ${outcome}`).sort(), expected.sort())
})

t.test('the journal of a whole application', async (t) => {
  const provider = await oidcProvider(t)
  for (const { action, outcome, actor, reason, provoke } of provocations) {
    await t.test(`${action}, ${outcome}`, async (t) => {
      const app = await auditedApp(t, provider)
      await provoke(app)
      const events = app.fastify.audit.recent(100)
      const event = events.find((each) => each.action === action && each.outcome === outcome)
      t.match(event, { category: CATALOGUE.get(action as AuditAction)?.category, actor })
      if (reason === null) t.equal(event?.reason, null)
      else t.match(event?.reason, reason)
      if (event?.category !== 'config') t.match(event, { ip: '127.0.0.1', requestId: /./ })
      const text = JSON.stringify(events)
      for (const secret of app.secrets) t.notOk(text.includes(secret), 'no secret is recorded')
    })
  }
})
