/** Connections that last are asked to leave one by one, at even distances, and nobody in the last second. */
import t from 'tap'
import { ConnectionDrain, type LastingConnection } from '../../src/plugin.ts'
import type { Clock } from '../../src/ports/clock.ts'

class HandClock implements Clock {
  time = 0
  timer: { at: number; work: () => void } | null = null

  now(): number {
    return this.time
  }

  setTimeout(work: () => void, ms: number): object {
    this.timer = { at: this.time + ms, work }
    return this.timer
  }

  clearTimeout(handle: unknown): void {
    if (handle === this.timer) this.timer = null
  }

  /** Runs timers up to a time. */
  to(time: number): void {
    while (this.timer !== null && this.timer.at <= time) {
      const { at, work } = this.timer
      this.timer = null
      this.time = at
      work()
    }
    this.time = time
  }
}

function drained(names: readonly string[]) {
  const clock = new HandClock()
  const drain = new ConnectionDrain(clock)
  const left: [name: string, at: number][] = []
  const connection = (name: string): LastingConnection => ({ leave: () => left.push([name, clock.time]) })
  const connections = names.map(connection)
  for (const each of connections) drain.join(each)
  return { clock, drain, left, connection, connections }
}

t.test('at even distances, the oldest first', async (t) => {
  const { clock, drain, left } = drained(['a', 'b', 'c'])
  drain.begin(9000)
  t.strictSame(left, [])
  clock.to(9000)
  t.strictSame(left, [
    ['a', 2000],
    ['b', 4000],
    ['c', 6000]
  ])
  t.equal(clock.timer, null)
})

t.test('more connections than milliseconds: several at a time, all in time', async (t) => {
  const { clock, drain, left } = drained(Array.from({ length: 5000 }, (_, index) => String(index)))
  drain.begin(2000)
  clock.to(500)
  const half = left.length
  t.ok(half > 2300 && half < 2700, `${half} in half of the time`)
  clock.to(1000)
  t.equal(new Set(left.map(([name]) => name)).size, 5000)
})

t.test('one that closed is not asked, and the others take its time', async (t) => {
  const { clock, drain, left, connections } = drained(['a', 'b', 'c'])
  drain.begin(9000)
  clock.to(2000)
  drain.part(connections[1] as LastingConnection)
  clock.to(9000)
  t.match(left, [['a', 2000], ['c']])
  t.equal(left.length, 2)
})

t.test('one that comes during the drain is asked too, but not in its last second', async (t) => {
  const { clock, drain, left, connection } = drained([])
  drain.begin(9000)
  clock.to(4000)
  drain.join(connection('late'))
  t.strictSame(left, [])
  clock.to(6000)
  t.strictSame(left, [['late', 6000]])
  clock.to(7500)
  drain.join(connection('too late'))
  clock.to(20_000)
  t.equal(left.length, 1)
})

t.test('a drain of a second or less asks nobody; nor does one that is over', async (t) => {
  for (const ms of [0, 1, 1000]) {
    const { clock, drain, left, connection } = drained(['a'])
    drain.begin(ms)
    drain.join(connection('b'))
    clock.to(5000)
    t.strictSame(left, [], `${ms} ms`)
  }
  const { clock, drain, left, connection } = drained(['a'])
  drain.begin(9000)
  drain.end()
  drain.join(connection('b'))
  clock.to(20_000)
  t.strictSame(left, [])
})

t.test('it begins once', async (t) => {
  const { clock, drain, left } = drained(['a'])
  drain.begin(3000)
  drain.begin(90_000)
  clock.to(1000)
  t.strictSame(left, [['a', 1000]])
})
