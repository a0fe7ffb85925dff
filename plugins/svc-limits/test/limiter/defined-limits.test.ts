/** Limits that a plugin defines for its own work. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import svcLimits, { type SvcLimitsOptions } from '../../src/index.ts'

async function opened(t: Test, options: SvcLimitsOptions = {}) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcLimits, options)
  return fastify.limits
}

async function takenOf(limits: Awaited<ReturnType<typeof opened>>, calls: number): Promise<boolean[]> {
  const taken: boolean[] = []
  for (let call = 0; call < calls; call += 1) taken.push((await limits.take('mail', 'ada')).taken)
  return taken
}

t.test('a defined limit is spent by its name', async (t) => {
  const limits = await opened(t)
  await t.rejects(limits.take('mail', 'ada'), { code: 'SVC_LIMIT_UNKNOWN' })
  limits.define('mail', { rate: '2/hour' }, 'shop.mail')
  t.strictSame(await takenOf(limits, 3), [true, true, false])
})

t.test('the options of the application win', async (t) => {
  const limits = await opened(t, { limits: { mail: { rate: '1/hour' } } })
  limits.define('mail', { rate: '100/hour' }, 'shop.mail')
  t.strictSame(await takenOf(limits, 2), [true, false])
})

t.test('a rate that is none names the option that it comes from', async (t) => {
  const limits = await opened(t)
  const problem = { code: 'SVC_LIMIT_RATE', at: 'shop.mail', got: '"often"' }
  t.throws(() => limits.define('mail', { rate: 'often' }, 'shop.mail'), { code: 'SVC_LIMIT_RATE', problems: [problem] })
})
