/** The catalogue and its page in the documentation say the same, both ways. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditRecord } from 'svc-kernel'
import t from 'tap'
import { ACTIONS, CATALOGUE, CATEGORIES, recordFault } from '../src/catalogue.ts'

const PAGE = join(import.meta.dirname, '../../../../docs/reference/audit.md')

t.test('every action is on the page, and nothing else', async (t) => {
  const onPage = [...readFileSync(PAGE, 'utf8').matchAll(/^\| `([^`]+)` \| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, action, category, outcomes, when]) => [action, category, outcomes?.trim(), when?.trim()]
  )
  const inCode = [...CATALOGUE].map(([action, { category, outcomes, when }]) => [
    action,
    category,
    outcomes.map((outcome) => `\`${outcome}\``).join(', '),
    when
  ])
  t.strictSame(onPage, inCode)
})

t.test('the categories of the specification, each with an action', async (t) => {
  const specified = [
    'auth',
    'authz',
    'token',
    'session',
    'oauth',
    'webauthn',
    'csrf',
    'cors',
    'ws',
    'webhook',
    'config'
  ]
  t.strictSame([...CATEGORIES].sort(), specified.sort())
  t.equal(ACTIONS.length, CATALOGUE.size)
})

/** What the catalogue accepts and refuses. */
t.test('the actions that the specification names', async (t) => {
  const named = [
    'login.success',
    'login.failure',
    'access.denied',
    'token.revoked',
    'session.opened',
    'session.destroyed',
    'webhook.created',
    'webhook.disabled',
    'webhook.updated',
    'webhook.deleted',
    'webhook.rotated',
    'webhook.revealed'
  ]
  t.strictSame(
    named.filter((action) => !ACTIONS.includes(action as never)),
    []
  )
})

t.test('every action with its category and each of its outcomes', async (t) => {
  for (const [action, { category, outcomes }] of CATALOGUE) {
    for (const outcome of outcomes) t.equal(recordFault({ action, category, outcome }), null, `${action} ${outcome}`)
  }
})

const wrong: [record: object, said: RegExp][] = [
  [
    { action: 'login.sucess', category: 'auth', outcome: 'success' },
    /not in the catalogue \(did you mean login.success\?\)/
  ],
  [{ action: 'order.paid', category: 'auth', outcome: 'success' }, /not in the catalogue$/],
  [{ action: 'constructor', category: 'auth', outcome: 'success' }, /not in the catalogue/],
  [{ action: undefined }, /not in the catalogue$/],
  [{ action: 'x'.repeat(1e6) }, /not in the catalogue$/],
  [{ action: 'logout', category: 'session', outcome: 'success' }, /the category of logout is auth/],
  [{ action: 'logout', category: 'auth', outcome: 'denied' }, /the outcome of logout is success/],
  [{ action: 'config.update', category: 'config', outcome: 'denied' }, /is success or failure/]
]

for (const [record, said] of wrong) {
  t.test(`refuses ${JSON.stringify(record).slice(0, 60)}`, async (t) => {
    t.match(recordFault(record as AuditRecord), said)
  })
}
