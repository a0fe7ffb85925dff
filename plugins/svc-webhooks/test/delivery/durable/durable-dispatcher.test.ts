/** Deliveries over a queue that outlives their dispatcher: stored before they are sent, shared, and never given up. */

import type { Queue } from 'svc-queue'
import { MISSED_HEARTBEATS, QUEUE_OPERATIONS, type QueueOperation } from 'svc-queue/driver'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { deliveriesStore } from '../../../src/delivery/deliveries-queue.ts'
import type { DispatcherParts, DispatchLimits } from '../../../src/delivery/dispatcher.ts'
import { TableWebhooksStore, webhooksStore } from '../../../src/endpoints/endpoint-store.ts'
import { messageId } from '../../../src/signature/message.ts'
import {
  aDispatcher,
  anEndpoint,
  anEvent,
  answered,
  type Fixture,
  LOGIN,
  refused,
  settle
} from '../../support/delivery-fixtures.ts'

const SCHEDULE = [5, 60]

interface Shared {
  readonly clock: ManualClock
  readonly queue: Queue
  /** An instance of the same application: the same endpoints, the same queue. */
  instance(limits?: Partial<DispatchLimits>, parts?: Partial<DispatcherParts>): Fixture
}

function shared(): Shared {
  const clock = new ManualClock()
  const database = memoryDatabase({ clock })
  const queue = deliveriesStore.open(database, { clock })
  const store = inMemory(webhooksStore, { clock })
  const durable = { queue, retryScheduleS: SCHEDULE, random: () => 0 }
  return { clock, queue, instance: (limits, parts) => aDispatcher(limits, { store, clock, durable, ...parts }) }
}

/** Its operations, for those that are put in their place. */
const bound = (queue: Queue) =>
  Object.fromEntries(QUEUE_OPERATIONS.map((name) => [name, queue[name].bind(queue)])) as unknown as Queue

const ids = ({ transport }: Fixture) => transport.sent.map(({ headers }) => headers['webhook-id'])

function closes(t: Test, { dispatcher, transport }: Fixture): void {
  t.teardown(async () => {
    const closing = dispatcher.close()
    await settle()
    transport.finish(answered(200))
    await closing
  })
}

/** What was gathered is written. */
async function written(clock: ManualClock): Promise<void> {
  await settle()
  clock.advance(10)
  await settle()
}

async function pass(clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1000)
    await settle()
  }
}

