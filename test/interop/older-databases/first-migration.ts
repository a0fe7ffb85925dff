/**
 * A database of an older version has no migration yet. The first one renames entities and fields and changes a type of it,
 * written beside that database, or beside an empty one; then all of it is undone. No value is lost on the way.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import type { BootError } from 'svc-kernel'
import svcOrm, { defineEntity, type EntityDefinition } from 'svc-orm'
import type { Test } from 'tap'
import { olderApplication } from './vectors.ts'

const { entities: older } = olderApplication('0.1.0')

type Row = Readonly<Record<string, unknown>> & { readonly id: string }
// biome-ignore lint/suspicious/noExplicitAny: of any options
type Plugin = readonly [plugin: FastifyPluginAsync<any>, options: object]

const Writer = defineEntity({
  name: 'Writer',
  was: 'Author',
  schema: {
    email: { type: 'string', unique: true, maxLength: 100 },
    fullName: { type: 'string', nullable: true, was: 'name' },
    born: { type: 'date', nullable: true },
    profile: { type: 'json', nullable: true },
    active: { type: 'boolean', default: true }
  },
  relations: { stories: { type: 'one-to-many', target: 'Story', mappedBy: 'author' } }
})

const story = (reads: EntityDefinition['schema'][string]) =>
  defineEntity({
    name: 'Story',
    was: 'Article',
    schema: {
      handle: { type: 'string', was: 'slug' },
      body: { type: 'text', default: '' },
      reads,
      rating: { type: 'float', nullable: true },
      tags: { type: 'string', array: true, nullable: true },
      days: { type: 'date', array: true, nullable: true },
      settings: { type: 'json', default: 'none' },
      publishedAt: { type: 'date', nullable: true }
    },
    relations: {
      author: { type: 'many-to-one', target: 'Writer' },
      former: { type: 'many-to-one', target: 'Writer', nullable: true }
    },
    indexes: [{ fields: ['publishedAt', 'handle'] }, { fields: ['authorId', 'handle'], unique: true }],
    timestamps: true
  })

const RENAMED = [Writer, story({ type: 'integer', default: 0 })]
const RETYPED = [Writer, story({ type: 'string', default: '0' })]

export interface OlderDatabases {
  /** The older database, made anew for one test. */
  readonly database: (t: Test) => Promise<Plugin>
  readonly empty: (t: Test) => Promise<Plugin>
}

function project(t: Test) {
  const root = mkdtempSync(join(import.meta.dirname, 'first-migration-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  return async ([plugin, options]: Plugin, entities: readonly EntityDefinition[], opened: boolean) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    const host = { name: 'a', root, mode: 'production' as const, checkOnly: !opened, migrating: !opened }
    fastify.decorate('appHost', { ...host, importModule: async () => ({}) })
    await fastify.register(svcOrm, { drift: 'refuse', parts: { entities } })
    await fastify.register(plugin, options)
    await fastify.ready()
    return fastify
  }
}

type Application = Awaited<ReturnType<ReturnType<typeof project>>>

async function within<T>(application: Promise<Application>, work: (fastify: Application) => Promise<T>): Promise<T> {
  const fastify = await application
  try {
    return await work(fastify)
  } finally {
    await fastify.close()
  }
}

const codes = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error) => (error as BootError).problems.map(({ code }) => code)
  )

/** By id; what the older version called otherwise is called so again. */
async function rowsOf({ orm }: Application, entity: string, names: Readonly<Record<string, string>> = {}) {
  const rows = (await orm.repository(entity).find({}, { order: [['id', 'ASC']] })) as Row[]
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value])))
}

