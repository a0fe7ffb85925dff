/**
 * Locks by name, taken by instances that share a database. Each instance has a clock of its own: one that stands still is
 * a process that was stopped.
 */
import assert from 'node:assert/strict'
import { atOnce, ManualClock } from 'svc-stores/conformance'
import type { HeldLock } from '../locks/lease.ts'
import { lockPlan } from '../locks/lock-table.ts'
import { Locks } from '../locks/locks.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import { type Cases, refused, Undone, undo } from './conformance-suite.ts'

const LEASE_MS = 9000

/** The database, with each of its answers that is not there yet in a set. */
function noting(connector: OrmConnector, underWay: Set<Promise<unknown>>): OrmConnector {
  const noted = <Held extends object>(subject: Held): Held =>
    new Proxy(subject, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          const answer: unknown = member.apply(target, given)
          if (key === 'table') return noted(answer as object)
          if (!(answer instanceof Promise)) return answer
          const told = key === 'ensureTable' ? answer.then((table: object) => noted(table)) : answer
          underWay.add(told)
          const over = () => underWay.delete(told)
          told.then(over, over)
          return told
        }
      }
    })
  return noted(connector)
}

class Instance {
  readonly clock: ManualClock
  readonly locks: Locks
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(connector: OrmConnector, holder: string, start?: number) {
    this.clock = new ManualClock(start)
    this.locks = new Locks({ database: noting(connector, this.#underWay), clock: this.clock, holder })
  }

  /** What its timers asked of the database is answered. */
  async answered(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  hold<T>(name: string, work: (held: HeldLock) => Promise<T>, waitMs = 0): Promise<T> {
    return this.locks.hold(name, work, { waitMs, leaseMs: LEASE_MS })
  }
}

/** More steps than any case takes: a driver with a fault fails, and does not hang. */
const MOST_STEPS = 3000

/** Time passes for these instances until the work ends. */
async function passing<T>(instances: readonly Instance[], work: Promise<T>, stepMs = 100): Promise<T> {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  ended.catch(() => undefined)
  for (let step = 0; !isOver; step += 1) {
    assert.ok(step < MOST_STEPS, 'it never ends')
    for (const { clock } of instances) clock.advance(stepMs)
    await Promise.all(instances.map((instance) => instance.answered()))
    await Promise.all(instances.map(({ locks }) => locks.list()))
  }
  return ended
}

/** A lock that is held until its work is told how to end. */
class Holding {
  /** What the work got. @throws what the lock was refused with */
  readonly begun: Promise<HeldLock>
  /** The call. */
  readonly ended: Promise<void>
  end!: () => void
  fail!: (error: Error) => void

  constructor(instance: Instance, name: string, waitMs = 0) {
    const work = new Promise<void>((resolve, reject) => {
      this.end = resolve
      this.fail = reject
    })
    let called: Promise<void> = work
    this.begun = new Promise((begin, refuse) => {
      called = instance.hold(
        name,
        (held) => {
          begin(held)
          return work
        },
        waitMs
      )
      called.catch(refuse)
    })
    this.ended = called
  }
}

const nothing = async () => undefined
const fenceOf = async ({ fence }: HeldLock) => fence

export const namedLockCases: Cases = {
  'a lock has one holder over all instances, and later holders have greater fences': async ({ connector }) => {
    const instances = [new Instance(connector, 'a:1'), new Instance(connector, 'b:2')]
    const fences: number[] = []
    let holders = 0
    const work = atOnce(10, (index) =>
      (instances[index % 2] as Instance).hold(
        'shared',
        async ({ fence }) => {
          holders += 1
          fences.push(fence)
          for (let turn = 0; turn < 3; turn += 1) await connector.table(lockPlan).count([])
          assert.equal(holders, 1)
          holders -= 1
        },
        80_000_000
      )
    )
    await passing(instances, work)
    assert.equal(fences.length, 10)
    assert.deepEqual(
      fences,
      [...new Set(fences)].sort((a, b) => a - b)
    )
  },
  'callers of one instance take turns in their order': async ({ connector }) => {
    const instance = new Instance(connector, 'a:1')
    const order: number[] = []
    await passing(
      [instance],
      atOnce(5, (index) => instance.hold('ordered', async () => void order.push(index), 80_000_000))
    )
    assert.deepEqual(order, [0, 1, 2, 3, 4])
  },
  'a lock that is held refuses with its holder, by instance and time, and is free after success and failure': async ({
    connector
  }) => {
    const [a, b] = [new Instance(connector, 'a:1', Date.UTC(2026, 2, 3)), new Instance(connector, 'b:2')]
    for (const how of ['end', 'fail'] as const) {
      const first = new Holding(a, 'refusing')
      const { fence } = await first.begun
      for (const other of [a, b]) {
        await assert.rejects(other.hold('refusing', nothing), {
          code: 'SVC_ORM_LOCKED',
          statusCode: 409,
          message: 'the lock "refusing" is held by a:1 since 2026-03-03T00:00:00.000Z',
          holder: 'a:1',
          since: new Date(a.clock.now())
        })
      }
      assert.deepEqual(await b.locks.list(), [{ name: 'refusing', holder: 'a:1', since: a.clock.now(), fence }])
      if (how === 'end') {
        first.end()
        await first.ended
      } else {
        first.fail(new Undone())
        await assert.rejects(first.ended, Undone)
      }
      assert.equal(await b.hold('refusing', async () => 'free'), 'free')
      assert.deepEqual(await b.locks.list(), [])
    }
  },
  'a caller waits as long as it said, and gets the lock when it is released': async ({ connector }) => {
    const [a, b] = [new Instance(connector, 'a:1'), new Instance(connector, 'b:2')]
    const first = new Holding(a, 'awaited')
    const { fence } = await first.begun
    await refused(() => passing([a, b], b.hold('awaited', nothing, 2000)), 'SVC_ORM_LOCKED', 409)
    await refused(() => passing([a, b], a.hold('awaited', nothing, 2000)), 'SVC_ORM_LOCKED', 409)
    const next = b.hold('awaited', fenceOf, 60_000)
    first.end()
    await first.ended
    assert.ok((await passing([b], next)) > fence)
  },
  'heartbeats keep a lock for longer than its lease': async ({ connector }) => {
    const [a, b] = [new Instance(connector, 'a:1'), new Instance(connector, 'b:2')]
    const first = new Holding(a, 'long')
    const { signal } = await first.begun
    await refused(() => passing([a, b], b.hold('long', nothing, LEASE_MS * 4)), 'SVC_ORM_LOCKED')
    assert.equal(signal.aborted, false)
    first.end()
    await first.ended
  },
  'a holder that stands still is replaced after its lease; when it goes on, its lock is lost and the next one stays':
    async ({ connector }) => {
      // Clocks of machines differ by decades: no time of one is compared with that of another.
      const a = new Instance(connector, 'a:1', Date.UTC(2050, 0, 1))
      const b = new Instance(connector, 'b:2', Date.UTC(1999, 0, 1))
      const first = new Holding(a, 'stopped')
      const old = await first.begun
      const before = b.clock.now()
      const second = new Holding(b, 'stopped', LEASE_MS * 2)
      const { fence } = await passing([b], second.begun)
      assert.ok(fence > old.fence)
      assert.ok(b.clock.now() - before >= LEASE_MS)
      assert.equal(old.signal.aborted, false, 'its process does not run')
      a.clock.advance(LEASE_MS)
      assert.equal(old.signal.reason.code, 'SVC_ORM_LOCK_LOST')
      first.end()
      await refused(() => first.ended, 'SVC_ORM_LOCK_LOST', 503)
      assert.deepEqual(
        (await b.locks.list()).map(({ holder }) => holder),
        ['b:2']
      )
      second.end()
      await second.ended
    },
  'a holder finds out with its next heartbeat that another one replaced it': async ({ connector }) => {
    const [a, b] = [new Instance(connector, 'a:1'), new Instance(connector, 'b:2')]
    const first = new Holding(a, 'replaced')
    const { signal } = await first.begun
    await passing([b], b.hold('replaced', nothing, LEASE_MS * 2))
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    await passing([a], aborted, 10)
    first.end()
    await refused(() => first.ended, 'SVC_ORM_LOCK_LOST')
  },
  'an instance remembers whom it saw stand still: callers that never wait replace the dead as well': async ({
    connector
  }) => {
    const [a, b] = [new Instance(connector, 'a:1'), new Instance(connector, 'b:2')]
    const first = new Holding(a, 'dead')
    await first.begun
    await refused(() => b.hold('dead', nothing), 'SVC_ORM_LOCKED')
    b.clock.advance(LEASE_MS - 1)
    await refused(() => b.hold('dead', nothing), 'SVC_ORM_LOCKED')
    b.clock.advance(1)
    assert.equal(await b.hold('dead', async () => 'taken over'), 'taken over')
    first.end()
    await first.ended
  },
  'fences grow after every row of locks was deleted': async ({ connector }) => {
    // Later than any other case, as time goes on.
    const instance = new Instance(connector, 'a:1', Date.UTC(2100, 0, 1))
    const before = await instance.hold('purged', fenceOf)
    await connector.table(lockPlan).delete([])
    instance.clock.advance(1000)
    assert.ok((await instance.hold('purged', fenceOf)) > before)
  },
  'names are told apart, whatever they are made of': async ({ connector }) => {
    const instance = new Instance(connector, 'a:1')
    const names = ['a', 'A', 'a ', "a'; --", '%', 'é', 'e\u0301', 'x'.repeat(200)]
    const nested = (rest: readonly string[]): Promise<number> => {
      const [name, ...others] = rest
      if (name === undefined) return instance.locks.list().then((held) => held.length)
      return instance.hold(name, () => nested(others))
    }
    assert.equal(await nested(names), names.length)
  },
  'a shutdown aborts the signals, waits for the work and releases; waiting callers get 503': async ({ connector }) => {
    const [a, b] = [new Instance(connector, 'a:1'), new Instance(connector, 'b:2')]
    const first = new Holding(a, 'closing')
    const { signal } = await first.begun
    const waiting = atOnce(2, () => refused(() => a.hold('closing', nothing, 60_000), 'SVC_ORM_UNAVAILABLE', 503))
    signal.addEventListener('abort', () => first.end())
    await a.locks.close()
    await first.ended
    await waiting
    await refused(() => a.hold('closing', nothing), 'SVC_ORM_UNAVAILABLE', 503)
    assert.equal(await b.hold('closing', async () => 'free'), 'free')
  }
}

export const lockInTransactionCases: Cases = {
  'a lock inside a transaction is refused, and doomed is nothing; a transaction inside a lock works': async ({
    connector,
    things
  }) => {
    const instance = new Instance(connector, 'a:1')
    await things.withTransaction(async (inside) => {
      await refused(() => instance.hold('inside', nothing), 'SVC_ORM_LOCK_TRANSACTION')
      await inside.create({ label: 'kept' })
    })
    await assert.rejects(
      instance.hold('inside', () => things.withTransaction(undo)),
      Undone
    )
    await instance.hold('inside', () => things.withTransaction((inside) => inside.create({ label: 'kept' })))
    assert.equal(await things.count({ label: 'kept' }), 2)
  }
}
