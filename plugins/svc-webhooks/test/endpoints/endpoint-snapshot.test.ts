/** The snapshot: at boot, with changes, after its time, and while a load is under way. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock } from 'svc-kernel'
import { traceFrom } from 'svc-kernel/plugin'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import type { WebhookRecord } from '../../src/endpoints/endpoint.ts'
import { createEndpointSecrets } from '../../src/endpoints/endpoint-secrets.ts'
import { EndpointSnapshot, type HeldEvent } from '../../src/endpoints/endpoint-snapshot.ts'
import { webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { anEndpoint, anEvent, listeningLog, settle } from '../support/delivery-fixtures.ts'

const secrets = createEndpointSecrets(Buffer.alloc(32, 7))

function setUp(ttlS = 30) {
  const clock = new ManualClock()
  const store = inMemory(webhooksStore, { clock })
  const { log, lines } = listeningLog()
  let loads = 0
  let gate: Promise<unknown> = Promise.resolve()
  const counted = {
    enabled: async () => {
      loads += 1
      // Read first, held back afterwards: what is loaded gets old meanwhile.
      const read = await store.enabled()
      await gate
      return read
    }
  }
  const late: string[] = []
  const traces: (string | null)[] = []
  const onLate = (endpointId: string, { event, traceparent }: HeldEvent) => {
    traces.push(traceparent)
    return late.push(`${endpointId} ${event.id}`) > 0
  }
  const snapshot = new EndpointSnapshot({ store: counted, clock, log, ttlS, onLate })
  const hold = () => {
    let opening: { resolve: () => void; reject: (error: Error) => void } | undefined
    gate = new Promise<void>((resolve, reject) => {
      opening = { resolve, reject }
    })
    return { open: () => opening?.resolve(), fail: (error: Error) => opening?.reject(error) }
  }
  return { clock, store, snapshot, lines, hold, late, traces, loads: () => loads }
}

const login = anEvent()

t.test('what was loaded, without the disabled, the events about webhooks and the actions nobody wants', async (t) => {
  const { store, snapshot } = setUp()
  await anEndpoint({ store, secrets }, { id: 'wh_1', events: ['login.*'] })
  await anEndpoint({ store, secrets }, { id: 'wh_2', events: ['*'], enabled: false })
  await anEndpoint({ store, secrets }, { id: 'wh_3', events: ['*', 'webhook.*'] })
  await snapshot.load()
  t.strictSame([...snapshot.recipients(login)].sort(), ['wh_1', 'wh_3'])
  t.strictSame(snapshot.recipients(anEvent({ action: 'token.revoked' })), ['wh_3'])
  t.strictSame(snapshot.recipients(anEvent({ category: 'webhook', action: 'webhook.created' })), [])
})

t.test('an event that waits for a load keeps the trace in which it was recorded', async (t) => {
  const { store, snapshot, hold, traces } = setUp()
  await anEndpoint({ store, secrets })
  const active = new AsyncLocalStorage<string>()
  t.teardown(traceFrom(() => active.getStore() ?? null))
  const gate = hold()
  const [first, second] = ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '00-4bf9-of-another-01']
  active.run(first, () => snapshot.recipients(login))
  active.run(second, () => snapshot.recipients(anEvent({ id: 'evt_2' })))
  snapshot.recipients(anEvent({ id: 'evt_3' }))
  gate.open()
  await snapshot.load()
  t.strictSame(traces, [first, second, null])
})

t.test('changes made here hold at once', async (t) => {
  const { store, snapshot } = setUp()
  await snapshot.load()
  const endpoint = await anEndpoint({ store, secrets }, { events: ['login.*'] })
  t.strictSame(snapshot.recipients(login), [])
  snapshot.set(endpoint)
  t.strictSame(snapshot.recipients(login), ['wh_1'])
  snapshot.set({ ...endpoint, events: ['token.*'] })
  t.strictSame(snapshot.recipients(login), [])
  snapshot.set(endpoint)
  snapshot.set({ ...endpoint, enabled: false })
  t.strictSame(snapshot.recipients(login), [])
  snapshot.set(endpoint)
  snapshot.remove('wh_1')
  snapshot.remove('wh_1')
  t.strictSame(snapshot.recipients(login), [])
})

t.test('the first event after its time loads it, once; there is no timer', async (t) => {
  const { clock, store, snapshot, loads } = setUp()
  await snapshot.load()
  await anEndpoint({ store, secrets })
  clock.advance(29_999)
  t.strictSame(snapshot.recipients(login), [])
  await settle()
  t.equal(loads(), 1)
  t.equal(clock.pending, 0, 'nothing is armed')
  clock.advance(1)
  t.equal(loads(), 1)
  t.strictSame(snapshot.recipients(login), [], 'the event itself does not wait')
  snapshot.recipients(login)
  t.equal(loads(), 1, 'nor does its producer pay for it')
  await settle()
  t.equal(loads(), 2)
  t.strictSame(snapshot.recipients(login), ['wh_1'])
  await settle()
  t.equal(loads(), 2)
})

t.test(
  'events about webhooks and a clock that was set back also ask for a load; 0 asks with every event',
  async (t) => {
    const first = setUp()
    await first.snapshot.load()
    first.clock.advance(30_000)
    first.snapshot.recipients(anEvent({ category: 'webhook', action: 'webhook.created' }))
    await settle()
    t.equal(first.loads(), 2)

    const eager = setUp(0)
    await eager.snapshot.load()
    eager.snapshot.recipients(login)
    await settle()
    eager.snapshot.recipients(login)
    await settle()
    t.equal(eager.loads(), 3)

    let loads = 0
    const store = {
      enabled: async () => {
        loads += 1
        return []
      }
    }
    const onSystem = new EndpointSnapshot({ store, clock: systemClock, log: listeningLog().log, ttlS: 30 })
    await onSystem.load()
    onSystem.recipients(anEvent({ ts: Date.now() }))
    await settle()
    t.equal(loads, 1, 'the time of the event counts')
    onSystem.recipients(anEvent({ ts: Date.now() + 31_000 }))
    await settle()
    t.equal(loads, 2)
    onSystem.recipients(anEvent({ ts: Date.now() - 31_000 }))
    await settle()
    t.equal(loads, 3)
  }
)

t.test('a load under way neither resurrects nor forgets what changed here meanwhile', async (t) => {
  const { clock, store, snapshot, hold } = setUp()
  const rows: WebhookRecord[] = []
  for (const id of ['wh_gone', 'wh_off', 'wh_kept']) rows.push(await anEndpoint({ store, secrets }, { id }))
  await snapshot.load()
  clock.advance(30_000)
  const held = hold()
  snapshot.recipients(login)
  await settle()
  await store.delete('wh_gone')
  snapshot.remove('wh_gone')
  snapshot.set({ ...rows[1]!, enabled: false })
  snapshot.set(await anEndpoint({ store, secrets }, { id: 'wh_new' }))
  held.open()
  await settle()
  t.strictSame(snapshot.recipients(login), ['wh_kept', 'wh_new'])
  snapshot.set(rows[1]!)
  clock.advance(30_000)
  snapshot.recipients(login)
  await settle()
  t.strictSame([...snapshot.recipients(login)].sort(), ['wh_kept', 'wh_new', 'wh_off'], 'the next load is not bent')
})

t.test('a store that fails leaves what is known, is logged, and is asked again soon', async (t) => {
  const { clock, store, snapshot, lines, hold, loads } = setUp()
  await anEndpoint({ store, secrets })
  await snapshot.load()
  clock.advance(30_000)
  hold().fail(new Error('the database is away'))
  snapshot.recipients(login)
  await settle()
  t.match(lines, [{ level: 'error', fields: { code: 'SVC_WEBHOOKS_STORE' } }])
  t.strictSame(snapshot.recipients(login), ['wh_1'])
  clock.advance(999)
  snapshot.recipients(login)
  await settle()
  t.equal(loads(), 2)
  clock.advance(1)
  hold().open()
  snapshot.recipients(login)
  await settle()
  t.equal(loads(), 3)
  t.equal(lines.length, 1)
})

t.test('a store that never answers does not end the loads', async (t) => {
  const { clock, store, snapshot, lines, hold } = setUp()
  hold()
  const first = snapshot.load()
  await settle()
  clock.advance(10_000)
  await first
  t.match(lines, [{ fields: { err: { code: 'SVC_WEBHOOKS_TIMEOUT' } } }])
  hold().open()
  await anEndpoint({ store, secrets })
  await snapshot.load()
  t.strictSame(snapshot.recipients(login), ['wh_1'])
})

t.test('a load does not run in the context of the request whose event began it', async (t) => {
  const context = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const store = {
    enabled: async () => {
      seen.push(context.getStore())
      return []
    }
  }
  const snapshot = new EndpointSnapshot({ store, clock: new ManualClock(), log: listeningLog().log, ttlS: 30 })
  context.run('a request', () => snapshot.recipients(login))
  await settle()
  t.strictSame(seen, [undefined])
})

t.test(
  'W5: an event that asks for a load is sent to endpoints that another instance registered before it',
  async (t) => {
    const { clock, store, snapshot, hold, late } = setUp()
    await anEndpoint({ store, secrets }, { id: 'wh_known' })
    await snapshot.load()
    await anEndpoint({ store, secrets }, { id: 'wh_elsewhere', events: ['login.*'] })
    await anEndpoint({ store, secrets }, { id: 'wh_unconcerned', events: ['token.*'] })
    clock.advance(30_000)
    const held = hold()
    const [first, second, later] = ['aud_1', 'aud_2', 'aud_3'].map((id) => anEvent({ id, ts: clock.now() }))
    t.strictSame(snapshot.recipients(first!), ['wh_known'])
    t.strictSame(snapshot.recipients(second!), ['wh_known'])
    snapshot.recipients(anEvent({ id: 'aud_own', category: 'webhook', action: 'webhook.test', ts: clock.now() }))
    clock.advance(10)
    snapshot.set(await anEndpoint({ store, secrets }, { id: 'wh_here' }))
    t.strictSame(late, [], 'not before the load')
    held.open()
    await settle()
    t.strictSame(late, ['wh_elsewhere aud_1', 'wh_elsewhere aud_2'])
    t.ok(snapshot.recipients(later!).includes('wh_elsewhere'))
    t.equal(late.length, 2, 'each once')
  }
)

t.test(
  'W5: no event goes to an endpoint that was registered after it; a load that fails lets the events go',
  async (t) => {
    const { clock, store, snapshot, hold, late } = setUp()
    await snapshot.load()
    clock.advance(30_000)
    hold().fail(new Error('the database is away'))
    snapshot.recipients(anEvent({ ts: clock.now() }))
    await settle()
    clock.advance(1000)
    const held = hold()
    const before = anEvent({ ts: clock.now() })
    clock.advance(1)
    await anEndpoint({ store, secrets })
    snapshot.recipients(before)
    await settle()
    held.open()
    await settle()
    t.strictSame(late, [])
  }
)

t.test('W5: a burst that waits for a load is bounded', async (t) => {
  const { clock, store, snapshot, hold, late } = setUp()
  await anEndpoint({ store, secrets })
  const held = hold()
  for (let index = 0; index < 3000; index += 1) snapshot.recipients(anEvent({ ts: clock.now() }))
  held.open()
  await settle()
  t.equal(late.length, 1000)
})
