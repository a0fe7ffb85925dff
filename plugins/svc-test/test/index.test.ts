/** Where the receiver loads and where it does not. */
import Fastify from 'fastify'
import type { Mode } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcTest from '../src/index.ts'

function instance(t: Test, mode?: Mode) {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const fastify = Fastify({ logger: { level: 'warn', stream } })
  t.teardown(() => fastify.close())
  if (mode !== undefined) {
    fastify.decorate('appHost', { name: 'app', root: '/', mode, checkOnly: false, importModule: async () => ({}) })
  }
  return { fastify, lines }
}

t.test('it refuses to load in production', async (t) => {
  const { fastify } = instance(t, 'production')
  await t.rejects(async () => fastify.register(svcTest), { code: 'SVC_TEST_PRODUCTION' })
})

t.test('it loads in development and in tests', async (t) => {
  for (const mode of ['development', 'test'] as const) {
    const { fastify, lines } = instance(t, mode)
    await fastify.register(svcTest)
    t.equal((await fastify.inject('/svc/test/webhooks/received')).statusCode, 200, mode)
    t.strictSame(lines, [])
  }
})

t.test('alone on a bare Fastify it says that it is open', async (t) => {
  const { fastify, lines } = instance(t)
  await fastify.register(svcTest)
  t.equal((await fastify.inject('/svc/test/webhooks/received')).statusCode, 200)
  t.match(lines, [{ code: 'SVC_TEST_OPEN' }])
})

t.test('options are checked', async (t) => {
  for (const options of [{ maxReceived: 0 }, { toleranceS: 0 }, { secret: 'x' }]) {
    const { fastify } = instance(t, 'test')
    await t.rejects(async () => fastify.register(svcTest, options as never), { code: 'SVC_KERNEL_OPTIONS' })
  }
})