export function firstMigrations(t: Test, { database, empty }: OlderDatabases): void {
  t.test('U1: the first migration of an older database renames its entities, its fields and a type', async (t) => {
    const app = project(t)
    const kept = await database(t)
    const before = await within(app(kept, older, true), async (fastify) => ({
      authors: await rowsOf(fastify, 'Author'),
      articles: await rowsOf(fastify, 'Article')
    }))
    t.ok(before.articles.length >= 4 && before.authors.length === 2)
    const same = async (fastify: Application) => {
      t.strictSame(await rowsOf(fastify, 'Writer', { fullName: 'name' }), before.authors)
      const texts = before.articles.map((row) => ({ ...row, reads: String(row.reads) }))
      t.strictSame(await rowsOf(fastify, 'Story', { handle: 'slug' }), texts)
    }

    t.match(await codes(app(kept, RETYPED, true)), ['SVC_ORM_RENAMED'])
    await within(app(kept, RETYPED, false), async ({ orm: { migrations } }) => {
      const written = await migrations.diff('better')
      t.match(written?.baseline?.name, /_baseline$/)
      t.strictSame(written?.warnings, [])
      for (const step of ['rename Author to Writer', 'rename Writer.name to fullName', 'rename Story.slug to handle']) {
        t.ok(written?.steps.includes(step), step)
      }
      t.ok(written?.steps.some((step) => /^change Story\.reads from integer.* to text/.test(step)))
      t.notOk(written?.steps.some((step) => /^(?:create|drop) \w+$|^add \w+\./.test(step)))
      const [ran] = await migrations.migrate()
      t.match(ran?.names, [/_baseline$/, /_better$/])
      t.equal(await migrations.diff('again'), null)
      t.match(await migrations.status(), [{ unwritten: [], problems: [] }])
    })
    await within(app(kept, RETYPED, true), async (fastify) => {
      await same(fastify)
      t.match(await fastify.orm.repository('Story').findOne({ reads: '9007199254740991' }), { handle: 'first' })
    })

    await within(app(kept, RETYPED, false), async ({ orm: { migrations } }) => {
      const [undone] = await migrations.rollback(2)
      t.equal(undone?.names.length, 2)
    })
    await within(app(kept, older, true), async (fastify) => {
      t.strictSame(await rowsOf(fastify, 'Author'), before.authors, 'U2: what was found is left')
      t.strictSame(await rowsOf(fastify, 'Article'), before.articles, 'U2: with every row')
    })
    await within(app(kept, RETYPED, false), ({ orm: { migrations } }) => migrations.migrate())
    await within(app(kept, RETYPED, true), same)
  })

  t.test(
    'U1: a migration that was written beside an empty database takes over what stands under the name before',
    async (t) => {
      const app = project(t)
      const kept = await database(t)
      const before = await within(app(kept, older, true), (fastify) => rowsOf(fastify, 'Article'))
      await within(app(await empty(t), RENAMED, false), async ({ orm: { migrations } }) => {
        const written = await migrations.diff('first')
        t.equal(written?.baseline, null)
        t.match(written?.steps, [
          'create Writer',
          'create Story',
          /Story\.authorId to Writer/,
          /Story\.formerId to Writer/
        ])
        t.equal(written?.steps.length, 4)
      })
      await within(app(kept, RENAMED, false), ({ orm: { migrations } }) => migrations.migrate())
      await within(app(kept, RENAMED, true), async (fastify) => {
        t.strictSame(await rowsOf(fastify, 'Story', { handle: 'slug' }), before)
        const [first] = await rowsOf(fastify, 'Writer')
        await fastify.orm.repository('Story').create({ handle: 'new', authorId: String(first?.id) })
        await fastify.orm.repository('Story').delete({ handle: 'new' })
      })
      await within(app(kept, RENAMED, false), async ({ orm: { migrations } }) => {
        t.match(await migrations.rollback(1), [{ names: [/_first$/] }], 'U2: nothing is lost, so nothing is asked')
      })
      await within(app(kept, older, true), async (fastify) => t.strictSame(await rowsOf(fastify, 'Article'), before))
    }
  )

  t.test('U1: where a type has changed as well, such a migration stops, and nothing is renamed', async (t) => {
    const app = project(t)
    const kept = await database(t)
    await within(app(await empty(t), RETYPED, false), ({ orm: { migrations } }) => migrations.diff('first'))
    await within(app(kept, RETYPED, false), async ({ orm: { migrations } }) => {
      t.strictSame(await codes(migrations.migrate()), ['SVC_ORM_MIGRATION_STATE'])
    })
    await within(app(kept, older, true), async (fastify) => t.ok((await rowsOf(fastify, 'Article')).length >= 4))
  })
}
