/** The request of an attempt: five headers, the message as it is, and a signature that an independent library accepts. */
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { deliveryRequest } from '../../src/delivery/attempt.ts'
import { DeliveryJob } from '../../src/delivery/delivery-job.ts'
import { decodeSecret, generateSecret } from '../../src/signature/sign-message.ts'
import { anEvent } from '../support/delivery-fixtures.ts'

t.test('what a receiver gets', async (t) => {
  const secret = generateSecret()
  const message = new DeliveryJob('wh_1', anEvent({ reason: 'ü€😀' })).message()
  const now = Math.floor(Date.now() / 1000)
  const target = { url: 'https://receiver.example/in', keys: [decodeSecret(secret)], headers: {} }
  const { url, headers, body } = deliveryRequest(target, message, now)
  t.equal(url, 'https://receiver.example/in')
  t.equal(body, message.body, 'the very bytes that are signed')
  t.match(headers, {
    'content-type': 'application/json',
    'user-agent': 'Svc-Webhooks/1.0',
    'webhook-id': message.id,
    'webhook-timestamp': String(now)
  })
  t.strictSame(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body.toString()))
})

t.test('a message is written once, when it is first needed', async (t) => {
  const job = new DeliveryJob('wh_1', anEvent())
  t.equal(job.message(), job.message())
  t.match(job.message().id, /^msg_[\w-]{22}$/)
  t.notOk(job.manual)
  const byHand = new DeliveryJob('wh_1', anEvent(), 'msg_given')
  t.ok(byHand.manual)
  t.equal(byHand.message().id, 'msg_given')
})

t.test('the trace of an attempt goes along; a header of the endpoint comes first', async (t) => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const target = { url: 'https://receiver.example/in', keys: [], headers: {} }
  const message = new DeliveryJob('wh_1', anEvent()).message()
  t.equal(deliveryRequest(target, message, 1, traceparent).headers.traceparent, traceparent)
  t.notOk('traceparent' in deliveryRequest(target, message, 1).headers, 'without a trace there is no header')
  const own = { ...target, headers: { traceparent: 'of the endpoint' } }
  t.equal(deliveryRequest(own, message, 1, traceparent).headers.traceparent, 'of the endpoint')
})
