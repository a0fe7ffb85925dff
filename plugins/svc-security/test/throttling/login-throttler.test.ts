/** Guessing slows down; owners are not locked out; a lost counter never means unlimited guesses. */
import Fastify from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import type { AttemptCounter } from '../../src/throttling/attempt-counter.ts'
import { MemoryCounter } from '../../src/throttling/attempt-counter.ts'
import { InsuredCounter } from '../../src/throttling/insured-counter.ts'
import { LoginThrottler } from '../../src/throttling/login-throttler.ts'
import { delayAfter } from '../../src/throttling/tracks.ts'
import { logLines } from '../support/log-lines.ts'

const backoff = { freeAttempts: 3, baseDelayS: 1, capDelayS: 900 }
const HOME = '203.0.113.9'
const ELSEWHERE = '198.51.100.7'

function throttling(given?: AttemptCounter) {
  const clock = new ManualClock()
  const { lines, logger } = logLines()
  const { log } = Fastify({ logger })
  const insurance = new MemoryCounter(clock)
  const counter = given === undefined ? insurance : new InsuredCounter({ counter: given, insurance, clock, log })
  const throttler = new LoginThrottler(backoff, { counter, clock })
  return { clock, lines, throttler }
}

async function fail(throttler: LoginThrottler, identifier: string, ip = HOME, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await throttler.check({ identifier, ip })
    await throttler.failed({ identifier, ip })
  }
}

/** Seconds to wait, or 0 where the attempt is let through (and taken back). */
async function wait(throttler: LoginThrottler, identifier: string, ip = HOME): Promise<number> {
  try {
    await throttler.check({ identifier, ip })
    await throttler.released({ identifier, ip })
    return 0
  } catch (error) {
    t.match(error, { statusCode: 429, code: 'SVC_SEC_THROTTLED' })
    return Number((error as { headers: Record<string, string> }).headers['retry-after'])
  }
}

t.test('three failures are free, then the delay doubles up to its cap', async (t) => {
  const { clock, throttler } = throttling()
  await fail(throttler, 'alice', HOME, 3)
  t.equal(await wait(throttler, 'alice'), 0)
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    await fail(throttler, 'alice')
    t.equal(await wait(throttler, 'alice'), seconds)
    clock.advance(seconds * 1000)
  }
})

t.test('Retry-After counts down in whole seconds; asking does not lengthen it', async (t) => {
  const { clock, throttler } = throttling()
  await fail(throttler, 'alice', HOME, 4)
  for (const _ of [1, 2, 3]) t.equal(await wait(throttler, 'alice'), 1)
  clock.advance(1000)
  await fail(throttler, 'alice', HOME, 1)
  t.equal(await wait(throttler, 'alice'), 2)
  clock.advance(1)
  t.equal(await wait(throttler, 'alice'), 2)
  clock.advance(1000)
  t.equal(await wait(throttler, 'alice'), 1)
  clock.advance(999)
  t.equal(await wait(throttler, 'alice'), 0)
})

t.test('a login that holds starts anew', async (t) => {
  const { clock, throttler } = throttling()
  await fail(throttler, 'alice', HOME, 4)
  clock.advance(1000)
  await throttler.check({ identifier: 'alice', ip: HOME })
  await throttler.succeeded({ identifier: 'alice', ip: HOME })
  await fail(throttler, 'alice', HOME, 3)
  t.equal(await wait(throttler, 'alice'), 0)
})

t.test('what neither held nor failed does not count', async (t) => {
  const { throttler } = throttling()
  for (let time = 0; time < 20; time += 1) {
    await throttler.check({ identifier: 'alice', ip: HOME })
    await throttler.released({ identifier: 'alice', ip: HOME })
  }
  await fail(throttler, 'alice', HOME, 3)
  t.equal(await wait(throttler, 'alice'), 0)
})

t.test('every spelling of a name has one count', async (t) => {
  const { throttler } = throttling()
  for (const spelling of ['alice', 'Alice ', ' ALICE', '\uff41lice']) await fail(throttler, spelling)
  t.equal(await wait(throttler, 'aLiCe'), 1)
})

