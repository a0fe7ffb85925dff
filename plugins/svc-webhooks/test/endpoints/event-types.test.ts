/** What is said of the events that somebody subscribes to. */
import t from 'tap'
import { eventWarnings } from '../../src/endpoints/event-types.ts'
import { FakeAudit } from '../support/admin-app.ts'

const { catalogue } = new FakeAudit()

const rows: [patterns: string[], warnings: (RegExp | string)[]][] = [
  [['*'], []],
  [['login.failure', 'login.*'], []],
  [['order.paid'], ['"order.paid" matches no known audit action; webhooks carry audit events only']],
  [['order.*'], [/"order\.\*" matches no known audit action/]],
  [['login.failur'], [/\(did you mean "login\.failure"\?\)$/]],
  [['login'], [/"login" matches no known audit action/]],
  [['webhook.*'], ['"webhook.*" is never delivered: events about webhooks are not sent by webhook']],
  [['webhook.created'], [/never delivered/]],
  [
    ['*', 'a.b', 'webhook.test'],
    [/"a\.b"/, /"webhook\.test"/]
  ]
]

for (const [patterns, warnings] of rows) {
  t.test(patterns.join(' '), async (t) => {
    const told = eventWarnings(patterns, catalogue)
    t.equal(told.length, warnings.length)
    for (const [index, warning] of warnings.entries()) t.match(told[index], warning)
  })
}

t.test('without a catalogue nothing is said', async (t) => {
  t.strictSame(eventWarnings(['order.paid', 'webhook.*'], undefined), [])
})
