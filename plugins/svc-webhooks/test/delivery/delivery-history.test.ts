/** The history of deliveries: what it keeps, how much of it, and what it forgets. */
import fc from 'fast-check'
import t from 'tap'
import { DeliveryHistory } from '../../src/delivery/delivery-history.ts'
import { type DeliveryRecord, truncateUtf8 } from '../../src/history/delivery-record.ts'
import { anEvent } from '../support/delivery-fixtures.ts'

function ended(given: Partial<DeliveryRecord> = {}): Omit<DeliveryRecord, 'requestBody'> {
  return {
    ts: 1,
    messageId: 'msg_1',
    type: 'login.failure',
    attempt: 1,
    ok: true,
    status: 200,
    error: null,
    durationMs: 5,
    outcome: 'delivered',
    responseBody: 'fine',
    ...given
  }
}

t.test('a record, with the body that was sent', async (t) => {
  const history = new DeliveryHistory()
  const event = anEvent()
  history.add('wh_1', event, ended())
  const requestBody = JSON.stringify({
    id: 'msg_1',
    timestamp: '2026-01-01T00:00:00.000Z',
    type: event.action,
    data: event
  })
  t.strictSame(history.of('wh_1'), [{ ...ended(), requestBody }])
  t.strictSame(history.of('wh_2'), [])
})

t.test('the last twenty of each endpoint, newest first', async (t) => {
  const history = new DeliveryHistory()
  for (let index = 0; index < 25; index += 1) history.add('wh_1', anEvent(), ended({ messageId: `msg_${index}` }))
  history.add('wh_2', anEvent(), ended({ messageId: 'msg_other' }))
  const ids = history.of('wh_1').map(({ messageId }) => messageId)
  t.equal(ids.length, 20)
  t.strictSame([ids[0], ids[19]], ['msg_24', 'msg_5'])
  t.equal(history.eventOf('wh_1', 'msg_4'), null)
  t.equal(history.eventOf('wh_2', 'msg_5'), null)
  t.strictSame(history.eventOf('wh_1', 'msg_5'), anEvent())
})

t.test('bodies are cut at 8 KB and 2 KB, between characters', async (t) => {
  const history = new DeliveryHistory()
  history.add('wh_1', anEvent({ reason: '€'.repeat(5000) }), ended({ responseBody: '€'.repeat(1000) }))
  const [record] = history.of('wh_1')
  const request = Buffer.byteLength(record?.requestBody ?? '')
  t.ok(request <= 8192 && request > 8189, `${request} bytes`)
  t.equal(record?.responseBody, '€'.repeat(682))
  t.notMatch(record?.requestBody, /\ufffd/)
})

t.test('it forgets an endpoint that is gone, and the one longest silent beyond ten thousand', async (t) => {
  const history = new DeliveryHistory()
  const event = anEvent()
  for (let index = 0; index < 10_000; index += 1) history.add(`wh_${index}`, event, ended())
  history.add('wh_0', event, ended())
  history.add('wh_new', event, ended())
  t.equal(history.of('wh_0').length, 2)
  t.strictSame(history.of('wh_1'), [], 'silent for longest')
  t.equal(history.of('wh_2').length, 1)
  history.forget('wh_0')
  t.strictSame(history.of('wh_0'), [])
})

/** Cutting a text at a number of bytes never breaks a character. */
t.test('cuts', async (t) => {
  const table: [text: string, bytes: number, kept: string][] = [
    ['', 4, ''],
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abcd'],
    ['aüü', 4, 'aü'],
    ['€€', 5, '€'],
    ['€', 2, ''],
    ['a😀', 4, 'a'],
    ['😀b', 4, '😀'],
    ['abc', 0, '']
  ]
  for (const [text, bytes, kept] of table) t.equal(truncateUtf8(text, bytes), kept, `${text} at ${bytes}`)
})

t.test('it is a beginning, it fits, and one more character would not', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  fc.assert(
    fc.property(text, fc.nat(60), (given, bytes) => {
      const kept = truncateUtf8(Buffer.from(given), bytes)
      if (!given.startsWith(kept) || Buffer.byteLength(kept) > bytes) return false
      const [next] = [...given.slice(kept.length)]
      return next === undefined || Buffer.byteLength(kept + next) > bytes
    })
  )
})
