/** What a boot tells of a database that stands and differs from the entities: on both engines, by name and by type. */
import { readFileSync } from 'node:fs'
import { CompiledQuery, type Kysely } from 'kysely'
import type { BootError } from 'svc-kernel'
import { defineEntity, type EntityDefinition } from 'svc-orm'
import t, { type Test } from 'tap'
import type { CapturedLog } from '../support/captured-log.ts'
import { EveryColumn, Shelf } from '../support/every-column.ts'
import { everyStore } from '../support/every-store.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FIXTURES = new URL('../../../test/fixtures/', import.meta.url)

type NewUrl = (t: Test) => Promise<string>

type Indexes = NonNullable<EntityDefinition['indexes']>

interface Difference {
  readonly name: string
  readonly before: EntityDefinition['schema']
  readonly after: EntityDefinition['schema']
  readonly indexes?: readonly [before: Indexes, after: Indexes]
  readonly told: string
  readonly message: RegExp
}

const DIFFERENCES: readonly Difference[] = [
  {
    name: 'a required field that was removed',
    before: { sku: { type: 'string' } },
    after: {},
    told: 'SVC_ORM_COLUMN_LEFT',
    message: /^thing\.sku is required in the database/
  },
  {
    name: 'a required field that may now be null',
    before: { sku: { type: 'string' } },
    after: { sku: { type: 'string', nullable: true } },
    told: 'SVC_ORM_COLUMN_NULL',
    message: /^thing\.sku is NOT NULL/
  },
  {
    name: 'a field that is now required',
    before: { sku: { type: 'string', nullable: true } },
    after: { sku: { type: 'string' } },
    told: 'SVC_ORM_COLUMN_NULL',
    message: /^thing\.sku is nullable/
  },
  {
    name: 'a field that is no longer unique',
    before: { sku: { type: 'string', unique: true } },
    after: { sku: { type: 'string' } },
    told: 'SVC_ORM_INDEX_LEFT',
    message: /^thing \(sku\) is unique/
  },
  {
    name: 'a field that is unique among some rows only, by now',
    before: { sku: { type: 'string', unique: true } },
    after: { sku: { type: 'string' } },
    indexes: [[], [{ fields: ['sku'], unique: true, where: { sku: { $gt: 'a' } } }]],
    told: 'SVC_ORM_INDEX_LEFT',
    message: /^thing \(sku\) is unique in the database but/
  },
  {
    name: 'an index of other rows',
    before: { sku: { type: 'string' } },
    after: { sku: { type: 'string' } },
    indexes: [
      [{ fields: ['sku'], unique: true, where: { sku: { $gt: 'b' } } }],
      [{ fields: ['sku'], unique: true, where: { sku: { $gt: 'a' } } }]
    ],
    told: 'SVC_ORM_INDEX_LEFT',
    message: /^thing \(sku\) is unique in the database among rows where .*sku.* > 'b'/
  }
]

/** From, to; `list` is a list of texts. */
const RETYPED = [
  ['string', 'integer'],
  ['integer', 'string'],
  ['integer', 'date'],
  ['integer', 'boolean'],
  ['integer', 'float'],
  ['date', 'integer'],
  ['date', 'boolean'],
  ['boolean', 'integer'],
  ['boolean', 'date'],
  ['float', 'integer'],
  ['string', 'json'],
  ['string', 'list'],
  ['json', 'string'],
  ['json', 'integer'],
  ['list', 'string'],
  ['date', 'string']
] as const

function retyped(side: 0 | 1): EntityDefinition['schema'] {
  const field = (type: (typeof RETYPED)[number][0 | 1]) =>
    type === 'list' ? { type: 'string' as const, array: true, nullable: true } : { type, nullable: true }
  return Object.fromEntries(RETYPED.map((pair) => [`${pair[0]}_to_${pair[1]}`, field(pair[side])]))
}

/** Codes of warnings about the schema. */
function told({ lines }: CapturedLog): readonly (string | undefined)[] {
  return lines.filter(({ level, code }) => level >= 40 && code?.startsWith('SVC_ORM_')).map(({ code }) => code)
}

const entity = (schema: EntityDefinition['schema'], indexes: Indexes = []) =>
  defineEntity({ name: 'Thing', schema, indexes })