t.test('guesses from many networks at one name hold strangers back, not its owner at home', async (t) => {
  const { throttler } = throttling()
  await throttler.check({ identifier: 'alice', ip: HOME })
  await throttler.succeeded({ identifier: 'alice', ip: HOME })
  for (const host of [1, 2, 3, 4]) await fail(throttler, 'alice', `198.51.100.${host}`)
  t.equal(await wait(throttler, 'alice', '198.51.100.99'), 1, 'a network never seen')
  t.equal(await wait(throttler, 'alice', HOME), 0, 'the known one')
  await throttler.check({ identifier: 'alice', ip: HOME })
  await throttler.succeeded({ identifier: 'alice', ip: HOME })
  t.equal(await wait(throttler, 'alice', '198.51.100.99'), 1, 'a login at home does not help who guesses')
})

t.test('one network, many names', async (t) => {
  const { throttler } = throttling()
  for (let name = 0; name < 31; name += 1) await fail(throttler, `user${name}`, ELSEWHERE)
  t.equal(await wait(throttler, 'somebody', ELSEWHERE), 1)
  t.equal(await wait(throttler, 'somebody', HOME), 0)
})

t.test('a login of its own does not free a network that guesses', async (t) => {
  const { throttler } = throttling()
  for (let name = 0; name < 30; name += 1) await fail(throttler, `user${name}`, ELSEWHERE)
  await throttler.check({ identifier: 'mallory', ip: ELSEWHERE })
  await throttler.succeeded({ identifier: 'mallory', ip: ELSEWHERE })
  await fail(throttler, 'another', ELSEWHERE)
  t.equal(await wait(throttler, 'somebody', ELSEWHERE), 1)
})

t.test('addresses of one /64 are one network', async (t) => {
  const { throttler } = throttling()
  for (let host = 0; host < 4; host += 1) await fail(throttler, 'alice', `2001:db8:0:7::${host}`)
  t.equal(await wait(throttler, 'alice', '2001:db8:0:7:ffff::1'), 1)
})

/** What comes of attempts sent at once, each of which ends as `held` says once its turn comes. */
async function atOnce(throttlers: readonly LoginThrottler[], count: number, held: boolean, ip = HOME) {
  let [under, most] = [0, 0]
  const attempt = async (throttler: LoginThrottler) => {
    await throttler.check({ identifier: 'alice', ip })
    under += 1
    most = Math.max(most, under)
    await new Promise((resolve) => setImmediate(resolve))
    under -= 1
    await (held ? throttler.succeeded({ identifier: 'alice', ip }) : throttler.failed({ identifier: 'alice', ip }))
  }
  const all = throttlers.flatMap((throttler) => Array.from({ length: count }, () => attempt(throttler)))
  const settled = await Promise.allSettled(all)
  return { passed: settled.filter(({ status }) => status === 'fulfilled').length, most }
}

t.test('R6: guesses sent at once: no more than the free ones and the next', async (t) => {
  const { clock, throttler } = throttling()
  t.strictSame(await atOnce([throttler], 50, false), { passed: 4, most: 4 })
  clock.advance(1000)
  t.strictSame(await atOnce([throttler], 50, false), { passed: 1, most: 1 }, 'then one for each delay')
  t.equal(await wait(throttler, 'alice'), 2)
})

t.test('R6: attempts that hold, sent at once, all pass; never more at a time than may fail', async (t) => {
  const { throttler } = throttling()
  t.strictSame(await atOnce([throttler], 60, true), { passed: 60, most: 4 })
  t.strictSame(await atOnce([throttler], 60, true), { passed: 60, most: 4 }, 'from a known network as well')
  t.strictSame(await atOnce([throttler], 50, false), { passed: 4, most: 4 }, 'every place was given back')
})

t.test('R6: the same for many names of one network, beyond what it may fail', async (t) => {
  const { throttler } = throttling()
  const names = Array.from({ length: 80 }, (_, n) => ({ identifier: `user${n}`, ip: HOME }))
  const passed = names.map(async (subject) => {
    await throttler.check(subject)
    await new Promise((resolve) => setImmediate(resolve))
    await throttler.succeeded(subject)
  })
  await t.resolves(Promise.all(passed))
})

