/**
 * Ten instances on one database, a thousand calls each at once: together they let through what one would. What is
 * expected comes from a count of units, which knows neither arrival times nor the store.
 * In the long run: ten instances make a hundred thousand calls.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import { requestChannels } from 'svc-kernel'
import svcLimits from 'svc-limits'
import svcSqlorm from 'svc-sqlorm'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'

const INSTANCES = 10
const CALLS = 1000
const BURST = 2000
/** One unit each second. */
const limits = { work: { rate: '3600/hour', burst: BURST } }

/** @param skews how far the clock of each instance is off, in ms */
async function instances(t: Test, url: string, clock: ManualClock, skews: readonly number[] = []) {
  return Promise.all(
    Array.from({ length: INSTANCES }, async (_, index) => {
      const fastify = Fastify()
      t.teardown(() => fastify.close())
      const own = { ...endlessTimers, now: () => clock.now() + (skews[index] ?? 0) }
      // Before the driver, so that stores and plugin read one clock.
      await ensureStores(fastify, { clock: own })
      await fastify.register(svcSqlorm, { connectors: { default: { url } } })
      await fastify.register(svcLimits, { limits, parts: { clock: own } })
      await fastify.ready()
      return fastify
    })
  )
}

/** No deadline ends: on a busy machine an answer may take longer than a request would wait, and memory would count. */
const endlessTimers = { setTimeout: () => null, clearTimeout: () => undefined }

/** @returns how many were let through */
async function calls(apps: readonly FastifyInstance[], key: string): Promise<number> {
  const answers = await Promise.all(
    apps.flatMap((app) => Array.from({ length: CALLS }, () => app.limits.take('work', key)))
  )
  return answers.filter(({ taken }) => taken).length
}

async function holds(t: Test, url: string): Promise<void> {
  await t.test('clocks that agree', async (t) => {
    const clock = new ManualClock()
    const apps = await instances(t, url, clock)
    t.equal(await calls(apps, 'agreed'), BURST, 'the whole burst, and not one more')
    for (const seconds of [0, 1, 250]) {
      clock.advance(seconds * 1000)
      t.equal(await calls(apps, 'agreed'), seconds, `${seconds} s later`)
    }
    clock.advance(86_400_000)
    t.equal(await calls(apps, 'agreed'), BURST, 'a day fills no more than the burst')
  })
  await t.test('clocks that differ by up to four seconds', async (t) => {
    const skews = Array.from({ length: INSTANCES }, (_, index) => (index % 5) * 1000)
    const apps = await instances(t, url, new ManualClock(), skews)
    const taken = await calls(apps, 'differing')
    t.ok(taken >= BURST && taken <= BURST + 4, `${taken}: those ahead let through the units of their seconds`)
  })
  await t.test('a call that is let through is one statement; a refusal is none', async (t) => {
    const [app] = (await instances(t, url, new ManualClock())) as [FastifyInstance]
    let statements = 0
    t.teardown(
      requestChannels.statement.subscribe(({ table }) => {
        if (table === 'svc_rate_limit') statements += 1
      })
    )
    for (let call = 1; call <= 20; call += 1) await app.limits.take('work', 'counted', 100)
    t.equal(statements, 20)
    for (let call = 1; call <= 20; call += 1) t.notOk((await app.limits.take('work', 'counted', 100)).taken)
    t.equal(statements, 20)
  })
}

t.setTimeout(240_000)

t.test('SQLite', (t) => holds(t, `sqlite:${t.testdir()}/limits.db`))

const programs = postgresPrograms()
const skip = programs === null ? 'PostgreSQL is not installed' : false
t.test('PostgreSQL', { skip }, async (t) => {
  const server = await PostgresServer.start(programs ?? '')
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  await holds(t, server.url('postgres'))
})
