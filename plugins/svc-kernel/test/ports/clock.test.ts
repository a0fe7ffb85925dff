/** The machine's clock: real time, and timers that never keep the process alive. */
import t from 'tap'
import { systemClock } from '../../src/ports/clock.ts'

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