/** Three instances on one counter, in a process that a server would keep alive. */
function instancesOf(t: Test): LoginThrottler[] {
  const shared = new RateLimiterMemory({ points: 1, duration: 1 })
  const alive = setInterval(() => undefined, 60_000)
  t.teardown(() => clearInterval(alive))
  return [1, 2, 3].map(() => new LoginThrottler(backoff, { counter: shared }))
}

t.test('R6: instances that share a counter do not multiply the guesses', async (t) => {
  t.strictSame(await atOnce(instancesOf(t), 20, false), { passed: 4, most: 4 })
})

t.test('R6: and attempts that hold pass on all of them', async (t) => {
  t.equal((await atOnce(instancesOf(t), 5, true)).passed, 15)
})

t.test('R6: a place that is not given back is waited for, but not for ever', async (t) => {
  const { clock, throttler } = throttling()
  for (const _ of [1, 2, 3, 4]) await throttler.check({ identifier: 'alice', ip: HOME })
  const fifth = throttler.check({ identifier: 'alice', ip: HOME }).then(
    () => 'passed',
    ({ code }: { code: string }) => code
  )
  for (let time = 0; time < 1000; time += 1) {
    clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.equal(await fifth, 'SVC_SEC_THROTTLED')
  clock.advance(60_000)
  t.equal(await wait(throttler, 'alice'), 0, 'places of a process that died are free again')
})

t.test('R6: who waits is bounded', async (t) => {
  const { throttler } = throttling()
  const attempts = Array.from({ length: 150 }, () => throttler.check({ identifier: 'alice', ip: HOME }))
  const refused = attempts.slice(100).map((attempt) =>
    attempt.then(
      () => null,
      ({ code }: { code: string }) => code
    )
  )
  t.strictSame(await Promise.all(refused), Array(50).fill('SVC_SEC_THROTTLED'))
  for (const attempt of attempts) attempt.catch(() => undefined)
})

t.test('a limiter of rate-limiter-flexible stands behind it', async (t) => {
  const limiter = new RateLimiterMemory({ points: 1, duration: 1 })
  const { throttler } = throttling(limiter)
  await fail(throttler, 'alice', HOME, 4)
  t.equal(await wait(throttler, 'alice'), 1)
  await throttler.succeeded({ identifier: 'alice', ip: HOME })
  t.equal(await wait(throttler, 'alice'), 0)
})

t.test('a counter that fails is stood in for, and told once', async (t) => {
  const down = () => Promise.reject(new Error('connection refused'))
  const { lines, throttler } = throttling({ get: down, penalty: down, set: down, delete: down })
  await fail(throttler, 'alice', HOME, 4)
  t.equal(await wait(throttler, 'alice'), 1)
  t.match(lines, [{ code: 'SVC_SEC_THROTTLE_STORE' }])
  t.equal(lines.length, 1)
})

t.test('a clock that is set back', async (t) => {
  const { clock, throttler } = throttling()
  await fail(throttler, 'alice', HOME, 5 - 1)
  clock.advance(-86_400_000)
  t.equal(await wait(throttler, 'alice'), 1)
  clock.advance(1000)
  t.equal(await wait(throttler, 'alice'), 0)
})

const rows: Array<[failures: number, seconds: number]> = [
  [0, 0],
  [1, 0],
  [3, 0],
  [4, 1],
  [5, 2],
  [6, 4],
  [13, 512],
  [14, 900],
  [15, 900],
  [1e6, 900],
  [-1, 0]
]
for (const [failures, seconds] of rows) {
  t.test(`${failures} failures: ${seconds} s`, async (t) => t.equal(delayAfter(failures, backoff), seconds))
}
t.equal(delayAfter(1, { ...backoff, freeAttempts: 0 }), 1)
t.equal(delayAfter(9, { ...backoff, baseDelayS: 60, capDelayS: 30 }), 30)
