/** The events in memory against a plain list that says what must be left, and in which order. */
import type { AuditEvent } from 'svc-kernel'
import t from 'tap'
import { AuditMemory } from '../../src/storage/audit-memory.ts'

const event = (id: string) => ({ id }) as AuditEvent
const ids = (memory: AuditMemory) => [...memory.newest()].map(({ id }) => id).join(' ')

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

t.test('a refusal is replaced where it is, as long as it is there', async (t) => {
  const memory = new AuditMemory(4)
  const positions = ['1', '2', '3'].map((id) => memory.push(event(id), true))
  memory.push(event('a'))
  t.ok(memory.replace(positions[1] as number, event('2x')))
  t.equal(ids(memory), 'a 3 2x 1')
  memory.push(event('b'))
  memory.push(event('c'))
  t.equal(ids(memory), 'c b a 3')
  for (const position of [positions[0], positions[1], 99, -1]) t.notOk(memory.replace(position as number, event('x')))
  t.notOk(memory.replace(3, event('x')), 'others are not replaced')
  t.ok(memory.replace(positions[2] as number, event('3x')))
  t.equal(ids(memory), 'c b a 3x')
})

t.test('what does not match is removed, and the rest keeps its order and its places', async (t) => {
  const memory = new AuditMemory(6)
  for (const id of ['a', 'b', 'c', 'd']) memory.push(event(id))
  const kept = memory.push(event('1'), true)
  memory.push(event('2'), true)
  t.equal(
    memory.retain(({ id }) => id !== 'b' && id !== '2'),
    2
  )
  t.equal(ids(memory), '1 d c a')
  t.equal(
    memory.retain(() => true),
    0
  )
  t.ok(memory.replace(kept, event('1x')))
  memory.push(event('e'))
  t.equal(ids(memory), 'e 1x d c a')
  t.equal(
    memory.retain(() => false),
    5
  )
  t.equal(ids(memory), '')
  t.equal(memory.size, 0)
})
