/** The events in memory against a plain list that says what must be left, and in which order. */
import type { AuditEvent } from 'svc-kernel'
import t from 'tap'
import { AuditMemory } from '../../src/storage/audit-memory.ts'
import { CountedEvent } from '../../src/storage/counted-event.ts'

const event = (id: string) => ({ id }) as AuditEvent
const ids = (memory: AuditMemory) =>
  [...memory.newest()].map(({ id, metadata }) => (metadata === undefined ? id : `${id}x${metadata.count}`)).join(' ')

t.test('first in, first out, of one kind and of both', async (t) => {
  const others = new AuditMemory(4)
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) others.push(event(id))
  t.equal(ids(others), 'f e d c')
  const refusals = new AuditMemory(4)
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) refusals.push(event(id), true)
  t.equal(ids(refusals), 'f e d c')
  t.equal(refusals.size, 4)
})

t.test('refusals take half of the room from others, and no more', async (t) => {
  const memory = new AuditMemory(4)
  for (const id of ['a', 'b', 'c', 'd']) memory.push(event(id))
  for (const id of ['1', '2', '3', '4', '5']) memory.push(event(id), true)
  t.equal(ids(memory), '5 4 d c')
  memory.push(event('e'))
  t.equal(ids(memory), 'e 5 4 d', 'the oldest of all goes, while refusals hold no more than half')
  for (const id of ['f', 'g', 'h']) memory.push(event(id))
  t.equal(ids(memory), 'h g f e')
})

t.test('an event counts where it is, as long as it is there', async (t) => {
  const memory = new AuditMemory(4)
  const counters = ['1', '2', '3'].map((id) => new CountedEvent(event(id)))
  for (const counter of counters) memory.push(counter, true)
  memory.push(event('a'))
  const [first, second, third] = counters as [CountedEvent, CountedEvent, CountedEvent]
  t.ok(second.add(7))
  t.equal(ids(memory), 'a 3 2x2 1')
  t.ok(second.add(8))
  t.equal(ids(memory), 'a 3 2x3 1')
  t.equal(second.read(), second.read(), 'one frozen event, until it counts again')
  t.ok(Object.isFrozen(second.read()) && Object.isFrozen(second.read().metadata))
  memory.push(event('b'))
  memory.push(event('c'))
  t.equal(ids(memory), 'c b a 3')
  t.notOk(first.add(9))
  t.notOk(second.add(9))
  t.ok(third.add(9))
  t.equal(ids(memory), 'c b a 3x2')
})

t.test('what does not match is removed, and the rest keeps its order and its places', async (t) => {
  const memory = new AuditMemory(6)
  for (const id of ['a', 'b', 'c', 'd']) memory.push(event(id))
  const [kept, removed] = [new CountedEvent(event('1')), new CountedEvent(event('2'))]
  memory.push(kept, true)
  memory.push(removed, true)
  t.equal(
    memory.retain(({ id }) => id !== 'b' && id !== '2'),
    2
  )
  t.equal(ids(memory), '1 d c a')
  t.equal(
    memory.retain(() => true),
    0
  )
  t.ok(kept.add(1))
  t.notOk(removed.add(1))
  memory.push(event('e'))
  t.equal(ids(memory), 'e 1x2 d c a')
  t.equal(
    memory.retain(() => false),
    5
  )
  t.equal(ids(memory), '')
  t.equal(memory.size, 0)
})
