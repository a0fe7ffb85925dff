/** The plugin by itself, its options, and the files it loads. */
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { BootError, type Problem } from 'svc-kernel'
import { renewRegistries } from 'svc-kernel/plugin'
import t from 'tap'
import svcOrm, { defineEntity, ensureOrm, entities } from '../src/index.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } }, timestamps: true })
const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))

/** A boot that is expected to fail. */
async function register(options: object): Promise<void> {
  const fastify = Fastify()
  await fastify.register(svcOrm, options)
  await fastify.ready()
}

async function problemsOf(boot: Promise<void>): Promise<readonly Problem[]> {
  try {
    await boot
  } catch (error) {
    if (error instanceof BootError) return error.problems
    throw error
  }
  return []
}

t.beforeEach(() => {
  renewRegistries()
})

t.test('alone, without a connector, it starts and closes', async (t) => {
  const fastify = Fastify()
  await ensureOrm(fastify)
  await ensureOrm(fastify)
  await fastify.ready()
  t.strictSame(fastify.orm.connectors(), [])
  t.throws(() => fastify.orm.repository('Note'), { code: 'SVC_ORM_UNKNOWN_CONNECTOR' })
  await fastify.close()
})

t.test('bad options and bad entities abort the boot', async (t) => {
  t.match(await problemsOf(register({ memroy: true })), [{ at: 'svc-orm.memroy' }])
  t.match(await problemsOf(register({ flow: { slowMs: -1 } })), [{ at: 'svc-orm.flow.slowMs' }])
  t.match(await problemsOf(register({ memory: true, parts: { entities: [{ name: 'x y', schema: {} }] } })), [
    { code: 'SVC_ENTITY_INVALID' }
  ])
})

t.test('declared entities are closed while the application is open', async (t) => {
  entities([Note])(class {})
  const fastify = Fastify()
  await fastify.register(svcOrm, { memory: true, parts: { clock: { now: () => 1000 } } })
  await fastify.ready()
  t.throws(() => entities([Note])(class {}), { code: 'SVC_KERNEL_REGISTRY_SEALED' })
  const row = await fastify.orm.repository(Note).create({ title: 'x' })
  t.strictSame([row.createdAt, row.updatedAt], [new Date(1000), new Date(1000)])
  await fastify.close()
  entities([{ ...Note, name: 'Other' }])(class {})
})

t.test('entities of a folder are loaded in the order of their files; what is none is left', async (t) => {
  const fastify = Fastify()
  await fastify.register(svcOrm, { memory: true, dir: `${fixtures}shop` })
  await fastify.ready()
  t.match(fastify.orm.entities(), [
    { name: 'Author', place: /author\.(?:ts|js):\d+$/ },
    { name: 'Book', place: /book\.(?:ts|js):\d+$/ }
  ])
  t.equal(fastify.orm.entities().length, 2)
  await fastify.close()
})

t.test('a folder that is not there declares nothing, and a warning says so', async (t) => {
  const lines: string[] = []
  const fastify = Fastify({ logger: { stream: { write: (line: string) => lines.push(line) } } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { memory: true, dir: `${fixtures}nowhere` })
  await fastify.ready()
  t.match(JSON.parse(lines[0] ?? '{}'), { level: 40, code: 'SVC_ENTITY_DIR', at: 'svc-orm.dir', got: /nowhere$/ })
})

t.test('stickyMs without a database that has replicas: a warning says so', async (t) => {
  const lines: string[] = []
  const fastify = Fastify({ logger: { stream: { write: (line: string) => lines.push(line) } } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { memory: true, stickyMs: 1000, parts: { entities: [Note] } })
  await fastify.ready()
  const [warning, ...others] = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
  t.match(warning, { level: 40, code: 'SVC_ORM_STICKY', at: 'svc-orm.stickyMs' })
  t.strictSame(others, [])
})

t.test('files that fail are told together', async (t) => {
  t.match(await problemsOf(register({ dir: `${fixtures}broken` })), [
    { code: 'SVC_ENTITY_FAILED', message: /a-fault\.js failed to load: no such luck$/ },
    { code: 'SVC_ENTITY_FAILED', message: /b-fault\.js failed to load: nor here$/ }
  ])
})
