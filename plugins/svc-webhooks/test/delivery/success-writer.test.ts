/** Successes on their way into the store of endpoints: few are written, the last always, and none after a failure that followed it. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { SharingStore } from '../../src/delivery/sharing-store.ts'
import { listeningLog, settle } from '../support/delivery-fixtures.ts'

function watched() {
  const clock = new ManualClock()
  const { log, lines } = listeningLog()
  const calls: (string | number)[][] = []
  const state = { known: true, away: false }
  const answer = async <Value>(call: (string | number)[], value: Value): Promise<Value> => {
    calls.push(call)
    if (state.away) throw new Error('away')
    return value
  }
  const store = {
    find: () => answer(['find'], null),
    recordSuccess: (id: string, status: number) => answer(['success', id, status], state.known),
    recordFailure: (id: string) => answer(['failure', id], 1),
    disable: () => answer(['disable'], true)
  }
  return { clock, lines, calls, state, store: new SharingStore({ store, clock, log }) }
}

t.test('the first is written at once, of those that follow the last, endpoints apart', async (t) => {
  const { store, calls, clock } = watched()
  t.equal(await store.recordSuccess('wh_1', 200), true)
  for (const status of [201, 202, 204]) t.equal(await store.recordSuccess('wh_1', status), true)
  await store.recordSuccess('wh_2', 200)
  const begin = [
    ['success', 'wh_1', 200],
    ['success', 'wh_2', 200]
  ]
  t.strictSame(calls, begin)
  for (let pause = 0; pause < 3; pause += 1) {
    clock.advance(500)
    await settle()
  }
  t.strictSame(calls, [...begin, ['success', 'wh_1', 204]])
  t.equal(clock.pending, 0)
  await store.recordSuccess('wh_1', 200)
  t.equal(calls.length, 4, 'at once again after a pause without any')
})

t.test('a failure comes after the successes before it', async (t) => {
  const { store, calls } = watched()
  await store.recordSuccess('wh_1', 200)
  await store.recordSuccess('wh_1', 204)
  t.equal(await store.recordFailure('wh_1', 500, 'HTTP 500'), 1)
  t.strictSame(calls.slice(1), [
    ['success', 'wh_1', 204],
    ['failure', 'wh_1']
  ])
})

t.test('an endpoint that is gone is known to be gone', async (t) => {
  const { store, state } = watched()
  state.known = false
  t.equal(await store.recordSuccess('wh_1', 200), false)
  t.equal(await store.recordSuccess('wh_1', 200), false)
})

t.test('a store that is away refuses the first, and is logged for the last; closing writes what waits', async (t) => {
  const { store, state, calls, clock, lines } = watched()
  state.away = true
  await t.rejects(store.recordSuccess('wh_1', 200), { message: 'away' })
  await store.recordSuccess('wh_1', 201)
  clock.advance(500)
  await settle()
  t.match(lines, [{ level: 'error', fields: { code: 'SVC_WEBHOOKS_STORE', endpoint: 'wh_1' } }])
  state.away = false
  await store.recordSuccess('wh_1', 202)
  await store.close()
  t.strictSame(calls.at(-1), ['success', 'wh_1', 202])
  t.equal(clock.pending, 0)
})

t.test(
  'after the deletion of an endpoint, nothing of it is written late, and a success asks for it again',
  async (t) => {
    const { store, calls, clock, state } = watched()
    await store.recordSuccess('wh_1', 200)
    await settle()
    await store.recordSuccess('wh_1', 204)
    store.forget('wh_1')
    state.known = false
    t.equal(clock.pending, 0)
    clock.advance(500)
    await settle()
    t.equal(calls.length, 1)
    const first = store.recordSuccess('wh_1', 200)
    // While its first success is being written.
    store.forget('wh_1')
    t.equal(await first, false)
    await settle()
    t.equal(clock.pending, 0)
    store.forget('wh_2')
  }
)
