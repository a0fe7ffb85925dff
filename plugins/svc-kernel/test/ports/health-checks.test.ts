/** What does not answer, and since when: asked once for a crowd, and never waited for longer than the bound. */
import t from 'tap'
import type { Clock } from '../../src/ports/clock.ts'
import { HealthChecks } from '../../src/ports/health-checks.ts'

class HandClock implements Clock {
  time = 1000
  readonly #timers: { at: number; work: () => void }[] = []

  now(): number {
    return this.time
  }

  setTimeout(work: () => void, ms: number): object {
    const timer = { at: this.time + ms, work }
    this.#timers.push(timer)
    return timer
  }

  clearTimeout(handle: unknown): void {
    const at = this.#timers.indexOf(handle as { at: number; work: () => void })
    if (at !== -1) this.#timers.splice(at, 1)
  }

  pass(ms: number): void {
    this.time += ms
    for (const { work } of this.#timers.filter(({ at }) => at <= this.time)) work()
  }
}

t.test('Q13: an outage begins where it was first seen, or where its connection says', async (t) => {
  const clock = new HandClock()
  const checks = new HealthChecks(clock)
  const isAway = { plain: true, known: true }
  const failing = (name: keyof typeof isAway) => () => {
    if (isAway[name]) throw new Error('away')
  }
  t.ok(checks.add('plain', failing('plain')))
  t.ok(checks.add('known', failing('known'), () => 400))
  t.notOk(
    checks.add('plain', () => undefined),
    'the name is taken'
  )
  const ask = new Map(checks.entries())
  await t.rejects(async () => ask.get('plain')?.(), { message: 'away' }, 'whoever asks sees the failure')
  clock.time = 5000
  t.strictSame(await checks.outages(100), [
    { name: 'plain', since: 1000 },
    { name: 'known', since: 400 }
  ])
  isAway.plain = false
  isAway.known = false
  clock.time = 7000
  t.strictSame(await checks.outages(100), [])
  isAway.plain = true
  clock.time = 9000
  t.strictSame(await checks.outages(100), [{ name: 'plain', since: 9000 }], 'another outage')
})

t.test(
  'Q13: a dependency that hangs does not answer; it is asked once until it does, and a crowd costs one look',
  async (t) => {
    const clock = new HandClock()
    const checks = new HealthChecks(clock)
    let asked = 0
    let answer: () => void = () => undefined
    checks.add('hung', () => {
      asked += 1
      return new Promise<void>((resolve) => {
        answer = resolve
      })
    })
    const crowd = Array.from({ length: 50 }, () => checks.outages(2000))
    clock.pass(2000)
    for (const found of await Promise.all(crowd)) t.strictSame(found, [{ name: 'hung', since: 3000 }])
    const again = checks.outages(2000)
    clock.pass(2000)
    t.strictSame(await again, [{ name: 'hung', since: 3000 }])
    t.equal(asked, 1)
    answer()
    await new Promise(setImmediate)
    const well = checks.outages(2000)
    await new Promise(setImmediate)
    answer()
    t.same(await well, [])
  }
)
