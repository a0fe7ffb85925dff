/** The envelope: its fields, and the same bytes for the same id and event. */
import t from 'tap'
import { testEvent } from '../../src/delivery/delivery-job.ts'
import { webhookMessage } from '../../src/signature/message.ts'
import { anEvent } from '../support/delivery-fixtures.ts'

t.test('the envelope', async (t) => {
  const event = anEvent({ ts: 1_767_225_600_123, metadata: { detail: 'ü "x"' } })
  const body = webhookMessage('msg_1', event)
  t.strictSame(JSON.parse(body.toString()), {
    id: 'msg_1',
    timestamp: '2026-01-01T00:00:00.123Z',
    type: 'login.failure',
    data: { ...event }
  })
  t.ok(webhookMessage('msg_1', event).equals(body), 'the same bytes again')
  t.notOk(webhookMessage('msg_2', event).equals(body))
})

t.test('a test message is of the category that is never delivered otherwise', async (t) => {
  const event = testEvent('wh_1', 1_767_225_600_000)
  t.match(event, { category: 'webhook', action: 'webhook.test', resource: 'wh_1', ts: 1_767_225_600_000 })
  t.match(event.id, /^test_[\w-]{22}$/)
  t.ok(Object.isFrozen(event))
})
