/**
 * Random lives of three instances on one database: they hold, stop, go on, lose the database and answers of it. At every
 * step at most one running instance has a lock that is not aborted, and who begins later has a greater fence.
 */
import { setImmediate } from 'node:timers/promises'
import { ConnectionUnavailable } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { type Database, memoryDatabase, type Table } from 'svc-stores/table'
import t from 'tap'
import type { HeldLock } from '../../src/locks/lease.ts'
import type { LockRow } from '../../src/locks/lock-table.ts'
import { Locks } from '../../src/locks/locks.ts'

const LEASE_MS = 1000
const STEP_MS = 40
const STEPS = 600
const EXPECTED = ['SVC_ORM_LOCKED', 'SVC_ORM_LOCK_LOST', 'SVC_ORM_UNAVAILABLE']

/** Numbers that look random and are the same in every run. */
class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647
    return this.#state % bound
  }
}

/** A process: while it is stopped, its time does not pass and no answer reaches it. */
class Instance {
  readonly clock: ManualClock
  readonly locks: Locks
  readonly dice: Dice
  held: HeldLock | null = null
  isAway = false
  isStopped = false
  #missedMs = 0
  #waiting: (() => void)[] = []

  constructor(database: Database, name: string, dice: Dice) {
    this.clock = new ManualClock(dice.below(4_000_000_000))
    this.dice = dice
    this.locks = new Locks({ database: this.#reached(database), clock: this.clock, holder: name })
  }

  pass(ms: number): void {
    if (this.isStopped) this.#missedMs += ms
    else this.clock.advance(ms)
  }

  /** Timers first, as they are overdue. */
  goOn(): void {
    this.isStopped = false
    this.clock.advance(this.#missedMs)
    this.#missedMs = 0
    for (const go of this.#waiting.splice(0)) go()
  }

  async running(): Promise<void> {
    while (this.isStopped) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** The database as this process reaches it. */
  #reached(database: Database): Database {
    const reach = async <T>(call: () => Promise<T>): Promise<T> => {
      await this.running()
      if (this.isAway) throw new ConnectionUnavailable('memory')
      const answer = await call()
      await this.running()
      if (this.dice.below(60) === 0) throw new ConnectionUnavailable('memory')
      return answer
    }
    const table = (inner: Table<LockRow>) =>
      new Proxy(inner, {
        get: (_, name: keyof Table<LockRow>) => {
          const call = inner[name]
          if (typeof call !== 'function') return call
          return (...given: unknown[]) => reach(async () => Reflect.apply(call, inner, given) as unknown)
        }
      })
    return new Proxy(database, {
      get: (_, name: keyof Database) =>
        name === 'table' ? (plan: never) => table(database.table<LockRow>(plan)) : database[name]
    })
  }
}

class Life {
  readonly instances: readonly Instance[]
  readonly #dice: Dice
  readonly begun: number[] = []
  readonly codes = new Map<string, number>()
  readonly wrong: string[] = []
  isOver = false

  constructor(seed: number) {
    this.#dice = new Dice(seed)
    const database = memoryDatabase()
    this.instances = ['a', 'b', 'c'].map((name, index) => new Instance(database, name, new Dice(seed * 7 + index)))
  }

  async run(): Promise<void> {
    const lives = this.instances.map((each) => this.#live(each))
    for (let step = 0; step < STEPS; step += 1) {
      for (const each of this.instances) this.#chance(each)
      await this.#step()
    }
    this.isOver = true
    for (const each of this.instances) {
      each.isAway = false
      each.goOn()
    }
    let ended = false
    void Promise.all(lives).then(() => {
      ended = true
    })
    for (let step = 0; step < STEPS && !ended; step += 1) await this.#step()
    if (!ended) this.wrong.push('a lock stayed held for ever')
  }

  #chance(instance: Instance): void {
    const chance = this.#dice.below(200)
    if (chance < 3) instance.isStopped = true
    else if (chance < 12 && instance.isStopped) instance.goOn()
    else if (chance < 15) instance.isAway = true
    else if (chance < 30) instance.isAway = false
  }

  async #step(): Promise<void> {
    for (const each of this.instances) each.pass(STEP_MS)
    this.#look()
    await setImmediate()
    await setImmediate()
    this.#look()
  }

  #look(): void {
    const holding = this.instances.filter(({ held, isStopped }) => !isStopped && held?.signal.aborted === false)
    if (holding.length > 1) this.wrong.push(`${holding.length} hold at once`)
  }

  async #live(instance: Instance): Promise<void> {
    while (!this.isOver) {
      const waitMs = instance.dice.below(3) * LEASE_MS
      const work = (held: HeldLock) => this.#work(instance, held)
      await instance.locks.hold('one', work, { waitMs, leaseMs: LEASE_MS }).catch(({ code }: { code: string }) => {
        this.codes.set(code, (this.codes.get(code) ?? 0) + 1)
        if (!EXPECTED.includes(code)) this.wrong.push(`it failed with ${code}`)
      })
      await setImmediate()
    }
  }

  async #work(instance: Instance, held: HeldLock): Promise<void> {
    await instance.running()
    if (held.signal.aborted) return
    if (held.fence <= (this.begun.at(-1) ?? 0)) this.wrong.push(`fence ${held.fence} came after ${this.begun.at(-1)}`)
    this.begun.push(held.fence)
    instance.held = held
    for (let turns = instance.dice.below(80); turns > 0 && !held.signal.aborted; turns -= 1) {
      await setImmediate()
      await instance.running()
    }
    instance.held = null
  }
}

t.test('no two running instances hold a lock at once, and fences grow', async (t) => {
  const codes = new Map<string, number>()
  let begun = 0
  for (let seed = 1; seed <= 25; seed += 1) {
    const life = new Life(seed)
    await life.run()
    t.strictSame(life.wrong, [], `seed ${seed}`)
    begun += life.begun.length
    for (const [code, count] of life.codes) codes.set(code, (codes.get(code) ?? 0) + count)
  }
  t.ok(begun > 500, `${begun} were taken`)
  for (const code of EXPECTED) t.ok((codes.get(code) ?? 0) > 10, `${code} happened`)
})
