/** What is said of a schema, and what is said where nothing can be. */
import { BootError } from 'svc-kernel'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { schemaView } from '../../src/admin/schema-view.ts'
import type { MigrationPort, OrmConnector } from '../../src/driver.ts'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { ConnectionUnavailable } from '../../src/errors.ts'
import { Migrations } from '../../src/migrations/migrations.ts'

const LESS = { code: 'SVC_ORM_COLUMN_NULL', message: 'it takes null', fix: 'change it', breaks: false }
const FAULT = { code: 'SVC_ORM_MIGRATION_FILE', message: 'a migration cannot be loaded' }

interface Facets {
  readonly differences?: () => Promise<(typeof LESS)[]>
  readonly executed?: MigrationPort['executed']
  readonly connected?: boolean
}

async function viewOf({ differences, executed, connected = true }: Facets, folder = '/nowhere') {
  const connector: OrmConnector = Object.defineProperties(memoryDatabase({ name: 'main' }), {
    connected: { value: connected },
    schema: { value: differences === undefined ? undefined : { differences } },
    migrations: { value: executed === undefined ? undefined : { executed, run: async () => [] } }
  })
  const clock = { now: () => 0 }
  const migrations = new Migrations({ folder, clock, connectors: () => [connector], entities: () => [] })
  return schemaView(connector, [], migrations)
}

const nothing = { connector: 'main', vendor: 'memory', migrations: [], unwritten: [], unconstrained: [], problems: [] }
const fails = (error: Error) => () => Promise.reject(error)

t.test('nothing found is not the same as nothing looked at', async (t) => {
  t.strictSame(await viewOf({}), { ...nothing, state: 'none' })
  t.strictSame(await viewOf({ differences: async () => [] }), { ...nothing, state: 'known' })
  t.strictSame(await viewOf({ differences: async () => [], connected: false }), { ...nothing, state: 'unreachable' })
  const gone = fails(new ConnectionUnavailable('main'))
  t.strictSame(await viewOf({ differences: gone }), { ...nothing, state: 'unreachable' })
  t.strictSame(await viewOf({ executed: gone }), { ...nothing, state: 'unreachable' })
  t.strictSame(await viewOf({ executed: fails(new Error('SECRET')) }), { ...nothing, state: 'unknown' })
  const unloadable = { ...nothing, state: 'unknown', problems: [FAULT] }
  t.strictSame(await viewOf({ executed: fails(new BootError([FAULT])) }), unloadable)
})

t.test('differences with their fix, and migrations with when they ran', async (t) => {
  const { problems } = await viewOf({ differences: async () => [LESS] })
  t.match(problems, [{ code: LESS.code, fix: 'change it' }])
  const migration = 'export default { async up() {} }'
  const folder = t.testdir({ '20260101000000_one.js': migration, '20260102000000_two.js': migration })
  const pending = await viewOf({ executed: async () => [] }, folder)
  t.strictSame(pending.migrations, [
    { name: '20260101000000_one', executedAt: null },
    { name: '20260102000000_two', executedAt: null }
  ])
  const ran = { name: '20260101000000_one', checksum: 'other', executedAt: new Date(5) }
  const half = await viewOf({ executed: async () => [ran], differences: async () => [LESS] }, folder)
  t.match(half, { state: 'known', migrations: [{ executedAt: 5 }, { executedAt: null }] })
  t.strictSame(half.problems.map(({ code }) => code).sort(), ['SVC_ORM_COLUMN_NULL', 'SVC_ORM_MIGRATION_EDITED'])
})

t.test('a key of one column does not keep a reference within its scope', async (t) => {
  const schema = { name: { type: 'string' } } as const
  const team = { type: 'many-to-one', target: 'Team' } as const
  const { entities } = compileEntities(
    [
      { name: 'Team', scope: 'organization', schema },
      { name: 'Player', scope: 'organization', schema, relations: { team } }
    ].map((definition) => ({ definition, place: null })),
    'main'
  )
  const key = { table: 'player', column: 'teamId', target: 'team' }
  for (const [standing, unconstrained] of [
    [{ ...key, within: 'organizationId' }, []],
    [key, ['Player.team']]
  ] as const) {
    const connector: OrmConnector = Object.defineProperties(memoryDatabase({ name: 'main' }), {
      schema: { value: { differences: async () => [], references: async () => [standing] } }
    })
    const clock = { now: () => 0 }
    const migrations = new Migrations({ folder: '/nowhere', clock, connectors: () => [connector], entities: () => [] })
    t.match(await schemaView(connector, entities, migrations), { unconstrained })
  }
})
