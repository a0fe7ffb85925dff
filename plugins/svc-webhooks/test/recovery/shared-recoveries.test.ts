/** Recoveries that instances share: seen and cancelled anywhere, and gone on with by another when their own is gone. */
import type { AuditEvent } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { Recoveries } from '../../src/recovery/recoveries.ts'
import { recoveryStore } from '../../src/recovery/recovery-store.ts'
import { anEvent, listeningLog, settle } from '../support/delivery-fixtures.ts'

const ENDPOINT = { id: 'wh_1', events: ['*'] }
const HELD_MS = 300_000

/** What two instances have in common: a database, a journal, and the history of what was delivered. */
function world(t: Test, events = 25) {
  const clock = new ManualClock()
  const database = memoryDatabase({ clock })
  const recorded = Array.from({ length: events }, (_, index) =>
    anEvent({ id: `aud_${index + 100}`, ts: clock.now() - 100 + index })
  )
  const delivered: { by: string; event: AuditEvent }[] = []
  const range = { since: clock.now() - 1000, until: clock.now() }
  const instance = (by: string) => {
    const { log, lines } = listeningLog()
    const kept = recoveryStore.open(database, { clock })
    const faults = { away: false, sending: true }
    const store = new Proxy(kept, {
      get: (target, name: keyof typeof kept) => {
        if (faults.away) return async () => Promise.reject(new Error('away'))
        return target[name].bind(target)
      }
    })
    const recoveries = new Recoveries({
      store,
      shared: true,
      clock,
      log,
      history: {
        entries: async () => ({
          items: delivered.map(({ event }) => ({ event, messageId: 'msg', outcome: 'delivered' }) as never),
          nextCursor: null
        })
      },
      journal: { list: async () => ({ items: recorded.toReversed(), nextCursor: null }) },
      send: async (_, event) => {
        if (!faults.sending) return new Promise(() => {})
        delivered.push({ by, event })
        return true
      }
    })
    recoveries.start()
    t.teardown(() => recoveries.close())
    return { recoveries, faults, lines }
  }
  const pass = async (ms: number, step = 1000) => {
    for (let passed = 0; passed < ms; passed += step) {
      clock.advance(step)
      await settle(10)
    }
  }
  return { clock, range, delivered, instance, pass }
}

t.test('begun on the one, it is seen on the other, and there is no second one beside it', async (t) => {
  const { instance, range, delivered, pass } = world(t)
  const [one, other] = [instance('one').recoveries, instance('other').recoveries]
  const { id } = await one.begin(ENDPOINT, range)
  await t.rejects(other.begin(ENDPOINT, range), { code: 'SVC_WEBHOOKS_RECOVERING', message: new RegExp(id) })
  await pass(1500, 500)
  t.match(await other.find('wh_1', id), { id, state: 'sending', total: 25, done: 10 })
  await pass(3000)
  t.match(await other.find('wh_1', id), { id, state: 'done', total: 25, done: 25, failed: 0 })
  t.equal(delivered.length, 25)
  await t.rejects(other.find('wh_1', 'rec_x'), { code: 'SVC_WEBHOOKS_RECOVERY_UNKNOWN' })
  t.equal((await other.begin(ENDPOINT, range)).state, 'reading', 'another may begin')
  await settle(10)
})

t.test('cancelled on the other, the one sends no more', async (t) => {
  const { instance, range, delivered, pass } = world(t)
  const [one, other] = [instance('one').recoveries, instance('other').recoveries]
  const { id } = await one.begin(ENDPOINT, range)
  await settle(10)
  t.equal(delivered.length, 10)
  t.match(await other.cancel('wh_1', id), { id, state: 'cancelled' })
  await pass(5000)
  t.equal(delivered.length, 10)
  t.match(await one.find('wh_1', id), { state: 'cancelled' })
  t.match(await one.cancel('wh_1', id), { state: 'cancelled' }, 'again: nothing')
})

t.test(
  'an instance that stops leaves it to the other at once; one that dies, when it was silent for long enough',
  async (t) => {
    const { instance, range, delivered, pass } = world(t)
    const one = instance('one')
    const other = instance('other')
    const { id } = await one.recoveries.begin(ENDPOINT, range)
    await settle(10)
    await one.recoveries.close()
    await pass(16_000)
    t.match(await other.recoveries.find('wh_1', id), { id, state: 'done', total: 25, done: 25 })
    t.equal(new Set(delivered.map(({ event }) => event.id)).size, 25)
    t.equal(delivered.length, 25, 'what the one had delivered is left out')

    const dying = world(t)
    const dead = dying.instance('dead')
    const heir = dying.instance('heir')
    const begun = await dead.recoveries.begin(ENDPOINT, dying.range)
    await settle(10)
    dead.faults.away = true
    dead.faults.sending = false
    await dying.pass(HELD_MS - 20_000, 10_000)
    t.equal(dying.delivered.length, 10, 'not before')
    await dying.pass(60_000, 5000)
    t.match(await heir.recoveries.find('wh_1', begun.id), { state: 'done' })
    t.equal(dying.delivered.filter(({ by }) => by === 'heir').length, 15)
  }
)

t.test('I6: an instance that dies before it says how far it is leaves its totals to the next', async (t) => {
  const { instance, range, delivered, pass } = world(t)
  const dead = instance('dead')
  const heir = instance('heir')
  const { id } = await dead.recoveries.begin(ENDPOINT, range)
  await settle(10)
  t.match(await heir.recoveries.find('wh_1', id), { state: 'sending', total: 25 }, 'the total is there at once')
  dead.faults.away = true
  await pass(1000)
  dead.faults.sending = false
  const before = delivered.length
  t.ok(before > 0 && before < 25)
  await pass(HELD_MS + 60_000, 5000)
  t.equal(delivered.length, 25)
  t.match(await heir.recoveries.find('wh_1', id), { state: 'done', total: 25, done: 25, failed: 0 })
})

t.test('a store that is away is said to be so, and holds up nothing that is under way', async (t) => {
  const { instance, range, delivered, pass } = world(t)
  const { recoveries, faults, lines } = instance('one')
  const { id } = await recoveries.begin(ENDPOINT, range)
  faults.away = true
  await pass(5000)
  t.equal(delivered.length, 25)
  await t.rejects(recoveries.find('wh_1', id), { code: 'SVC_WEBHOOKS_UNAVAILABLE', statusCode: 503 })
  await t.rejects(recoveries.begin({ id: 'wh_2', events: ['*'] }, range), { code: 'SVC_WEBHOOKS_UNAVAILABLE' })
  t.match(lines[0], { level: 'error', fields: { code: 'SVC_WEBHOOKS_STORE' } })
})

t.test('an endpoint that is deleted has no recovery', async (t) => {
  const { instance, range, delivered, pass } = world(t)
  const [one, other] = [instance('one').recoveries, instance('other').recoveries]
  const { id } = await one.begin(ENDPOINT, range)
  await settle(10)
  one.forget('wh_1')
  await pass(3000)
  t.equal(delivered.length, 10)
  await t.rejects(other.find('wh_1', id), { code: 'SVC_WEBHOOKS_RECOVERY_UNKNOWN' })
})
