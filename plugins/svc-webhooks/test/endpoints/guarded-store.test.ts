/** Waiting with a bound: the answer, its error, or the deadline; never a timer left behind. */

import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { timedStore, type WebhooksStore, webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { settle } from '../support/delivery-fixtures.ts'

/** A store whose `find` does this, with one second for each call. */
function timed(clock: ManualClock, find: WebhooksStore['find']) {
  const store = inMemory(webhooksStore, { clock })
  return timedStore(Object.assign(store, { find }), clock, 1000)
}

t.test('an answer and an error come through, and the timer goes', async (t) => {
  const clock = new ManualClock()
  t.equal(await timed(clock, async () => null).find('wh_1'), null)
  const away = timed(clock, () => Promise.reject(new Error('away')))
  await t.rejects(away.find('wh_1'), { message: 'away' })
  const throwing = timed(clock, () => {
    throw new Error('thrown at once')
  })
  await t.rejects(throwing.find('wh_1'), { message: 'thrown at once' })
  await settle()
  t.equal(clock.pending, 0)
})

t.test('the work does not run in the stack of the caller', async (t) => {
  let begun = false
  const waiting = timed(new ManualClock(), async () => {
    begun = true
    return null
  }).find('wh_1')
  t.notOk(begun)
  await waiting
  t.ok(begun)
})

t.test('a store that does not answer in time; what it says later is ignored', async (t) => {
  const clock = new ManualClock()
  let late: ((error: Error) => void) | undefined
  const waiting = timed(clock, () => new Promise<never>((_resolve, reject) => (late = reject))).find('wh_1')
  await settle()
  clock.advance(1000)
  await t.rejects(waiting, { code: 'SVC_WEBHOOKS_TIMEOUT' })
  late?.(new Error('too late'))
  await settle()
  t.equal(clock.pending, 0)
})
