/** The machine's clock: real time, and timers that never keep the process alive. */
import t from 'tap'
import { type Clock, LONGEST_TIMER_MS, systemClock, withTimeout } from '../../src/ports/clock.ts'

t.test('now is the epoch in milliseconds', async (t) => {
  const before = Date.now()
  const now = systemClock.now()
  t.ok(before <= now && now <= Date.now())
})

t.test('a timer runs, a cleared one does not, and neither keeps the process alive', async (t) => {
  const ran: string[] = []
  const cleared = systemClock.setTimeout(() => ran.push('cleared'), 1) as NodeJS.Timeout
  systemClock.clearTimeout(cleared)
  const keepAlive = setInterval(() => {}, 1000)
  await new Promise<void>((resolve) => {
    const timer = systemClock.setTimeout(() => {
      ran.push('kept')
      resolve()
    }, 1) as NodeJS.Timeout
    t.equal(timer.hasRef(), false)
  })
  clearInterval(keepAlive)
  t.same(ran, ['kept'])
})

t.test('a wait that Node cannot hold waits as long as it can, rather than not at all', async (t) => {
  const ran: string[] = []
  const timer = systemClock.setTimeout(() => ran.push('at once'), 30 * 24 * 3_600_000)
  await new Promise<void>((resolve) => setTimeout(resolve, 20))
  systemClock.clearTimeout(timer)
  t.same(ran, [])
  t.equal((timer as unknown as { _idleTimeout?: number })._idleTimeout, -1, 'and it was cleared')
  t.equal(LONGEST_TIMER_MS, 2_147_483_647)
})

t.test('work within a time: its answer, its error, or the error of the one who waits', async (t) => {
  const late = () => new Error('late')
  const timers = new Set<() => void>()
  const clock: Clock = {
    now: () => 0,
    setTimeout: (work) => {
      timers.add(work)
      return work
    },
    clearTimeout: (work) => void timers.delete(work as () => void)
  }
  t.equal(await withTimeout(1000, clock, async () => 7, late), 7)
  const throwing = () => {
    throw new Error('thrown at once')
  }
  await t.rejects(withTimeout(1000, clock, throwing, late), { message: 'thrown at once' })
  t.equal(timers.size, 0, 'no timer is left')
  const waiting = withTimeout(1000, clock, () => new Promise<never>(() => undefined), late)
  for (const fire of timers) fire()
  await t.rejects(waiting, { message: 'late' })
})
