/** What stands in the queue and cannot be read ends nobody's process, and holds up nothing. */
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { deliveriesStore } from '../../../src/delivery/deliveries-queue.ts'
import { aDispatcher, anEndpoint, anEvent, settle } from '../../support/delivery-fixtures.ts'

t.test('it is discarded with a line in the log that does not quote it; what is beside it is sent', async (t) => {
  const clock = new ManualClock()
  const queue = deliveriesStore.open(memoryDatabase({ clock }), { clock })
  const texts = ['not JSON, private', 'null', '{"id":"aud_1"}', JSON.stringify(anEvent())]
  const rows = texts.map((payload, index) => ({ id: `msg_${index}`, lane: 'wh_1', payload, held: false }))
  await queue.heartbeat('other')
  await queue.admit('other', rows)
  const one = aDispatcher({}, { clock, durable: { queue, retryScheduleS: [5] } })
  await anEndpoint(one)
  await one.dispatcher.start()
  await settle(10)
  clock.advance(10)
  await settle(10)
  t.strictSame(
    one.transport.sent.map(({ headers }) => headers['webhook-id']),
    ['msg_3']
  )
  const fields = { code: 'SVC_WEBHOOKS_UNSENT', endpoint: 'wh_1' }
  t.match(one.lines, [
    { level: 'error', fields: { ...fields, message: 'msg_0' } },
    { fields: { ...fields, message: 'msg_1' } },
    { fields: { ...fields, message: 'msg_2' } }
  ])
  t.notMatch(JSON.stringify(one.lines), /private/)
  t.match(await queue.counts(), { waiting: 0, held: 0 })
  await one.dispatcher.close()
})
