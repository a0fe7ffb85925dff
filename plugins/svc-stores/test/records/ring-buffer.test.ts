/** The ring buffer against a plain list, for every fill level. */
import t from 'tap'
import { RingBuffer } from '../../src/records/ring-buffer.ts'

function filled(capacity: number, count: number): RingBuffer<number> {
  const ring = new RingBuffer<number>(capacity)
  for (let value = 1; value <= count; value += 1) ring.push(value)
  return ring
}

t.test('keeps the newest, newest first', async (t) => {
  for (let count = 0; count <= 12; count += 1) {
    const expected = Array.from({ length: Math.min(count, 4) }, (_, age) => count - age)
    const ring = filled(4, count)
    t.strictSame([[...ring.newest()], ring.size], [expected, expected.length], `${count} values`)
  }
})

t.test('retains in order and goes on', async (t) => {
  for (let count = 0; count <= 12; count += 1) {
    const ring = filled(4, count)
    const kept = [...ring.newest()].filter((value) => value % 2 === 0)
    const before = ring.size
    t.equal(
      ring.retain((value) => value % 2 === 0),
      before - kept.length
    )
    t.strictSame([...ring.newest()], kept)
    for (const value of [100, 200, 300]) ring.push(value)
    t.strictSame([...ring.newest()], [300, 200, 100, ...kept].slice(0, 4))
  }
})