async function boot(t: Test, url: string, entities: readonly EntityDefinition[]) {
  const { fastify, log } = await sqlApp(t, url, { entities })
  for (const each of Object.values(everyStore)) fastify.stores.select<object>(each, 'auto')
  await fastify.ready()
  return { fastify, log }
}

async function execute(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
}

function driftTests(t: Test, engine: 'sqlite' | 'postgres', newUrl: NewUrl): void {
  for (const { name, before, after, indexes = [[], []], told: code, message } of DIFFERENCES) {
    t.test(`D1: ${name}`, async (t) => {
      const url = await newUrl(t)
      await (await boot(t, url, [entity(before, indexes[0])])).fastify.close()
      const { log } = await boot(t, url, [entity(after, indexes[1])])
      t.strictSame(told(log), [code])
      t.match(
        log.lines.find((line) => line.code === code),
        { level: 40, msg: message, fix: / in a migration, or / }
      )
    })
  }

  t.test(
    'where the policy refuses, what breaks ends the boot before anything is added; the rest is told',
    async (t) => {
      const url = await newUrl(t)
      await (
        await boot(t, url, [entity({ sku: { type: 'string' }, qty: { type: 'string', nullable: true } })])
      ).fastify.close()
      const after = entity({ qty: { type: 'integer', nullable: true }, extra: { type: 'string', nullable: true } })
      const { fastify } = await sqlApp(t, url, { entities: [after], drift: 'refuse' })
      const problems = await fastify.ready().then(
        () => [],
        (error) => (error as BootError).problems
      )
      t.strictSame(problems.map(({ code }) => code).toSorted(), ['SVC_ORM_COLUMN_LEFT', 'SVC_ORM_COLUMN_TYPE'])
      await fastify.close()
      const { log } = await boot(t, url, [after])
      t.ok(log.lines.some(({ msg }) => msg === 'added column thing.extra'))
      const { fastify: lenient, log: lines } = await sqlApp(t, url, {
        entities: [entity({ sku: { type: 'string', nullable: true }, qty: { type: 'string', nullable: true } })],
        drift: 'refuse'
      })
      await lenient.ready()
      t.strictSame(told(lines), ['SVC_ORM_COLUMN_NULL'])
      t.strictSame(
        (await lenient.orm.connectors()[0]?.schema?.differences())?.map(({ code }) => code),
        ['SVC_ORM_COLUMN_NULL']
      )
    }
  )

  t.test('D1: every column whose field has another type now', async (t) => {
    const url = await newUrl(t)
    await (await boot(t, url, [entity(retyped(0))])).fastify.close()
    const { log } = await boot(t, url, [entity(retyped(1))])
    const lines = log.lines.filter(({ code }) => code === 'SVC_ORM_COLUMN_TYPE')
    t.strictSame(
      lines.map(({ msg }) => /^the column thing\.(\w+) has the type/.exec(msg)?.[1]),
      RETYPED.map((pair) => pair.join('_to_'))
    )
    t.ok(lines.every(({ level, fix }) => level === 40 && /in a migration, or change the field back$/.test(String(fix))))
  })

  t.test('D1: several differences are one report, and the application serves what it can', async (t) => {
    const url = await newUrl(t)
    const before = entity({ a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'string', nullable: true } })
    const { fastify: first } = await boot(t, url, [before])
    await first.orm.repository(before).create({ a: 'x', b: 5 })
    await first.close()
    const after = entity({ b: { type: 'date' }, d: { type: 'string' }, c: { type: 'string' } })
    const { fastify, log } = await boot(t, url, [after])
    t.strictSame(told(log), [
      'SVC_ORM_SCHEMA',
      'SVC_ORM_REQUIRED_COLUMN',
      'SVC_ORM_COLUMN_TYPE',
      'SVC_ORM_COLUMN_NULL',
      'SVC_ORM_COLUMN_LEFT'
    ])
    t.match(log.messages(40)[0], /^4 differences between the entities and the database of connector default$/)
    t.equal(await fastify.orm.repository(after).count(), 1)
  })

  t.test('D1: a value that a column requires and the entity does not is an error of its own', async (t) => {
    const url = await newUrl(t)
    const before = entity({ sku: { type: 'string' }, note: { type: 'string' } })
    await (await boot(t, url, [before])).fastify.close()
    const after = entity({ note: { type: 'string', nullable: true } })
    const { fastify } = await boot(t, url, [after])
    const things = fastify.orm.repository(after)
    const missing = { code: 'SVC_ORM_NOT_NULL', statusCode: 503, entity: 'Thing', cause: undefined }
    await t.rejects(things.create({ note: 'secret' }), { ...missing, field: 'sku' })
    await t.rejects(things.upsert({ id: '0190a9b0-0000-7000-8000-000000000000' }, {}), missing)
    await execute(fastify.sqlorm.kysely(), [`insert into thing (id, sku, note) values ('one', 's', 'n')`])
    await t.rejects(things.updateMany({}, { note: null }), { ...missing, field: 'note' })
    await t.rejects(
      things.withTransaction((inside) => inside.create({ note: 'secret' })),
      missing
    )
  })

  t.test('D10: a unique index that is no longer declared refuses by the name of its own field', async (t) => {
    const url = await newUrl(t)
    const before = entity({ code: { type: 'string', unique: true }, sku: { type: 'string', unique: true } })
    await (await boot(t, url, [before])).fastify.close()
    const after = entity({ code: { type: 'string', unique: true }, sku: { type: 'string' } })
    const { fastify } = await boot(t, url, [after])
    const things = fastify.orm.repository(after)
    await things.create({ code: 'a', sku: 'x' })
    const twin = { code: 'SVC_ORM_UNIQUE', statusCode: 409, entity: 'Thing', fields: ['sku'] }
    await t.rejects(things.create({ code: 'b', sku: 'x' }), twin)
    await t.rejects(
      things.withTransaction((inside) =>
        inside.createMany([
          { code: 'c', sku: 'y' },
          { code: 'b', sku: 'x' }
        ])
      ),
      twin
    )
  })

  t.test('D1: a table without its key is told', async (t) => {
    const url = await newUrl(t)
    const { fastify: first } = await boot(t, url, [])
    await execute(first.sqlorm.kysely(), ['create table thing (id text not null, "label" varchar(20))'])
    await first.close()
    const { log } = await boot(t, url, [entity({ label: { type: 'string', nullable: true } })])
    t.strictSame(told(log), ['SVC_ORM_KEY_MISSING'])
  })

  t.test('D1: a boot over an unchanged database reports nothing, for every kind of column and store', async (t) => {
    const url = await newUrl(t)
    for (let count = 0; count < 2; count += 1) {
      const { fastify, log } = await boot(t, url, [Shelf, EveryColumn])
      t.strictSame(told(log), [])
      const shelf = await fastify.orm.repository(Shelf).create({ label: `shelf ${count}` })
      const values = { string: 's', integer: count, float: 0.1, boolean: true, date: new Date(count), tags: ['x'] }
      const json = { "it's": [null, 'x', 1.5] }
      const rows = fastify.orm.repository(EveryColumn)
      const { id } = await rows.create({ ...values, json, shelfId: shelf.id })
      t.match(await rows.findOne({ id }), { ...values, json, preset: 'none', open: true })
      t.equal(
        log.messages().some((message) => /^(?:created|added)/.test(message)),
        count === 0
      )
      await fastify.close()
    }
  })

  t.test('D1: neither does a boot over a database that version 0.1.0 made', async (t) => {
    const url = await newUrl(t)
    const { fastify: first } = await sqlApp(t, url)
    await first.ready()
    const text = readFileSync(new URL(`schema-0.1.0.${engine}.sql`, FIXTURES), 'utf8')
    await execute(
      first.sqlorm.kysely(),
      text.split(';\n').filter((statement) => statement !== '')
    )
    await first.close()
    const { fastify, log } = await boot(t, url, [Shelf, EveryColumn])
    t.strictSame(told(log), [])
    t.notOk(
      log.messages().some((message) => /every_column/.test(message)),
      'nothing of it is missing'
    )
    const shelf = await fastify.orm.repository(Shelf).create({ label: 'a' })
    const values = { string: 's', integer: 1, float: 1, boolean: false, date: new Date(5), json: 1, tags: [] }
    t.match(await fastify.orm.repository(EveryColumn).create({ ...values, shelfId: shelf.id }), values)
  })
}

t.test('SQLite', async (t) => driftTests(t, 'sqlite', async (t) => `sqlite:${temporaryFolder(t)}/app.db`))

await onPostgres(async (t, server) => driftTests(t, 'postgres', () => server.createDatabase()))
