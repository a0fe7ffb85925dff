/**
 * Field types of an application's own, over what svc-orm exports: the published suite judges them on every database, they
 * go through CRUD over HTTP, and migrations bring rows that are there already.
 */
import { join } from 'node:path'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import svcDocdb from 'svc-docdb'
import type { ModuleEntry } from 'svc-host'
import type { Problem } from 'svc-kernel'
import svcOpenapi from 'svc-openapi'
import svcOrm, {
  type CrudQuery,
  crud,
  defineEntity,
  defineFieldType,
  type EntityDefinition,
  type FieldDefinition,
  type NewOf,
  type OrmPort
} from 'svc-orm'
import { fieldTypeConformance } from 'svc-orm/conformance'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts'
import { startApp } from '../support/start-app.ts'

/** Kept as it is shown, and found in whatever spelling it is given. */
const iban = defineFieldType<string>({
  name: 'iban',
  storage: 'text',
  read: (given) => {
    const text = typeof given === 'string' ? given.replaceAll(' ', '').toUpperCase() : ''
    return /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text) && isChecked(text) ? text : undefined
  },
  expected: 'an IBAN',
  schema: { type: 'string', format: 'iban' },
  can: { order: false, search: true }
})

/** ISO 13616: the remainder of its digits by 97 is 1. */
function isChecked(text: string): boolean {
  const moved = text.slice(4) + text.slice(0, 4)
  return BigInt(moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n === 1n
}

/** Rows have `1:02.500`, the column milliseconds: laps are ordered, and summed. */
const lap = defineFieldType<string>({
  name: 'lap-time',
  storage: 'integer',
  read: (given) => {
    const [, minutes, seconds, ms] = (typeof given === 'string' && /^(\d{1,4}):([0-5]\d)\.(\d{3})$/.exec(given)) || []
    return minutes === undefined ? undefined : (Number(minutes) * 60 + Number(seconds)) * 1000 + Number(ms)
  },
  fromStored: (ms: number) => {
    const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1000) % 60]
    return `${minutes}:${String(seconds).padStart(2, '0')}.${String(ms % 1000).padStart(3, '0')}`
  },
  expected: 'a lap time such as 1:02.500',
  schema: { type: 'string', pattern: '^[0-9]{1,4}:[0-5][0-9]\\.[0-9]{3}$' },
  takes: ['max'],
  can: { add: true },
  from: { float: (seconds) => Math.round(Number(seconds) * 1000) }
})

interface Vector {
  readonly x: number
  readonly y: number
}

const vector = defineFieldType<Vector>({
  name: 'vector',
  storage: 'json',
  read: (given) => {
    const { x, y } = (given ?? {}) as Partial<Vector>
    return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined
  },
  expected: 'a vector with x and y',
  schema: {
    type: 'object',
    required: ['x', 'y'],
    properties: { x: { type: 'number' }, y: { type: 'number' } }
  }
})

