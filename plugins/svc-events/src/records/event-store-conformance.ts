/** The suite of the `events` brick: what the store of events promises, on every engine. */
import assert from 'node:assert/strict'
import {
  aCase,
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  refused,
  runCases,
  STRANGE_TEXTS,
  strangeJson
} from 'svc-stores/conformance'
import type { StoredEvent } from './event-record.ts'
import type { EventStore, HandOn } from './event-store.ts'

const T0 = Date.UTC(2026, 0, 1)

const idOf = (number: number) => `019b7d3e-5c00-7000-8000-${String(number).padStart(12, '0')}`

function anEvent(number: number, given: Partial<StoredEvent> = {}): StoredEvent {
  const plain = {
    type: 'ticket.created',
    version: 1,
    organization: 'acme',
    ts: T0 + number,
    data: { number },
    cause: null
  }
  return { id: idOf(number), ...plain, ...given }
}

const handing = (event: StoredEvent, given: Partial<HandOn> = {}): HandOn => {
  return { event, keepsData: true, deliveries: [], besides: async () => undefined, ...given }
}

const operations: Operations<EventStore> = {
  outbox: (store) => store.outbox.counts(),
  deliveries: (store) => store.deliveries.counts(),
  add: (store) => store.add(anEvent(1), null),
  handOn: (store) => store.handOn(handing(anEvent(1))),
  find: (store) => store.find('acme', idOf(1)),
  list: (store) => store.list('acme', {}, { limit: 1 }),
  purge: (store) => store.purge(1),
  forget: (store) => store.forget('acme')
}

async function idsOf(store: EventStore, organization: string, filter: object = {}): Promise<string[]> {
  return (await store.list(organization, filter, { limit: 1000 })).map(({ id }) => id)
}

async function waiting(store: EventStore, queue: 'outbox' | 'deliveries', lane: string): Promise<string[]> {
  return (await store[queue].pending(lane, 100)).next.map(({ id }) => id)
}

