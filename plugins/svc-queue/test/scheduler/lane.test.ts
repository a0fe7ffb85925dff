/** The largest queue against a search through all of them. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Fifo, QueueSizes } from '../../src/scheduler/lane.ts'

/** The queue of one lane against a plain array. */
class Pair {
  readonly #fifo = new Fifo<number>()
  #plain: number[] = []
  #value = 0

  push(): void {
    this.#value += 1
    this.#fifo.push(this.#value)
    this.#plain.push(this.#value)
  }

  shift(): void {
    strictEqual(this.#fifo.shift(), this.#plain.shift())
  }

  pop(): void {
    strictEqual(this.#fifo.pop(), this.#plain.pop())
  }

  drain(): void {
    deepStrictEqual(this.#fifo.drain(), this.#plain)
    this.#plain = []
  }

  compare(): void {
    strictEqual(this.#fifo.size, this.#plain.length)
  }
}

t.test('it behaves like an array', async () => {
  const move = fc.constantFrom('push', 'push', 'push', 'shift', 'shift', 'pop', 'drain')
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), fc.integer({ min: 0, max: 700 }), (moves, filled) => {
      const pair = new Pair()
      for (let index = 0; index < filled; index += 1) pair.push()
      for (let index = 0; index < filled / 2; index += 1) pair.shift()
      for (const one of moves) {
        pair[one]()
        pair.compare()
      }
    })
  )
})

t.test('one that never gets empty does not grow', async (t) => {
  const fifo = new Fifo<number>()
  fifo.push(0)
  for (let index = 1; index < 100_000; index += 1) {
    fifo.push(index)
    fifo.shift()
  }
  t.equal(fifo.size, 1)
  t.equal(fifo.shift(), 99_999)
})

t.test('it is the largest, however queues grow and shrink', async () => {
  const step = fc.record({ queue: fc.nat(4), grows: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const sizes = new QueueSizes()
      const queues = [0, 0, 0, 0, 0]
      for (const { queue, grows } of steps) {
        const places = queues[queue] ?? 0
        if (grows) sizes.grown(places + 1)
        else if (places > 0) sizes.shrunk(places)
        queues[queue] = Math.max(0, places + (grows ? 1 : -1))
        strictEqual(sizes.largest, Math.max(...queues))
      }
    })
  )
})
