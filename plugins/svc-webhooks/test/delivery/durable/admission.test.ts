/** Deliveries on their way into the queue: in batches, written again whole, bounded, and counted where they are lost. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Admission, type Admitted } from '../../../src/delivery/durable/admission.ts'
import type { NewDelivery } from '../../../src/delivery/durable/durable-queue.ts'
import { messageId } from '../../../src/delivery/durable/message-id.ts'
import { anEvent, listeningLog, settle } from '../../support/delivery-fixtures.ts'

function watched() {
  const clock = new ManualClock()
  const { log, lines } = listeningLog()
  const [asked, stored, unwritable]: [(readonly NewDelivery[])[], Admitted[], Admitted[]] = [[], [], []]
  const state = { away: false }
  const admission = new Admission({
    clock,
    log,
    wanted: (batch) => new Set(batch.slice(0, 1).map(({ id }) => id)),
    write: async (batch) => {
      asked.push(batch)
      if (state.away) throw new Error('the database is away')
      return batch.filter(({ held }) => held).map(({ id }) => id)
    },
    onStored: (batch, held) => stored.push(...batch.filter(({ id }) => held.has(id))),
    onUnwritable: (delivery) => unwritable.push(delivery)
  })
  return { clock, lines, admission, asked, stored, unwritable, state }
}

t.test('what is added in one turn is one write, with ids that are derived; the first is wanted here', async (t) => {
  const { admission, asked, stored } = watched()
  for (const endpointId of ['wh_1', 'wh_2']) t.ok(admission.add(endpointId, anEvent()))
  t.equal(asked.length, 0, 'not in the stack of whoever records')
  await admission.stored()
  const event = JSON.stringify(anEvent())
  t.strictSame(asked, [
    [
      { id: messageId('aud_1', 'wh_1'), endpointId: 'wh_1', event, held: true },
      { id: messageId('aud_1', 'wh_2'), endpointId: 'wh_2', event, held: false }
    ]
  ])
  t.match(stored, [{ endpointId: 'wh_1' }])
})

t.test('a batch that failed is written again whole, later and later', async (t) => {
  const { clock, admission, asked, state } = watched()
  state.away = true
  admission.add('wh_1', anEvent())
  await t.rejects(admission.stored(), { code: 'SVC_WEBHOOKS_UNAVAILABLE' })
  admission.add('wh_1', anEvent({ id: 'aud_2' }))
  for (const [wait, writes] of [
    [1000, 2],
    [1000, 2],
    [1000, 3]
  ] as const) {
    clock.advance(wait)
    await settle()
    t.equal(asked.length, writes)
  }
  state.away = false
  clock.advance(4000)
  await settle()
  await admission.stored()
  t.strictSame(
    asked.map((batch) => batch.map(({ id }) => id)),
    [...Array(4).fill([messageId('aud_1', 'wh_1')]), [messageId('aud_2', 'wh_1')]]
  )
})

t.test('an event that is no JSON is told, and holds up nothing', async (t) => {
  const { admission, asked, unwritable, lines } = watched()
  admission.add('wh_1', anEvent({ metadata: { big: 1n } as never }))
  admission.add('wh_1', anEvent({ id: 'aud_2' }))
  await admission.stored()
  t.match(unwritable, [{ endpointId: 'wh_1' }])
  t.match(lines, [{ level: 'error', fields: { code: 'SVC_WEBHOOKS_UNSENT', endpoint: 'wh_1' } }])
  t.strictSame(
    asked[0]?.map(({ id }) => id),
    [messageId('aud_2', 'wh_1')]
  )
})

t.test('what may wait is bounded; a close says how many it could not store, and takes no more', async (t) => {
  const { admission, state } = watched()
  state.away = true
  const event = anEvent()
  for (let index = 0; index < 50_000; index += 1) admission.add('wh_1', event)
  t.notOk(admission.add('wh_1', event))
  t.equal(await admission.close(), 50_000)
  t.notOk(admission.add('wh_1', event))
  state.away = false
})
