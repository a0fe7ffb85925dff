/** Maintenance tasks: on the timer of an instance, or by a runner, and always before the database closes. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { ManualClock } from '../../src/conformance/index.ts'
import { ensureStores, type MaintenanceTask } from '../../src/index.ts'

const turn = () => new Promise(setImmediate)

async function opened(t: Test) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const clock = new ManualClock()
  await ensureStores(fastify, { clock })
  const declare = (task: Partial<MaintenanceTask>) =>
    fastify.maintenance.declare({ name: 'things', everyS: 10, clock, work: async () => 0, ...task })
  return { fastify, clock, declare }
}

t.test('without a runner a task runs on a timer, again and again', async (t) => {
  const { fastify, clock, declare } = await opened(t)
  let runs = 0
  declare({
    work: async () => {
      runs += 1
      return 0
    }
  })
  await fastify.ready()
  t.equal(runs, 0)
  for (let each = 0; each < 3; each += 1) {
    clock.advance(10_000)
    await turn()
  }
  t.equal(runs, 3)
  await fastify.close()
  t.equal(clock.pending, 0)
})

t.test('a runner is asked for each task, and has those that it takes for itself', async (t) => {
  const { fastify, clock, declare } = await opened(t)
  const ran: string[] = []
  const work = (name: string) => async () => ran.push(name)
  declare({ name: 'ours', store: 'things', work: work('ours') })
  declare({ name: 'of-process', work: work('of-process') })
  fastify.maintenance.runBy({ takes: ({ store }) => store === 'things' })
  await fastify.ready()
  clock.advance(10_000)
  await turn()
  t.strictSame(ran, ['of-process'])
  t.equal(await fastify.maintenance.run('ours', new AbortController().signal), 2)
})

/** Work that ends when the test says, and what happened meanwhile. */
function held(order: string[]) {
  let end = (): void => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = async () => {
    await promise
    order.push('done')
    return 0
  }
  return { end: () => end(), work }
}

t.test('the application closes its database after the work of a timer', async (t) => {
  const { fastify, clock, declare } = await opened(t)
  const order: string[] = []
  fastify.addHook('onClose', async () => void order.push('database closed'))
  const { end, work } = held(order)
  declare({ work })
  await fastify.ready()
  clock.advance(10_000)
  const closed = fastify.close()
  await turn()
  t.same(order, [], 'the close waits')
  end()
  await closed
  t.same(order, ['done', 'database closed'])
})

t.test('and after the work that a runner has begun', async (t) => {
  const { fastify, declare } = await opened(t)
  const order: string[] = []
  fastify.addHook('onClose', async () => void order.push('database closed'))
  const { end, work } = held(order)
  declare({ work })
  fastify.maintenance.runBy({ takes: () => true })
  await fastify.ready()
  const run = fastify.maintenance.run('things', new AbortController().signal)
  const closed = fastify.close()
  await turn()
  t.same(order, [], 'the close waits')
  end()
  await Promise.all([run, closed])
  t.same(order, ['done', 'database closed'])
})

t.test('what is wrong with a task ends the boot', async (t) => {
  const { fastify, declare } = await opened(t)
  const refused = { code: 'SVC_STORE_MAINTENANCE' }
  declare({})
  const wrong = [{}, { name: 'Big Name' }, { name: '' }, { name: 'a', everyS: 0 }, { name: 'b', everyS: 1.5 }]
  for (const task of wrong) t.match(thrown(() => declare(task)).problems, [refused], JSON.stringify(task))
  await fastify.ready()
  t.match(thrown(() => declare({ name: 'late' })).problems, [refused])
})

function thrown(call: () => void): { problems?: readonly object[] } {
  try {
    call()
  } catch (error) {
    return error as { problems?: readonly object[] }
  }
  return {}
}
