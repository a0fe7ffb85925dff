/** Work that waits for locks of transactions, over a model of a pool and of a lock. */
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { PoolAdmission } from '../../src/connection/pool-admission.ts'

/** So many at a time, the others in the order in which they come. */
class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(size: number) {
    this.#free = size
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}

const NEVER = 2 ** 30

/** Commands over a pool: each has a connection until it is answered. */
function server(size: number) {
  const pool = new Places(size)
  const lock = new Places(1)
  const command = async (answer: () => Promise<unknown> | undefined) => {
    await pool.take()
    await answer()
    await turn()
    pool.give()
  }
  return {
    locking: () => command(() => lock.take()),
    reading: () => command(() => undefined),
    ending: () => command(async () => lock.give())
  }
}

const admissionOf = (maxPoolSize: number, patienceMs = NEVER, connected = () => true) =>
  new PoolAdmission({ maxPoolSize, patienceMs, connected })

t.test('transactions that wait for each other leave a connection for the one that all wait for', async (t) => {
  for (const size of [1, 2, 20]) {
    const { locking, reading, ending } = server(size)
    const admission = admissionOf(size)
    let ended = 0
    const work = async () => {
      await locking()
      await reading()
      await ending()
      ended += 1
    }
    const write = async () => {
      await locking()
      await ending()
      ended += 1
    }
    const all = Array.from({ length: 3 * size }, () => [admission.transaction(work), admission.operation(write)])
    for (let turns = 0; turns < 200 * size && ended < 6 * size; turns += 1) await turn()
    t.equal(ended, 6 * size, `a pool of ${size}`)
    await Promise.all(all.flat())
  }
})

t.test('what a transaction does beside itself does not wait for it', async (t) => {
  const admission = admissionOf(1)
  const inner = admission.transaction(async () => {
    const both = [admission.operation(async () => 'operation'), admission.transaction(async () => 'transaction')]
    return Promise.all(both)
  })
  t.strictSame(await inner, ['operation', 'transaction'])
})

t.test('they begin in the order in which they came, and a failure gives its place back', async (t) => {
  const admission = admissionOf(1)
  const begun: number[] = []
  const work = async (index: number) => {
    begun.push(index)
    await turn()
    if (index === 0) throw new RangeError('failed')
  }
  const all = await Promise.allSettled([0, 1, 2, 3].map((index) => admission.operation(() => work(index))))
  t.strictSame(begun, [0, 1, 2, 3])
  t.strictSame(
    all.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled']
  )
})

t.test('work begins all the same where there is no server, or after its patience', async (t) => {
  // A connection has a socket that keeps the process going.
  const socket = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(socket))
  let end = (): void => undefined
  const held = () => new Promise<void>((resolve) => (end = resolve))
  for (const admission of [admissionOf(1, NEVER, () => false), admissionOf(1, 1)]) {
    const first = admission.operation(held)
    await turn()
    t.equal(await admission.operation(async () => 'begun'), 'begun')
    end()
    await first
    const again = await Promise.all([1, 2].map((index) => admission.operation(async () => index)))
    t.strictSame(again, [1, 2], 'no place is lost')
  }
})
