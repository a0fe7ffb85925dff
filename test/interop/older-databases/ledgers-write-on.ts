/** What 0.1.0 did not have: exact numbers, days, versions and deletions of rows, and deliveries that wait. */
import type { ManualClock } from 'svc-stores/conformance'
import { verifyWebhook } from 'svc-webhooks'
import type { Test } from 'tap'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import type { OlderApp } from './older-app.ts'
import type { OlderRecords } from './vectors.ts'

export async function ledgersWriteOn(
  t: Test,
  app: OlderApp,
  { clock, records: { ids } }: { clock: ManualClock; records: OlderRecords }
): Promise<void> {
  const ledgers = app.fastify.orm.repository('Ledger')

  await t.test('rows', async (t) => {
    const id = String(ids.first)
    await t.rejects(ledgers.create({ label: 'second', amount: '1', on: '2026-02-01' }), { code: 'SVC_ORM_UNIQUE' })
    await t.rejects(ledgers.updateOne({ id }, { state: 'closed', version: 2 }), {
      code: 'SVC_ORM_VERSION',
      statusCode: 409
    })
    t.match(await ledgers.updateOne({ id }, { state: 'closed', version: 3 }), { version: 4, amount: '-12.25' })
    await ledgers.increment({ id }, 'amount', '0.30')
    t.match(await ledgers.aggregate({}, { total: { sum: 'amount' }, last: { max: 'on' } }), {
      total: '-11.94',
      last: '2026-01-15'
    })
    t.equal(await ledgers.count({ label: 'third' }), 0)
    t.equal(await ledgers.restore({ label: 'third' }), 1)
    t.match(await ledgers.findOne({ label: 'third' }), { amount: '92233720368547758.07', on: '9999-12-31' })
    t.match(await ledgers.create({ label: 'fourth', amount: 3, on: '2026-02-01', scan: 'AQI=' }), {
      units: '0',
      version: 1
    })
  })

  await t.test('a delivery that waits is made', async (t) => {
    const receiver = await WebhookReceiver.start(t)
    await app.fastify.webhooks.update('wh_1', { url: receiver.url('/hook') })
    t.equal(await app.store('deliveries').reschedule('wh_1', 10), 1)
    let seconds = 0
    await until(() => {
      if (seconds < 60) clock.advance(1000)
      seconds += 1
      return receiver.received.length > 0
    }, 'the delivery')
    const [message] = receiver.received
    const secret = `whsec_${Buffer.alloc(32, 'wh_1').toString('base64')}`
    const given = { secret, headers: message?.headers ?? {}, body: message?.body ?? '', now: () => clock.now() }
    t.match(verifyWebhook(given), { id: 'msg_2' })
    t.match(JSON.parse(String(message?.body)), { type: 'order.paid', data: { actor: 'bob' } })
  })
}
