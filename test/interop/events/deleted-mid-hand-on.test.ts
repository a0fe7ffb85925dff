/**
 * An event is handed on while its organisation goes: the relay asked for the organisation before its data was erased, and
 * writes before its row is gone. What it wrote goes, too, and the journal of another organisation stays.
 */
import { eventStore } from 'svc-events/stores'
import t from 'tap'
import { onEveryEngine } from '../../support/engines.ts'
import { DAY_MS, HeldDeliveries, NO_ROWS } from './held-deliveries.ts'

t.setTimeout(300_000)

const MINUTES_10 = 600_000

/** Holds the relay once it has asked for the organisation, before it writes. */
function holdRelay(desk: HeldDeliveries) {
  const store = desk.store(eventStore)
  const handOn = store.handOn.bind(store)
  let release: (() => void) | null = null
  store.handOn = async (given) => {
    await new Promise<void>((resume) => {
      release = resume
    })
    return handOn(given)
  }
  return { holds: () => release !== null, release: () => release?.() }
}

t.test('deleted in mid-hand-on', (t) =>
  onEveryEngine(t, async (t, register) => {
    const desk = await HeldDeliveries.open(t, register)
    const { app, acme, globex, clock } = desk
    const since = clock.now()
    await globex.emit('first')
    await acme.emit('first')
    await desk.during(async () => (await acme.journal(since)).length === 1, 'the first event')
    t.equal((await desk.call('POST', '/deletion')).status, 202)
    await app.jobs.drain()
    clock.advance(31 * DAY_MS)

    const relay = holdRelay(desk)
    await acme.emit('under way')
    await desk.during(relay.holds, 'the relay')
    // The last part of its data: the journal was erased before.
    const erased: (readonly string[])[] = []
    app.organizations.describe('last', {
      export: () => null,
      erase: async () => {
        erased.push(await acme.journal(since))
        relay.release()
        if (erased.length === 1) await desk.during(async () => (await acme.journal(since)).length > 0, 'the hand-on')
      }
    })
    await desk.sweep()
    t.equal(await app.organizations.find(acme.id), null)
    t.strictSame(erased, [[]])
    t.strictSame(await acme.journal(since), ['under way'], 'written behind the erasure')

    clock.advance(MINUTES_10)
    await app.jobs.drain()
    t.strictSame(await acme.rows(), NO_ROWS)
    t.strictSame([erased.length, await globex.journal(since)], [2, ['first']])
  })
)
