/** Writers take turns: first come, first served, and nobody waits for ever. */
import t from 'tap'
import { WriteLock } from '../../../src/engines/sqlite/write-lock.ts'
import { ManualClock } from '../../support/manual-clock.ts'

t.test('first come, first served', async (t) => {
  const lock = new WriteLock(new ManualClock(), 100)
  await lock.acquire()
  t.notOk(lock.tryAcquire(), 'taken')
  const order: number[] = []
  const waiters = [1, 2, 3].map(async (number) => {
    await lock.acquire()
    order.push(number)
    lock.release()
  })
  t.equal(lock.waiting, 3)
  lock.release()
  await Promise.all(waiters)
  t.strictSame(order, [1, 2, 3])
  t.ok(lock.tryAcquire(), 'free again')
})

t.test('a waiter gives up after its time, and the others keep their place', async (t) => {
  const clock = new ManualClock()
  const lock = new WriteLock(clock, 100)
  await lock.acquire()
  const early = lock.acquire()
  clock.advance(60)
  const late = lock.acquire()
  clock.advance(40)
  await t.rejects(early, { message: /too long/ })
  lock.release()
  await late
  t.notOk(lock.tryAcquire())
  lock.release()
  t.ok(lock.tryAcquire())
  t.equal(clock.armed, 0, 'no timer is left')
})