const SUBJECTS = [
  {
    field: { type: iban },
    values: [
      ['de89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
      ['GB82WEST12345698765432', 'GB82WEST12345698765432']
    ],
    refused: ['DE88370400440532013000', 'DE89', 5]
  },
  {
    field: { type: lap },
    values: [
      ['00:59.999', '0:59.999'],
      ['1:02.500', '1:02.500'],
      ['12:00.000', '12:00.000']
    ],
    refused: ['1:60.000', '62.5', 62_500]
  },
  {
    field: { type: vector },
    values: [
      [
        { x: 1, y: -2.5, z: 3 },
        { x: 1, y: -2.5 }
      ],
      [
        { x: 0, y: 0 },
        { x: 0, y: 0 }
      ]
    ],
    refused: [{ x: 1 }, 'x', { x: '1', y: 1 }]
  }
] as const

// biome-ignore lint/suspicious/noExplicitAny: of any options
type Driver = readonly [plugin: FastifyPluginAsync<any>, options: object]

async function start(t: Test, entities: readonly EntityDefinition[], [plugin, options]: Driver, folder = '') {
  const migrations = { dir: join(folder, 'migrations'), run: 'command' } as const
  const orm: ModuleEntry = [svcOrm, { migrations, drift: 'warn', parts: { entities } }]
  const { fastify } = await startApp(t, { mode: 'test', security: false, modules: [orm, [plugin, options]] })
  return fastify
}

/** Makes empty databases by name; `null` where their server is not installed. */
const ENGINES: Readonly<Record<string, (t: Test) => Promise<((name: string) => Promise<Driver>) | null>>> = {
  SQLite: async (t) => {
    const folder = t.testdir()
    return async (name) => [svcSqlorm, { connectors: { default: { url: `sqlite:${join(folder, name)}.db` } } }]
  },
  PostgreSQL: async (t) => {
    const programs = postgresPrograms()
    if (programs === null) return null
    const server = await PostgresServer.start(programs)
    t.teardown(async () => {
      await server.kill()
      server.remove()
    })
    return async (name) => {
      await server.administer(`create database ${name}`)
      return [svcSqlorm, { connectors: { default: { url: server.url(name) } } }]
    }
  },
  documents: async (t) => {
    const folder = t.testdir()
    return async (name) => [svcDocdb, { connectors: { svc: { embedded: true, file: join(folder, `${name}.db`) } } }]
  }
}

async function onEveryEngine(
  t: Test,
  work: (t: Test, newDatabase: (name: string) => Promise<Driver>) => Promise<void>
) {
  for (const [name, open] of Object.entries(ENGINES)) {
    const skip = name === 'PostgreSQL' && postgresPrograms() === null ? 'PostgreSQL is not installed' : false
    await t.test(name, { skip }, async (t) => {
      const newDatabase = await open(t)
      if (newDatabase !== null) await work(t, newDatabase)
    })
  }
}

t.test('the suite', (t) =>
  onEveryEngine(t, async (t, newDatabase) => {
    for (const [index, subject] of SUBJECTS.entries()) {
      const driver = await newDatabase(`type${index}`)
      await fieldTypeConformance(t, { ...subject, open: async (entities) => (await start(t, entities, driver)).orm })
    }
  })
)

const Race = defineEntity({
  name: 'Race',
  schema: {
    driver: { type: 'string' },
    best: { type: lap, check: { max: '10:00.000' } },
    laps: { type: lap, array: true },
    wind: { type: vector, nullable: true },
    account: { type: iban, unique: true, nullable: true }
  }
})

t.test('rows go through CRUD as the document describes them', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi)
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Race] } })
  const { routes, page } = crud(Race)
  const races = () => fastify.orm.repository(Race)
  fastify.get('/races', routes.list, ({ query }) => page(races(), query as CrudQuery))
  fastify.post('/races', routes.create, async ({ body }, reply) => {
    reply.code(201)
    return races().create(body as NewOf<typeof Race>)
  })
  await fastify.ready()
  const row = {
    driver: 'ann',
    best: '1:02.500',
    laps: ['1:02.500', '1:03.000'],
    wind: { x: 1, y: 2 },
    account: 'DE89370400440532013000'
  }
  const post = (body: object) => fastify.inject({ method: 'POST', url: '/races', payload: body })

  const made = await post({ ...row, account: 'de89 3704 0044 0532 0130 00' })
  t.equal(made.statusCode, 201)
  t.match(made.json(), row)
  for (const [name, wrong] of Object.entries({ best: '62.5', laps: ['x'], wind: { x: 1 }, account: 'DE00' })) {
    const refused = await post({ ...row, [name]: wrong })
    t.equal(refused.statusCode, 400, name)
    t.match(refused.json().message, name)
  }
  t.match((await post({ ...row, best: '10:00.001' })).json(), { code: 'SVC_ORM_VALUE', message: /at most 10:00.000/ })
  t.equal((await post(row)).statusCode, 409, 'the account is taken')

  const listed = await fastify.inject('/races?best=01:02.500&account=DE89%203704%200044%200532%200130%2000')
  t.match(listed.json(), { total: 1, items: [row] })
  const sums = await fastify.orm
    .repository('Race')
    .groupBy({}, { by: ['driver'], measures: { all: { sum: 'best' }, least: { min: 'best' } } })
  t.strictSame(sums, [{ driver: 'ann', all: 62_500, least: '1:02.500' }])

  const { components, paths } = fastify.swagger() as unknown as Record<'components' | 'paths', object>
  const described = JSON.stringify([paths, components])
  t.match(described, '"format":"iban"')
  t.match(described, '^[0-9]{1,4}:[0-5][0-9]')
})

const keeping = (result: FieldDefinition) => [defineEntity({ name: 'Result', schema: { result } })]

t.test('a migration makes a type of rows that are there, and stops at those that are none', (t) =>
  onEveryEngine(t, async (t, newDatabase) => {
    const driver = await newDatabase('results')
    const folder = t.testdir()
    const within = async (result: FieldDefinition, work: (orm: OrmPort) => Promise<void>) => {
      const fastify = await start(t, keeping(result), driver, folder)
      await work(fastify.orm)
      await fastify.close()
    }
    const shown = async (orm: OrmPort) =>
      (await orm.repository('Result').find({}, { order: [['id', 'ASC']] })).map(({ result }) => result as unknown)
    const again = async ({ migrations }: OrmPort) => {
      const found = await migrations.migrate().catch(({ problems }) => problems as readonly Problem[])
      t.match(found, [{ code: 'SVC_ORM_MIGRATION_DATA', message: /1 value of result\.result cannot become lap-time/i }])
    }

    await within({ type: 'float' }, async (orm) => {
      await orm.migrations.diff('first')
      await orm.migrations.migrate()
      await orm.repository('Result').create({ result: 62.5 })
      await orm.repository('Result').create({ result: -1 })
    })
    await within({ type: lap }, async (orm) => {
      const written = await orm.migrations.diff('laps')
      t.match(written?.source, "holds: 'lap-time'")
      await again(orm)
    })
    await within({ type: 'float' }, async (orm) => {
      t.strictSame(await shown(orm), [62.5, -1], 'nothing was changed')
      await orm.repository('Result').updateOne({ result: -1 }, { result: 59.999 })
    })
    await within({ type: lap }, async (orm) => {
      await orm.migrations.migrate()
      t.strictSame(await shown(orm), ['1:02.500', '0:59.999'])
      t.equal(await orm.migrations.diff('again'), null)
      t.match(await orm.migrations.status(), [{ unwritten: [], problems: [] }])
    })
  })
)
