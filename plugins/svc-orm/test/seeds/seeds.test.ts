/** Seeds: each once, whole or not at all, in the order of their files, on the connector of their folder. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOrm, { defineEntity, memoryDatabase, type Seed } from '../../src/index.ts'

const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string', unique: true } } })

const note =
  (text: string): Seed =>
  async ({ repository }) => {
    await repository(Note).create({ text })
  }

/** @param seeds by file; what is no function is the text of the file */
async function application(t: Test, seeds: Readonly<Record<string, Seed | string>>): Promise<FastifyInstance> {
  const folder = t.testdir()
  for (const [file, seed] of Object.entries(seeds)) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), typeof seed === 'string' ? seed : '')
  }
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const importModule = async (path: string) => {
    const seed = seeds[path.slice(folder.length + 1)]
    if (typeof seed === 'string') throw new Error(seed)
    return { default: seed }
  }
  fastify.decorate('appHost', { name: 'app', root: folder, mode: 'test', checkOnly: false, importModule })
  await fastify.register(svcOrm, { memory: true, seeds: '.', parts: { entities: [Note] } })
  fastify.orm.addConnector(memoryDatabase({ name: 'other' }))
  await fastify.orm.seeds.prepare()
  await fastify.ready()
  return fastify
}

const texts = async ({ orm }: FastifyInstance) => (await orm.repository(Note).find()).map(({ text }) => text)

t.test('each runs once, in the order of the files, and again where it is asked to', async (t) => {
  const fastify = await application(t, {
    '02_more.ts': note('b'),
    '01_first.mjs': async (context) => {
      await note('a')(context)
      await context.repository('Note').withTransaction(context.tx).upsert({ text: 'x' }, {})
    },
    'first.test.ts': note('no seed'),
    'types.d.ts': note('no seed'),
    '.hidden.ts': note('no seed')
  })
  const { seeds } = fastify.orm
  t.strictSame(await seeds.run(), [{ connector: 'memory', names: ['01_first', '02_more'], passed: [] }])
  t.strictSame(await texts(fastify), ['a', 'x', 'b'])
  t.strictSame(await seeds.run(), [{ connector: 'memory', names: [], passed: ['01_first', '02_more'] }])
  await fastify.orm.repository(Note).delete({ text: 'b' })
  const again = await seeds.run({ names: ['02_more'], again: true })
  t.strictSame(again, [{ connector: 'memory', names: ['02_more'], passed: [] }])
  t.strictSame(await texts(fastify), ['a', 'x', 'b'])
})

t.test('one that fails keeps nothing, and may run later; those before it stay', async (t) => {
  let isBroken = true
  const fastify = await application(t, {
    '1.ts': note('kept'),
    '2.ts': async (context) => {
      await note('lost')(context)
      if (isBroken) await note('kept')(context)
    },
    '3.ts': note('after')
  })
  const { seeds } = fastify.orm
  const failure: unknown = await seeds.run().catch((error: unknown) => error)
  t.match(failure, {
    problems: [{ code: 'SVC_ORM_SEED_FAILED', message: /^2 failed and was rolled back: / }]
  })
  t.strictSame(await texts(fastify), ['kept'])
  isBroken = false
  t.match(await seeds.run(), [{ names: ['2', '3'], passed: ['1'] }])
})

t.test('of two that run at once, one runs it', async (t) => {
  const fastify = await application(t, { '1.ts': note('once') })
  const ran = await Promise.all([fastify.orm.seeds.run(), fastify.orm.seeds.run()])
  t.same(
    ran.flat().flatMap(({ names }) => names),
    ['1']
  )
  t.strictSame(await texts(fastify), ['once'])
})

t.test('another connector has a folder; what is not there is said', async (t) => {
  const fastify = await application(t, { '1.ts': note('a'), 'other/2.ts': async () => undefined, '3.ts': 'broken' })
  const { seeds } = fastify.orm
  t.same(await seeds.run({ connector: 'other' }), [{ connector: 'other', names: ['2'], passed: [] }])
  const codeOf = async (work: Promise<unknown>): Promise<string | undefined> => {
    const error = await work.catch((failure: unknown) => failure)
    return error instanceof BootError ? error.problems[0]?.code : undefined
  }
  t.equal(await codeOf(seeds.run({ connector: 'nowhere' })), 'SVC_ORM_SEED_NONE')
  t.equal(await codeOf(seeds.run({ names: ['9'] })), 'SVC_ORM_SEED_NAME')
  t.equal(await codeOf(seeds.run({ names: ['3'] })), 'SVC_ORM_SEED_FILE')
  t.strictSame(await texts(fastify), [])
})
