/** What one instance changes of the endpoints, another knows within a second, without an event in between. */

import type { Queue } from 'svc-queue'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { deliveriesStore } from '../../src/delivery/deliveries-queue.ts'
import { webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { type EndpointVersion, endpointVersionStore } from '../../src/endpoints/endpoint-version.ts'
import { aDispatcher, anEndpoint, type Fixture, LOGIN, settle } from '../support/delivery-fixtures.ts'

function instances(given: (version: EndpointVersion) => EndpointVersion = (version) => version) {
  const clock = new ManualClock()
  const version = given(endpointVersionStore.open(memoryDatabase({ clock }), { clock }))
  const store = inMemory(webhooksStore, { clock })
  const instance = () => aDispatcher({ snapshotTtlS: 3600 }, { store, clock, version })
  const second = async () => {
    await settle()
    clock.advance(1000)
    await settle()
  }
  return { clock, version, second, one: instance(), other: instance() }
}

t.test('a new, a changed and a deleted endpoint reach the other instance within a second', async (t) => {
  const { one, other, second, clock } = instances()
  for (const { dispatcher } of [one, other]) await dispatcher.start()
  const sent = async () => {
    const before = other.transport.sent.length
    other.audit.record(LOGIN)
    await settle()
    return other.transport.sent.length - before
  }
  await second()
  one.dispatcher.changed(await anEndpoint(one))
  await second()
  t.equal(await sent(), 1, 'new')
  const changed = await one.store.update('wh_1', { events: ['logout'] })
  one.dispatcher.changed(changed!)
  await second()
  t.equal(await sent(), 0, 'changed')
  await one.store.update('wh_1', { events: ['*'] }).then((record) => one.dispatcher.changed(record!))
  await second()
  t.equal(await sent(), 1)
  await one.store.delete('wh_1')
  one.dispatcher.removed('wh_1')
  await second()
  t.equal(await sent(), 0, 'deleted')
  for (const { dispatcher } of [one, other]) await dispatcher.close()
  t.equal(clock.pending, 0)
})

t.test('while nothing changes one row is read a second, and no endpoints', async (t) => {
  let reads = 0
  const { one, second } = instances((version) => ({
    read: () => {
      reads += 1
      return version.read()
    },
    increment: () => version.increment()
  }))
  await one.dispatcher.start()
  await second()
  let loads = 0
  const { enabled } = one.store
  one.store.enabled = () => {
    loads += 1
    return enabled.call(one.store)
  }
  for (let index = 0; index < 10; index += 1) await second()
  t.equal(reads, 11)
  t.equal(loads, 0)
  await one.dispatcher.close()
})

t.test('a version that cannot be read or counted is logged, and asked for again', async (t) => {
  let away = false
  const { one, other, second } = instances((version) => ({
    read: async () => (away ? Promise.reject(new Error('away')) : version.read()),
    increment: async () => (away ? Promise.reject(new Error('away')) : version.increment())
  }))
  for (const { dispatcher } of [one, other]) await dispatcher.start()
  await second()
  away = true
  await second()
  one.dispatcher.changed(await anEndpoint(one))
  await settle()
  t.match(one.lines, [{ fields: { code: 'SVC_WEBHOOKS_STORE' } }, { fields: { code: 'SVC_WEBHOOKS_STORE' } }])
  away = false
  one.dispatcher.changed((await one.store.find('wh_1'))!)
  await second()
  other.audit.record(LOGIN)
  await settle()
  t.equal(other.transport.sent.length, 1)
  for (const { dispatcher } of [one, other]) await dispatcher.close()
})

t.test('where instances can tell each other, it is known at once, and without a database too', async (t) => {
  const clock = new ManualClock()
  const store = inMemory(webhooksStore, { clock })
  const listeners = new Set<() => void>()
  const changes = {
    announce: async () => {
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
  const kept = deliveriesStore.open(memoryDatabase({ clock }), { clock })
  const queue: Queue = new Proxy(kept, {
    get: (target, name: keyof Queue) => {
      if (name === 'changes') return changes
      return name === 'lanes' || name === 'lateMs' ? undefined : target[name].bind(target)
    }
  })
  const durable = { queue, retryScheduleS: [5], random: () => 0 }
  const [one, other] = [0, 1].map(() => aDispatcher({ snapshotTtlS: 3600 }, { store, clock, durable })) as [
    Fixture,
    Fixture
  ]
  for (const { dispatcher } of [one, other]) await dispatcher.start()
  t.equal(listeners.size, 2)
  one.dispatcher.changed(await anEndpoint(one))
  await settle(10)
  other.audit.record(LOGIN)
  await other.dispatcher.admitted()
  const { waiting, held } = await queue.counts()
  t.equal(waiting + held, 1, 'the other knows it, and no time has passed')
  await settle(10)
  for (const { dispatcher } of [one, other]) await dispatcher.close()
  t.equal(listeners.size, 0)
  t.equal(clock.pending, 0)
})
