/** Paths of routes of crud: one that names no row is refused at boot. */
import { fastify as createFastify } from 'fastify'
import t from 'tap'
import { crud, defineEntity } from '../../src/index.ts'

const schema = { b: { type: 'integer' }, a: { type: 'string' }, n: { type: 'integer', nullable: true } } as const
const Plain = defineEntity({ name: 'Plain', schema })
const Pair = defineEntity({ name: 'Pair', key: ['a', 'b'], schema })

const boot = async (path: string, entity: typeof Plain | typeof Pair, prefix = ''): Promise<string | null> => {
  const fastify = createFastify()
  await fastify.register(
    async (scope) => void scope.get(path, crud(entity as typeof Plain).routes.read, async () => null),
    {
      prefix
    }
  )
  const refused = await fastify.ready().then(
    () => null,
    ({ message }: Error) => message
  )
  await fastify.close()
  return refused
}

for (const [path, entity, prefix] of [
  ['/:id', Plain, ''],
  ['/:id(^\\d+$)', Plain, ''],
  ['/of/:owner/:id/parts', Plain, ''],
  ['/:a/:b', Pair, ''],
  ['/:b/x/:a', Pair, ''],
  ['/:a-:b', Pair, ''],
  ['/:b', Pair, '/:a']
] as const) {
  t.test(`${prefix}${path} names a row of ${entity.name}`, async (t) => t.equal(await boot(path, entity, prefix), null))
}

for (const [path, entity, end] of [
  ['/:no', Plain, '/:id'],
  ['/', Plain, '/:id'],
  ['/:ids', Plain, '/:id'],
  ['/:id', Pair, '/:a/:b'],
  ['/:a', Pair, '/:a/:b']
] as const) {
  t.test(`${path} names no row of ${entity.name}`, async (t) => {
    const message = `the path ${path} names no row of ${entity.name}: end it with '${end}'`
    t.ok((await boot(path, entity))?.includes(message))
  })
}
