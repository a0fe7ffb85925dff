/** What an administrator changes while a message waits holds at its next attempt. */
import t, { type Test } from 'tap'
import { generateSecret } from '../../src/signature/sign-message.ts'
import { verifyWebhook } from '../../src/signature/verify-webhook.ts'
import {
  aDispatcher,
  anEndpoint,
  answered,
  type Fixture,
  LOGIN,
  refused,
  settle
} from '../support/delivery-fixtures.ts'

/** A message has failed once and waits for its retry. */
async function waitingRetry(t: Test): Promise<Fixture & { retry: () => Promise<void> }> {
  const fixture = aDispatcher()
  const { dispatcher, transport, audit, clock } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = () => refused
  audit.record(LOGIN)
  await settle()
  t.equal(transport.sent.length, 1)
  t.equal(dispatcher.queue().size, 1)
  transport.answer = () => answered(200)
  const retry = async () => {
    clock.advance(5000)
    await settle()
  }
  return { ...fixture, retry }
}

t.test('a rotated secret signs the retry, the old one no longer does', async (t) => {
  const { store, secrets, transport, clock, retry } = await waitingRetry(t)
  const [old, secret] = [secrets.open((await store.find('wh_1'))!.secretEnc), generateSecret()]
  await store.update('wh_1', { secretEnc: secrets.seal(secret) })
  await retry()
  const { headers, body } = transport.sent[1]!
  t.doesNotThrow(() => verifyWebhook({ secret, headers, body, now: () => clock.now() }))
  t.throws(() => verifyWebhook({ secret: old, headers, body, now: () => clock.now() }), {
    code: 'SVC_WEBHOOKS_SIGNATURE'
  })
})

t.test('a new URL gets the retry', async (t) => {
  const { store, transport, retry } = await waitingRetry(t)
  await store.update('wh_1', { url: 'https://elsewhere.example/hook' })
  await retry()
  t.equal(transport.sent[1]?.url, 'https://elsewhere.example/hook')
  t.equal(transport.sent[1]?.headers['webhook-id'], transport.sent[0]?.headers['webhook-id'])
})

t.test('a disabled endpoint gets nothing, is not counted, and gives its places back', async (t) => {
  const { dispatcher, store, transport, retry } = await waitingRetry(t)
  const endpoint = await store.update('wh_1', { enabled: false })
  dispatcher.changed(endpoint!)
  await retry()
  t.equal(transport.sent.length, 1)
  t.strictSame(dispatcher.queue(), { size: 0, inFlight: 0, dropped: 0 })
  t.strictSame(dispatcher.deliveries('wh_1'), [])
  t.match(await store.find('wh_1'), { failureCount: 0, lastDeliveryAt: null })
})

t.test('one that is enabled again in time gets what waited: nothing is lost by a rotation', async (t) => {
  const { dispatcher, store, transport, retry } = await waitingRetry(t)
  dispatcher.changed((await store.update('wh_1', { enabled: false }))!)
  dispatcher.changed((await store.update('wh_1', { enabled: true }))!)
  await retry()
  t.equal(transport.sent.length, 2)
})

t.test('a deleted endpoint: what waits for it is gone at once, and its history', async (t) => {
  const { dispatcher, store, transport, audit, retry } = await waitingRetry(t)
  transport.answer = () => answered(404)
  audit.record(LOGIN)
  await settle()
  t.equal(dispatcher.deliveries('wh_1').length, 1)
  await store.delete('wh_1')
  dispatcher.removed('wh_1')
  t.equal(dispatcher.queue().size, 0)
  t.strictSame(dispatcher.deliveries('wh_1'), [])
  await retry()
  t.equal(transport.sent.length, 2)
})

t.test('one that another instance deleted is found out by the attempt', async (t) => {
  const { dispatcher, store, transport, audit, retry } = await waitingRetry(t)
  await store.delete('wh_1')
  await retry()
  t.equal(transport.sent.length, 1)
  t.strictSame(dispatcher.queue(), { size: 0, inFlight: 0, dropped: 0 })
  audit.record(LOGIN)
  t.equal(dispatcher.queue().size, 0, 'it is no recipient any more')
})

t.test('one deleted while its attempt is under way leaves no history', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, store, transport, audit } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = null
  audit.record(LOGIN)
  await settle()
  await store.delete('wh_1')
  dispatcher.removed('wh_1')
  transport.finish(answered(200))
  await settle()
  t.strictSame(dispatcher.deliveries('wh_1'), [])
  t.strictSame(dispatcher.queue(), { size: 0, inFlight: 0, dropped: 0 })
})
