/** The machine's clock: real time, and timers that never keep the process alive. */
import t from 'tap'
import { LONGEST_TIMER_MS, systemClock } from '../../src/ports/clock.ts'

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
