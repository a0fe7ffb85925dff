/** N+1 in development: named once per route and call, with the place; never for what reads many rows at once. */
import Fastify, { type FastifyInstance } from 'fastify'
import { type Mode, requestChannels } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOrm, { defineEntity } from '../../src/index.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })

interface Line {
  readonly code?: string
  readonly msg: string
  readonly [field: string]: unknown
}

async function application(t: Test, mode: Mode, routes: (fastify: FastifyInstance) => void) {
  const lines: Line[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Line) }
  const fastify = Fastify({ logger: { level: 'warn', stream } })
  t.teardown(() => fastify.close())
  const root = new URL('../../..', import.meta.url).pathname
  fastify.decorate('appHost', { name: 'shop', root, mode, checkOnly: false, importModule: async () => ({}) })
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Note] } })
  await fastify.register(async (scope) => routes(scope))
  await fastify.ready()
  const told = () => lines.filter(({ code }) => code === 'SVC_ORM_CALL_PER_ROW')
  return { fastify, told }
}

const perRow =
  (times: number) =>
  (fastify: FastifyInstance): void => {
    fastify.get('/notes/:id', async () => {
      const notes = fastify.orm.repository('Note')
      for (let row = 0; row < times; row += 1) await notes.findOne({ title: `secret ${row}` })
      return 'read'
    })
  }

t.test('the eleventh call of one shape in a request, once per route', async (t) => {
  const { fastify, told } = await application(t, 'development', perRow(25))
  t.equal((await fastify.inject('/notes/1')).statusCode, 200)
  await fastify.inject('/notes/2')
  t.equal(told().length, 1)
  t.match(told()[0], {
    level: 40,
    route: 'GET /notes/:id',
    connector: 'memory',
    entity: 'Note',
    operation: 'findOne',
    call: 'findOne Note where title = ?',
    at: /^(?:dist\/)?test\/statements\/repeated-calls\.test\.[tj]s:\d+$/,
    msg: /GET \/notes\/:id makes one call more than 10 times in a request: findOne Note where title = \?; .*include/
  })
  t.notMatch(JSON.stringify(told()), 'secret')
})

t.test('ten are no warning, and neither are those of two requests together', async (t) => {
  const { fastify, told } = await application(t, 'development', perRow(10))
  await fastify.inject('/notes/1')
  await fastify.inject('/notes/2')
  t.strictSame(told(), [])
})

t.test('what reads or writes many rows at once, pages and streams are none', async (t) => {
  const { fastify, told } = await application(t, 'development', (scope) => {
    scope.get('/', async () => {
      const notes = scope.orm.repository('Note')
      const titles = Array.from({ length: 30 }, (_, row) => ({ title: `t${row}` }))
      await notes.createMany(titles)
      await notes.find({ title: { $in: titles.map(({ title }) => title) } })
      let after: string | undefined
      do {
        const { next } = await notes.page({}, { limit: 1, ...(after !== undefined && { after }) })
        after = next ?? undefined
      } while (after !== undefined)
      return 'read'
    })
  })
  t.equal((await fastify.inject('/')).statusCode, 200)
  t.strictSame(told(), [])
})

t.test('writes are told their own remedy', async (t) => {
  const { fastify, told } = await application(t, 'development', (scope) => {
    scope.post('/', async () => {
      const notes = scope.orm.repository('Note')
      for (let row = 0; row < 11; row += 1) await notes.create({ title: 't' })
      for (let row = 0; row < 11; row += 1) await notes.updateOne({ title: 't' }, { title: 'u' })
      return 'written'
    })
  })
  t.equal((await fastify.inject({ method: 'POST', url: '/' })).statusCode, 200)
  t.match(told(), [
    { operation: 'create', msg: /createMany/ },
    { operation: 'updateOne', msg: /updateMany/ }
  ])
})

t.test('production and tests hear no call, and other applications none of ours', async (t) => {
  for (const mode of ['production', 'test'] as const) {
    await application(t, mode, perRow(11))
    t.equal(requestChannels.repository.hasSubscribers, false, mode)
  }
  const ours = await application(t, 'development', perRow(11))
  const theirs = await application(t, 'development', () => undefined)
  await ours.fastify.inject('/notes/1')
  t.equal(ours.told().length, 1)
  t.equal(theirs.told().length, 0)
  await ours.fastify.close()
  await theirs.fastify.close()
  t.equal(requestChannels.repository.hasSubscribers, false, 'closed')
})