t.test('what is recorded is stored, sent under a derived id, and gone once it is answered', async (t) => {
  const { instance, queue, clock } = shared()
  const one = instance()
  await anEndpoint(one)
  await one.dispatcher.start()
  closes(t, one)
  one.transport.answer = null
  one.audit.record(LOGIN)
  await one.dispatcher.admitted()
  t.match(await queue.counts(), { waiting: 0, held: 1 })
  await settle()
  t.strictSame(ids(one), [messageId('aud_1', 'wh_1')])
  t.match(await one.dispatcher.state(), { size: 0, inFlight: 1, oldestS: 0 })
  one.transport.finish(answered(200))
  await written(clock)
  t.strictSame(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
  t.match(one.dispatcher.deliveries('wh_1'), [{ ok: true, messageId: messageId('aud_1', 'wh_1') }])
})

t.test(
  'a failed attempt is made again by the schedule, by whichever instance sees it due, and ends after the last',
  async (t) => {
    const { instance, queue, clock } = shared()
    const [one, other] = [instance(), instance()]
    await anEndpoint(one)
    await one.dispatcher.start()
    one.transport.answer = () => refused
    other.transport.answer = () => answered(500)
    one.audit.record(LOGIN)
    await written(clock)
    t.equal(one.transport.sent.length, 1)
    await one.dispatcher.close()
    await other.dispatcher.start()
    closes(t, other)
    await pass(clock, 4)
    t.equal(other.transport.sent.length, 0, 'not before its time')
    await pass(clock, 2)
    t.equal(other.transport.sent.length, 1)
    await pass(clock, 62)
    t.strictSame(ids(other), Array(2).fill(messageId('aud_1', 'wh_1')), 'the same id on every instance')
    t.match(other.dispatcher.deliveries('wh_1'), [{ attempt: 3, outcome: 'exhausted' }])
    t.strictSame(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
  }
)

t.test('more than an instance has room for waits in the queue; nothing is dropped, all of it arrives', async (t) => {
  const { instance, clock } = shared()
  const one = instance({ maxQueue: 20 })
  await anEndpoint(one)
  await one.dispatcher.start()
  closes(t, one)
  for (let index = 0; index < 1000; index += 1) one.audit.record(LOGIN)
  await one.dispatcher.admitted()
  t.ok(one.dispatcher.queue().size + one.dispatcher.queue().inFlight <= 20)
  for (let turn = 0; turn < 200 && one.transport.sent.length < 1000; turn += 1) await written(clock)
  t.equal(new Set(ids(one)).size, 1000)
  t.equal(one.transport.sent.length, 1000, 'each once')
  t.equal(one.dispatcher.droppedOf('wh_1'), 0)
})

t.test('a stop loses nothing: what waits, what comes late and what hangs is there for the next', async (t) => {
  const { instance, queue, clock } = shared()
  const one = instance({ maxConcurrent: 2, deliveryTimeoutMs: 1000 })
  await anEndpoint(one)
  await one.dispatcher.start()
  one.transport.answer = null
  for (let index = 0; index < 10; index += 1) one.audit.record(LOGIN)
  await settle()
  one.dispatcher.drain()
  one.audit.record(LOGIN)
  const closing = one.dispatcher.close()
  await settle()
  clock.advance(1000)
  await closing
  t.match(one.lines, [{ level: 'info', fields: { waiting: 11, held: 0, lost: 0 } }])
  t.equal(one.lines.length, 1)
  t.equal(clock.pending, 0)
  t.match(await queue.counts(), { waiting: 11, held: 0 })
  const next = instance()
  await next.dispatcher.start()
  closes(t, next)
  for (let turn = 0; turn < 20; turn += 1) await written(clock)
  t.equal(new Set(ids(next)).size, 11)
})

t.test('what a silent instance held is taken over, not before it was silent for long enough', async (t) => {
  const { instance, queue, clock } = shared()
  const stopped = new ManualClock(clock.now())
  const [silent, other] = [instance({}, { clock: stopped }), instance()]
  await anEndpoint(silent)
  await silent.dispatcher.start()
  silent.transport.answer = null
  for (let index = 0; index < 3; index += 1) silent.audit.record(LOGIN)
  await settle()
  t.equal(silent.dispatcher.queue().inFlight, 2)
  await other.dispatcher.start()
  closes(t, other)
  await pass(clock, 5 * MISSED_HEARTBEATS - 1)
  t.equal(other.transport.sent.length, 0)
  await pass(clock, 12)
  t.strictSame(ids(other).sort(), [1, 2, 3].map((event) => messageId(`aud_${event}`, 'wh_1')).sort())
  // It goes on, and finds out.
  await pass(stopped, 6)
  t.equal(silent.dispatcher.queue().size, 0, 'it gives up what it has not begun')
  silent.transport.finish(refused)
  await written(stopped)
  await silent.dispatcher.close()
  t.match(await queue.counts(), { waiting: 0, held: 0 })
})

t.test('a deleted endpoint gets nothing any more, on any instance', async (t) => {
  const { instance, queue, clock } = shared()
  const [one, other] = [instance({ maxQueue: 4 }), instance()]
  await anEndpoint(one)
  await anEndpoint(one, { id: 'wh_2', events: ['logout'] })
  await one.dispatcher.start()
  await other.dispatcher.start()
  closes(t, one)
  closes(t, other)
  one.transport.answer = null
  for (let index = 0; index < 20; index += 1) one.audit.record(LOGIN)
  one.audit.record({ ...LOGIN, action: 'logout' })
  await settle()
  await other.store.delete('wh_1')
  other.dispatcher.removed('wh_1')
  await written(clock)
  one.transport.finish(refused)
  await pass(clock, 10)
  t.notOk(other.transport.sent.some(({ url }) => url.endsWith('wh_1')))
  const counts = await queue.counts()
  t.equal(counts.waiting + counts.held, 1, 'that of the other endpoint')
})

t.test('a queue that cannot be reached is said to be so, and takes what was recorded meanwhile later', async (t) => {
  const { queue, instance, clock } = shared()
  let away = false
  const failing = new Proxy(queue, {
    get: (target, name: QueueOperation | 'changes' | 'lanes') => {
      if (name === 'changes' || name === 'lanes') return undefined
      const call = target[name] as (...given: unknown[]) => Promise<unknown>
      return async (...given: unknown[]) => {
        if (away) throw new Error('the database is away')
        return call.apply(target, given)
      }
    }
  })
  const one = instance({}, { durable: { queue: failing, retryScheduleS: SCHEDULE } })
  await anEndpoint(one)
  await one.dispatcher.start()
  closes(t, one)
  away = true
  one.audit.record(LOGIN)
  await t.rejects(one.dispatcher.admitted(), { code: 'SVC_WEBHOOKS_UNAVAILABLE' })
  await t.rejects(one.dispatcher.admitted(), { code: 'SVC_WEBHOOKS_UNAVAILABLE' })
  await t.rejects(one.dispatcher.state(), { code: 'SVC_WEBHOOKS_UNAVAILABLE' })
  t.equal(one.transport.sent.length, 0)
  away = false
  await pass(clock, 2)
  await t.resolves(one.dispatcher.admitted())
  await written(clock)
  t.equal(one.transport.sent.length, 1)
  t.equal((await one.dispatcher.state()).size, 0)
})

t.test("the journal is told of what the queue has no room for; what memory drops is nobody else's", async (t) => {
  const { queue, instance } = shared()
  const away = { admit: () => Promise.reject(new Error('the database is away')) }
  const durable = { queue: { ...bound(queue), ...away }, retryScheduleS: SCHEDULE }
  const [one, inMemory] = [instance({}, { durable }), instance({ maxQueue: 1 }, { durable: null })]
  await anEndpoint(one)
  for (const each of [one, inMemory]) {
    await each.dispatcher.start()
    closes(t, each)
    for (let count = 0; count < 50_000; count += 1) each.audit.record(LOGIN)
    t.equal(each.audit.refused, 0)
    each.audit.record(LOGIN)
  }
  t.strictSame([one.audit.refused, inMemory.audit.refused], [1, 0])
})

for (const how of ['is lost', 'comes too late'] as const) {
  t.test(`a claim whose answer ${how} leaves nothing held`, async (t) => {
    const { queue, instance, clock } = shared()
    let answer: (() => void) | null = null
    const doubtful = new Proxy(queue, {
      get: (target, name: QueueOperation | 'changes' | 'lanes' | 'lateMs') => {
        if (name === 'changes' || name === 'lanes' || name === 'lateMs') return undefined
        if (name !== 'claim' || answer !== null) return target[name].bind(target)
        return async (...given: Parameters<Queue['claim']>) => {
          const found = await target.claim(...given)
          if (found.length === 0) return found
          const late = new Promise<void>((resolve) => {
            answer = resolve
          })
          if (how === 'is lost') throw new Error('the connection ended')
          await late
          return found
        }
      }
    })
    const one = instance({}, { durable: { queue: doubtful, retryScheduleS: SCHEDULE } })
    await anEndpoint(one)
    const before = {
      id: messageId('aud_0', 'wh_1'),
      lane: 'wh_1',
      payload: JSON.stringify(anEvent({ id: 'aud_0' })),
      held: false
    }
    await queue.admit('nobody', [before])
    const starting = one.dispatcher.start()
    closes(t, one)
    await pass(clock, 15)
    await starting
    if (how === 'comes too late') {
      t.match(await queue.counts(), { waiting: 0, held: 1 }, 'not before its answer, which may hold it')
      ;(answer as unknown as () => void)()
      await pass(clock, 6)
    }
    t.strictSame(ids(one), [before.id])
    t.match(await queue.counts(), { waiting: 0, held: 0 })
  })
}

t.test('an endpoint that is switched off drops what waits for it, as in memory', async (t) => {
  const { instance, queue, clock } = shared()
  const one = instance({ maxQueue: 4 })
  const endpoint = await anEndpoint(one)
  await one.dispatcher.start()
  closes(t, one)
  one.transport.answer = null
  for (let index = 0; index < 20; index += 1) one.audit.record(LOGIN)
  await settle()
  const changed = await one.store.update(endpoint.id, { enabled: false })
  one.dispatcher.changed(changed!)
  one.transport.finish(refused)
  await pass(clock, 8)
  const counts = await queue.counts()
  t.equal(counts.waiting + counts.held, 0)
})

/** How many times the one that is well has to answer until it has everything. */
async function answers(t: Test, dead: number): Promise<number> {
  const { instance, clock } = shared()
  const one = instance()
  await anEndpoint(one, { id: 'wh_well' })
  for (let index = 0; index < dead; index += 1) await anEndpoint(one, { id: `wh_dead_${index}` })
  await one.dispatcher.start()
  closes(t, one)
  one.transport.answer = null
  const well = () => one.transport.sent.filter(({ url }) => url.endsWith('wh_well')).length
  for (let index = 0; index < 100; index += 1) one.audit.record(LOGIN)
  await settle()
  let rounds = 0
  for (; rounds < 400 && well() < 100; rounds += 1) {
    one.transport.finish(answered(200), { id: 'wh_well' })
    await written(clock)
  }
  t.equal(well(), 100)
  t.ok(one.transport.most <= 8)
  return rounds
}

t.test('fifty endpoints that hang cost the one that is well less than as much again', async (t) => {
  const [alone, beside] = [await answers(t, 0), await answers(t, 50)]
  t.ok(beside <= 2 * alone, `${beside} answers beside them, ${alone} alone`)
})

/** Cannot be asked for its endpoints while it is away. */
class AwayStore extends TableWebhooksStore {
  away = true

  override async enabled() {
    if (this.away) throw new Error('no connection')
    return super.enabled()
  }
}

t.test(
  'an instance that has no endpoints yet cannot store, says so, and makes up for it with all of them',
  async (t) => {
    const { clock, queue, instance } = shared()
    const ahead = new ManualClock(clock.now() + 600_000)
    const store = new AwayStore(memoryDatabase({ clock: ahead }), { clock: ahead })
    const one = instance({}, { store })
    await anEndpoint(one)
    await one.dispatcher.start()
    closes(t, one)
    await one.dispatcher.admitted()
    one.transport.answer = null
    one.audit.record(LOGIN)
    await t.rejects(one.dispatcher.admitted(), { code: 'SVC_WEBHOOKS_UNAVAILABLE' })
    t.match(await queue.counts(), { waiting: 0, held: 0 })
    store.away = false
    await one.dispatcher.admitted()
    t.match(await queue.counts(), { waiting: 0, held: 1 }, 'registered later, by the clock of the one that did it')
  }
)
