/** Health: one word, asked of checks within a bound, and no more often than need be. */
import Fastify from 'fastify'
import { Degraded } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import svcOps, { type SvcOpsOptions } from '../../src/index.ts'

async function app(t: Test, options: SvcOpsOptions = {}) {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const fastify = Fastify({ logger: { level: 'error', stream } })
  t.teardown(() => fastify.close())
  const clock = new ManualClock()
  // Without the history, so that every timer of the clock is one of a check.
  await fastify.register(svcOps, { system: { enabled: false }, ...options, parts: { clock } })
  const ask = async () => {
    const { statusCode, body, headers } = await fastify.inject('/svc/ops/health')
    return [statusCode, body, headers['cache-control']]
  }
  return { fastify, clock, lines, ask }
}

const OK = [200, '{"status":"ok"}', 'no-store']
const FAILING = [503, '{"status":"failing"}', 'no-store']

t.test('without checks, whoever answers is well; nobody has to prove anything', async (t) => {
  const { ask } = await app(t)
  t.strictSame(await ask(), OK)
})

t.test('every check must pass; which one failed stands in the log alone', async (t) => {
  const { fastify, ask, lines, clock } = await app(t)
  let broken: Error | null = null
  fastify.ops.addCheck('queue', () => true)
  fastify.ops.addCheck('database', async () => {
    if (broken !== null) throw broken
  })
  t.strictSame(await ask(), OK)
  broken = new Error('db.internal:5432 refused')
  t.strictSame(await ask(), OK, 'told again')
  clock.advance(1000)
  t.strictSame(await ask(), FAILING)
  t.match(lines, [{ code: 'SVC_OPS_UNHEALTHY', check: 'database' }])
  broken = null
  clock.advance(1000)
  t.strictSame(await ask(), OK)
})

t.test('what works, and not as well as it should, is degraded and stays ready; a failure weighs more', async (t) => {
  const { fastify, ask, lines, clock } = await app(t, { metrics: { openToLoopback: true } })
  let slow: Error | null = new Degraded('a job has been due for 61 s')
  let broken: Error | null = null
  const rejecting = (error: () => Error | null) => async () => {
    const thrown = error()
    if (thrown !== null) throw thrown
  }
  fastify.ops.addCheck(
    'jobs',
    rejecting(() => slow)
  )
  fastify.ops.addCheck(
    'database',
    rejecting(() => broken)
  )
  t.strictSame(await ask(), [200, '{"status":"degraded"}', 'no-store'])
  t.match(await fastify.ops.registry.metrics(), /^svc_ready 1$[\s\S]*^svc_health_check\{check="jobs"\} 1$/m)
  t.strictSame(lines, [], 'a warning, not an error')
  broken = new Error('away')
  clock.advance(1000)
  t.strictSame(await ask(), FAILING)
  broken = null
  slow = null
  clock.advance(1000)
  t.strictSame(await ask(), OK)
})

t.test('a check that throws at once, and one that never answers', async (t) => {
  const throwing = await app(t)
  throwing.fastify.ops.addCheck('a', () => {
    throw new Error('at once')
  })
  t.strictSame(await throwing.ask(), FAILING)

  const silent = await app(t, { health: { timeoutMs: 500 } })
  silent.fastify.ops.addCheck('a', () => new Promise(() => undefined))
  const answer = silent.ask()
  while (silent.clock.pending === 0) await new Promise((resolve) => setImmediate(resolve))
  silent.clock.advance(500)
  t.strictSame(await answer, FAILING)
  t.match(silent.lines, [{ err: { code: 'SVC_OPS_CHECK_TIMEOUT' } }])
})

t.test('a crowd that asks at once asks the checks once', async (t) => {
  const { fastify, ask, clock } = await app(t)
  let asked = 0
  fastify.ops.addCheck('a', async () => {
    asked += 1
  })
  const answers = await Promise.all(Array.from({ length: 50 }, ask))
  t.ok(answers.every(([status]) => status === 200))
  t.equal(asked, 1)
  t.equal(clock.pending, 0, 'no timer is left')
})

t.test('A5: a check that never settles is bounded, asked again, and logged once', async (t) => {
  const { fastify, ask, clock, lines } = await app(t)
  const asked: number[] = []
  let hangs = true
  fastify.ops.addCheck('database', () => {
    asked.push(clock.now())
    return hangs ? new Promise(() => undefined) : true
  })
  const began = clock.now()
  const askOnce = async () => {
    const outcome = ask()
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1000)
    t.strictSame(await outcome, FAILING)
  }
  for (let second = 0; second < 8; second += 1) await askOnce()
  t.strictSame(
    asked.map((at) => at - began),
    [0, 1000, 3000, 7000],
    'after the bound, then after twice as long each time'
  )
  t.match(lines, [{ err: { code: 'SVC_OPS_CHECK_TIMEOUT' } }])
  hangs = false
  for (let second = 8; second < 15; second += 1) await askOnce()
  t.strictSame(await ask(), OK, 'no restart is needed')
})

t.test('A5: an answer that comes late counts for nothing, but the check is asked anew at once', async (t) => {
  const { fastify, ask, clock } = await app(t)
  const answers: Array<() => void> = []
  fastify.ops.addCheck('database', () => new Promise<void>((resolve) => answers.push(resolve)))
  const waiting = async () => {
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const first = ask()
  await waiting()
  clock.advance(1000)
  t.strictSame(await first, FAILING)
  answers[0]?.()
  const second = ask()
  await waiting()
  t.equal(answers.length, 2)
  clock.advance(1000)
  t.strictSame(await second, FAILING, 'the late yes is no answer to this question')
})

t.test('I4: an application that is about to stop is not ready, and asks no check', async (t) => {
  const { fastify, ask } = await app(t)
  fastify.ops.addCheck('database', () => t.fail('asked'))
  fastify.healthChecks.leave()
  t.strictSame(await ask(), FAILING)
  t.equal((await fastify.inject('/svc/ops/health/live')).statusCode, 200)
})

t.test('R3: liveness asks nothing, readiness has a name of its own', async (t) => {
  const { fastify } = await app(t)
  fastify.healthChecks.add('of a driver', () => {
    throw new Error('db.internal:5432 refused')
  })
  const status = async (path: string) => {
    const { statusCode, body } = await fastify.inject(`/svc/ops/health${path}`)
    return [statusCode, body]
  }
  t.strictSame(await status('/live'), [200, '{"status":"ok"}'])
  t.strictSame(await status('/ready'), [503, '{"status":"failing"}'])
  t.throws(() => fastify.ops.addCheck('of a driver', () => true), { code: 'SVC_OPS_DUPLICATE_CHECK' })
})

t.test('R3: an outage that its connector logs is a warning here', async (t) => {
  const { fastify, ask, lines } = await app(t)
  fastify.ops.addCheck('database', () => {
    throw Object.assign(new Error('away'), { statusCode: 503, announced: true })
  })
  t.strictSame(await ask(), FAILING)
  t.strictSame(lines, [], 'at the level error')
})

t.test('a name is taken once', async (t) => {
  const { fastify } = await app(t)
  fastify.ops.addCheck('a', () => true)
  t.throws(() => fastify.ops.addCheck('a', () => true), { code: 'SVC_OPS_DUPLICATE_CHECK' })
})

t.test('switched off there is no route', async (t) => {
  const { ask } = await app(t, { health: { enabled: false } })
  t.equal((await ask())[0], 404)
})
