/** Instances that share a store see each other by their heartbeats, whatever their clocks say. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { instancesStoreConformance } from '../../src/instances/instances-conformance.ts'
import { type InstancesStore, instancesStore } from '../../src/instances/instances-store.ts'
import { HEARTBEAT_MS, Presence, type ShownInstance } from '../../src/instances/presence.ts'

const figures = { requests: 7, failures: 1, p95Ms: 2.5, busy: 0.5, rss: 1000, waiting: 2 }

/** What a store is asked settles before the next step. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

class House {
  readonly lines: string[] = []
  readonly store: InstancesStore = inMemory(instancesStore, { clock: new ManualClock() })
  broken = false

  instance(name: string, clock: ManualClock) {
    const state = { leaving: false }
    const note = (level: string) => (_fields: object, text: string) => void this.lines.push(`${level}: ${text}`)
    const fails = new Proxy(this.store, {
      get: (store, key) =>
        this.broken ? async () => Promise.reject(new Error('away')) : Reflect.get(store, key).bind(store)
    })
    const presence = new Presence({
      store: () => fails,
      name,
      clock,
      log: { warn: note('warn'), debug: note('debug') } as never,
      figures: () => figures,
      leaving: () => state.leaving
    })
    return { presence, state, clock }
  }
}

async function pass(clocks: readonly ManualClock[], beats: number): Promise<void> {
  for (let beat = 0; beat < beats; beat += 1) {
    for (const clock of clocks) clock.advance(HEARTBEAT_MS)
    await settled()
  }
}

function seen(instances: readonly ShownInstance[], name: string): ShownInstance | undefined {
  return instances.find((each) => each.name === name)
}

t.test('the store in memory', (t) =>
  instancesStoreConformance(t, { makeStore: (parts) => inMemory(instancesStore, parts), faults: null })
)

t.test('what one writes, the other shows: unconfirmed until its heartbeat moves, then serving', async (t) => {
  const house = new House()
  const clock = new ManualClock()
  const [one, two] = [house.instance('one', clock), house.instance('two', clock)]
  two.presence.start()
  await settled()
  one.presence.start()
  await settled()
  t.match(seen(await one.presence.view(), 'two'), { state: 'unconfirmed', silentMs: 0, figures, pid: process.pid })
  await pass([clock], 2)
  const view = await one.presence.view()
  t.match(view, [
    { id: one.presence.id, name: 'one', state: 'serving', silentMs: 0 },
    { name: 'two', state: 'serving' }
  ])
  t.ok((seen(view, 'two')?.silentMs ?? Infinity) <= HEARTBEAT_MS)
})

t.test('an instance that dies is silent after three heartbeats, and forgotten after ten minutes', async (t) => {
  const house = new House()
  const [clock, other] = [new ManualClock(), new ManualClock()]
  const [one, two] = [house.instance('one', clock), house.instance('two', other)]
  one.presence.start()
  two.presence.start()
  await settled()
  await pass([clock, other], 3)
  await pass([clock], 2)
  t.match(seen(await one.presence.view(), 'two'), { state: 'serving' })
  await pass([clock], 1)
  t.match(seen(await one.presence.view(), 'two'), { state: 'silent' })
  await pass([clock], 120)
  t.equal(seen(await one.presence.view(), 'two'), undefined)
  t.equal((await house.store.list()).length, 1)
  await pass([clock, other], 2)
  t.match(seen(await one.presence.view(), 'two'), { state: 'serving' }, 'it was only stopped')
})

t.test('clocks that are hours apart hide nobody, and the difference is told', async (t) => {
  const house = new House()
  const start = Date.UTC(2026, 0, 1)
  const clocks = [new ManualClock(start), new ManualClock(start + 7_200_000), new ManualClock(start - 7_200_000)]
  const [one, ahead, behind] = ['one', 'ahead', 'behind'].map((name, index) =>
    house.instance(name, clocks[index] as ManualClock)
  )
  for (const each of [one, ahead, behind]) each?.presence.start()
  await settled()
  await pass(clocks, 3)
  const view = (await one?.presence.view()) ?? []
  t.match(seen(view, 'one'), { state: 'serving', clockOffMs: 0 })
  for (const [name, off] of [
    ['ahead', 7_200_000],
    ['behind', -7_200_000]
  ] as const) {
    const { state, clockOffMs = 0 } = seen(view, name) ?? {}
    t.equal(state, 'serving', name)
    t.ok(Math.abs(clockOffMs - off) <= HEARTBEAT_MS, `${name}: ${clockOffMs}`)
  }
  const [mine] = clocks
  mine?.advance(-3_600_000)
  await pass(clocks, 4)
  t.strictSame(
    new Set(((await one?.presence.view()) ?? []).map(({ state }) => state)),
    new Set(['serving']),
    'set back'
  )
})

t.test('who is about to stop says so with its next heartbeat; its row goes when it closes', async (t) => {
  const house = new House()
  const clock = new ManualClock()
  const [one, two] = [house.instance('one', clock), house.instance('two', clock)]
  one.presence.start()
  two.presence.start()
  await settled()
  await pass([clock], 1)
  two.state.leaving = true
  t.match(seen(await two.presence.view(), 'two'), { state: 'leaving' })
  await pass([clock], 1)
  t.match(seen(await one.presence.view(), 'two'), { state: 'leaving' })
  clock.advance(HEARTBEAT_MS)
  await two.presence.leave()
  t.equal(seen(await one.presence.view(), 'two'), undefined)
  await pass([clock], 3)
  t.equal((await house.store.list()).length, 1, 'no heartbeat brings it back')
  await house.instance('never', clock).presence.leave()
  t.equal((await house.store.list()).length, 1, 'one that never served has none')
})

t.test('a store that is away is told once; the view says that it cannot know', async (t: Test) => {
  const house = new House()
  const clock = new ManualClock()
  const { presence } = house.instance('one', clock)
  presence.start()
  await settled()
  house.broken = true
  await pass([clock], 4)
  t.strictSame(
    house.lines.filter((line) => line.startsWith('warn')),
    ['warn: the heartbeat of this instance could not be written']
  )
  await t.rejects(presence.view(), { message: 'away' })
  house.broken = false
  await pass([clock], 1)
  t.match(await presence.view(), [{ name: 'one' }])
  house.broken = true
  await pass([clock], 1)
  t.equal(house.lines.filter((line) => line.startsWith('warn')).length, 2)
})

t.test('without a store an instance knows itself', async (t) => {
  const clock = new ManualClock()
  const log = {} as never
  const presence = new Presence({
    store: () => null,
    name: 'x',
    clock,
    log,
    figures: () => figures,
    leaving: () => false
  })
  presence.start()
  await settled()
  t.match(await presence.view(), [{ name: 'x', state: 'serving', figures }])
  await presence.leave()
})
