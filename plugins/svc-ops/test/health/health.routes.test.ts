/** Health: one word, asked of checks within a bound, and no more often than need be. */
import Fastify from 'fastify'
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

t.test('R3: a check that has not answered is not asked again, and its outage is logged once', async (t) => {
  const { fastify, ask, clock, lines } = await app(t)
  let asked = 0
  let answer: () => void = () => undefined
  fastify.ops.addCheck('database', () => {
    asked += 1
    return asked > 1
      ? true
      : new Promise<void>((resolve) => {
          answer = resolve
        })
  })
  for (let time = 0; time < 5; time += 1) {
    const outcome = ask()
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1000)
    t.strictSame(await outcome, FAILING)
  }
  t.equal(asked, 1)
  t.equal(lines.length, 1)
  answer()
  t.strictSame(await ask(), OK)
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