const cases: readonly ConformanceCase<EventStore>[] = [
  aCase('an event waits in the outbox of its organisation, whole', async ({ store }) => {
    const event = anEvent(1, { data: strangeJson() })
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await store.add(event, traceparent)
    const { next } = await store.outbox.pending('acme', 10)
    assert.equal(next.length, 1)
    assert.equal(next[0]?.traceparent, traceparent)
    assert.equal(next[0]?.payload, JSON.stringify(event))
    assert.deepEqual(await waiting(store, 'outbox', 'globex'), [])
    assert.deepEqual(await idsOf(store, 'acme'), [], 'the journal has what was handed on')
  }),
  aCase('what follows from an event is written once, however many hand it on', async ({ store }) => {
    const delivery = { id: 'msg_1', lane: 'wh_1', payload: '{}' }
    let besides = 0
    const handOn = handing(anEvent(1), {
      deliveries: [delivery],
      besides: async () => {
        besides += 1
      }
    })
    assert.equal(await store.handOn(handOn), true)
    assert.equal(besides, 1)
    const again = await atOnce(3, () => store.handOn(handOn))
    assert.deepEqual(again, [false, false, false])
    assert.equal(besides, 1)
    assert.deepEqual(await waiting(store, 'deliveries', 'wh_1'), ['msg_1'])
    assert.deepEqual(await store.find('acme', idOf(1)), anEvent(1))
  }),
  aCase('who caused an event is kept with it', async ({ store }) => {
    const event = anEvent(1, { cause: { user: 'ä@x.io', token: 'session', requestId: 'req-1', job: null } })
    await store.handOn(handing(event))
    assert.deepEqual(await store.find('acme', idOf(1)), event)
  }),
  aCase('what cannot be written is tried again whole', async ({ store }) => {
    const failing = async () => {
      throw new Error('no')
    }
    await assert.rejects(store.handOn(handing(anEvent(1), { besides: failing })), /no/)
    assert.equal(await store.find('acme', idOf(1)), null)
    assert.equal(await store.handOn(handing(anEvent(1))), true)
  }),
  aCase('an organisation finds and lists its own events alone', async ({ store }) => {
    for (const number of [1, 2, 3, 4]) {
      const organization = number % 2 === 0 ? 'acme' : 'globex'
      await store.handOn(handing(anEvent(number, { organization })))
    }
    assert.deepEqual(await idsOf(store, 'acme'), [idOf(4), idOf(2)])
    assert.deepEqual(await idsOf(store, 'globex'), [idOf(3), idOf(1)])
    assert.deepEqual(await idsOf(store, 'initech'), [])
    assert.equal(await store.find('acme', idOf(1)), null)
  }),
  aCase('filters in the store, and walks both ways', async ({ store }) => {
    for (let number = 1; number <= 7; number += 1) {
      await store.handOn(handing(anEvent(number, { type: number > 5 ? 'ticket.closed' : 'ticket.created' })))
    }
    const rows: [object, number[]][] = [
      [{ type: 'ticket.closed' }, [7, 6]],
      [{ type: 'ticket.%' }, []],
      [{ since: T0 + 6 }, [7, 6]],
      [{ since: T0 + 2, until: T0 + 3 }, [3, 2]]
    ]
    for (const [filter, numbers] of rows) assert.deepEqual(await idsOf(store, 'acme', filter), numbers.map(idOf))
    const second = await store.list('acme', {}, { limit: 3, cursor: idOf(5) })
    assert.deepEqual(
      second.map(({ id }) => id),
      [4, 3, 2].map(idOf)
    )
    const oldest = await store.list('acme', {}, { limit: 2, cursor: idOf(1), oldestFirst: true })
    assert.deepEqual(
      oldest.map(({ id }) => id),
      [2, 3].map(idOf)
    )
    for (const filter of [{ q: 'x' }, { type: undefined }, { since: '0' }, { organization: 'globex' }]) {
      await refused(() => store.list('acme', filter as never, { limit: 1 }), 'SVC_STORE_FILTER')
    }
    for (const limit of [0, 1001]) await refused(() => store.list('acme', {}, { limit }), 'SVC_STORE_PAGE')
  }),
  aCase('without a journal an event is marked, and no more', async ({ store }) => {
    assert.equal(await store.handOn(handing(anEvent(1), { keepsData: false })), true)
    assert.equal(await store.handOn(handing(anEvent(1), { keepsData: false })), false)
    assert.deepEqual(await idsOf(store, 'acme'), [])
    assert.equal(await store.find('acme', idOf(1)), null)
  }),
  aCase('held to an age, and forgotten with its organisation', async ({ store }) => {
    for (const number of [1, 2, 3]) await store.handOn(handing(anEvent(number)))
    await store.handOn(handing(anEvent(4, { organization: 'globex' })))
    await store.add(anEvent(5), null)
    await store.add(anEvent(6, { organization: 'globex' }), null)
    assert.equal(await store.purge(T0 + 2), 1)
    assert.deepEqual(await idsOf(store, 'acme'), [3, 2].map(idOf))
    assert.equal(await store.forget('acme'), 2)
    assert.deepEqual(await idsOf(store, 'acme'), [])
    assert.deepEqual(await waiting(store, 'outbox', 'acme'), [])
    assert.deepEqual(await idsOf(store, 'globex'), [idOf(4)])
    assert.deepEqual(await waiting(store, 'outbox', 'globex'), [idOf(6)])
  }),
  aCase('strange data is kept as it is', async ({ store }) => {
    for (const [number, text] of STRANGE_TEXTS.entries()) {
      const event = anEvent(number, { data: text })
      await store.handOn(handing(event))
      assert.deepEqual(await store.find('acme', event.id), event)
    }
    for (const [number, data] of [null, 0, false, [], [1, [2]]].entries()) {
      const event = anEvent(1000 + number, { data })
      await store.handOn(handing(event))
      assert.deepEqual(await store.find('acme', event.id), event)
    }
  })
]

/** Proves a store of events. @param runner tap's `t`, or any runner with `test(name, body)` */
export function eventStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<EventStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
