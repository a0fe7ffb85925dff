/** What a durable queue sends is taken by the verifiers of others: at first, by two secrets, again, and once more by hand. */
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import { Webhook as SvixWebhook } from 'svix'
import t from 'tap'
import { deliveriesStore } from '../../../src/delivery/deliveries-queue.ts'
import type { DeliveryRequest } from '../../../src/delivery/transport/transport.ts'
import { rotated, sealCredentials } from '../../../src/endpoints/endpoint-credentials.ts'
import { historyStore } from '../../../src/history/history-store.ts'
import { LastingHistory } from '../../../src/history/lasting-history.ts'
import { generateSecret } from '../../../src/signature/sign-message.ts'
import {
  aDispatcher,
  anEndpoint,
  anEvent,
  answered,
  LOGIN,
  listeningLog,
  refused,
  settle
} from '../../support/delivery-fixtures.ts'

/** Their own clocks decide what is stale. */
const clock = new ManualClock(Date.now())

function accepts(secret: string, { headers, body }: DeliveryRequest): boolean {
  return [new StandardWebhook(secret), new SvixWebhook(secret)].every((verifier) => {
    try {
      verifier.verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })
}

t.test('both secrets of a rotation, retries, what is sent again, and what is recovered', async (t) => {
  const queue = deliveriesStore.open(memoryDatabase({ clock }), { clock })
  const { log } = listeningLog()
  const bounds = { maxAgeS: 3600, maxPerEndpoint: 100 }
  const lasting = new LastingHistory({ store: inMemory(historyStore, { clock }), clock, log, ...bounds })
  const one = aDispatcher({}, { clock, lasting, durable: { queue, retryScheduleS: [5], random: () => 0 } })
  const [old, next] = [generateSecret(), generateSecret()]
  const both = rotated({ secret: old, previous: null, headers: {} }, next, { now: clock.now(), overlapS: 3600 })
  const { id } = await anEndpoint(one, { secretEnc: sealCredentials(one.secrets, both) })
  await one.dispatcher.start()
  t.teardown(() => one.dispatcher.close())

  one.transport.answer = () => refused
  one.audit.record(LOGIN)
  await settle()
  clock.advance(10)
  await settle()
  one.transport.answer = () => answered(200)
  for (let second = 0; second < 7; second += 1) {
    clock.advance(1000)
    await settle()
  }
  const [first, second] = one.transport.sent
  t.ok(first && second, 'an attempt, and its retry')
  const messageId = first?.headers['webhook-id'] ?? ''
  const endpoint = (await one.store.find(id)) as NonNullable<Awaited<ReturnType<typeof one.store.find>>>
  t.equal(await one.dispatcher.resend(endpoint, messageId), true)
  await one.dispatcher.replay(id, anEvent({ id: 'aud_missed' }), 'msg_missed')
  await settle()
  const ids = one.transport.sent.map(({ headers }) => headers['webhook-id'])
  t.strictSame(ids, [messageId, messageId, messageId, 'msg_missed'])
  for (const request of one.transport.sent) {
    t.strictSame(
      [accepts(old, request), accepts(next, request)],
      [true, true],
      request.headers['webhook-signature'] ?? ''
    )
    t.notOk(accepts(generateSecret(), request))
  }

  const { deliveries } = await lasting.page(id, {}, { limit: 10 })
  t.match(deliveries.at(-1), { outcome: 'retried', attempt: 1, ok: false, error: 'connection refused', messageId })
  t.match(deliveries.at(-2), { outcome: 'delivered', attempt: 2, ok: true, messageId })
  t.equal(
    one.dispatcher.deliveries(id).some(({ outcome }) => outcome === 'retried'),
    false,
    'memory has what ended'
  )
})
