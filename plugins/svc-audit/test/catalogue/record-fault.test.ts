/** What the catalogue accepts and refuses. */
import type { AuditRecord } from 'svc-kernel'
import t from 'tap'
import { CATALOGUE } from '../../src/catalogue/catalogue.ts'
import { recordFault } from '../../src/catalogue/record-fault.ts'

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
