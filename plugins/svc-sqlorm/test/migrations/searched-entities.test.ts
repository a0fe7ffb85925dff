/** Tables that are searched: words come to rows that stand, live on where a table is rebuilt or renamed, and go without a rest. */
import { DatabaseSync } from 'node:sqlite'
import { defineEntity, type EntityDefinition } from 'svc-orm'
import t, { type Test } from 'tap'
import { project } from '../support/migrated-project.ts'
import { onPostgres } from '../support/on-postgres.ts'

const TITLE = { title: { type: 'string' }, stars: { type: 'integer', default: 0 } } as const
const PLAIN = defineEntity({ name: 'Note', schema: TITLE })
const SEARCHED = defineEntity({ ...PLAIN, search: ['title'] })
/** A required column is made of another one: SQLite rebuilds the table. */
const REBUILT = defineEntity({
  ...SEARCHED,
  schema: { ...TITLE, stars: { type: 'string', default: '0' }, text: { type: 'text', nullable: true } },
  search: ['title', 'text']
})
const MOVED = defineEntity({
  name: 'Memo',
  was: 'Note',
  schema: {
    head: { type: 'string', was: 'title' },
    stars: { type: 'string', default: '0' },
    text: { type: 'text', nullable: true }
  },
  search: ['head', 'text']
})

function searchTests(t: Test, newUrl: () => Promise<string | undefined>): void {
  t.test('every step of a life', async (t) => {
    const { app, url } = project(t, await newUrl())
    const step = async (entity: EntityDefinition, name: string) => {
      const { migrations, fastify } = await app([entity])
      await migrations.diff(name)
      await migrations.migrate()
      await fastify.close()
    }
    const found = async (entity: EntityDefinition, search: string) => {
      const { orm, fastify, log } = await app([entity], { opened: true })
      t.notOk(
        log.lines.some(({ level }) => level >= 40),
        'a boot finds nothing to say'
      )
      const rows = await orm.repository(entity.name).find({ $search: search }, { order: [['$rank', 'DESC']] })
      await fastify.close()
      return rows.map(({ stars }) => String(stars)).sort()
    }
    await step(PLAIN, 'first')
    const first = await app([PLAIN], { opened: true })
    await first.orm.repository('Note').createMany([
      { title: 'gone', stars: 0 },
      { title: 'Red chair', stars: 1 },
      { title: 'Größe', stars: 2 }
    ])
    await first.orm.repository('Note').delete({ stars: 0 })
    await first.fastify.close()

    await step(SEARCHED, 'search')
    t.strictSame(await found(SEARCHED, 'red'), ['1'])
    t.strictSame(await found(SEARCHED, 'gross*'), ['2'])
    await step(REBUILT, 'rebuild')
    t.strictSame(await found(REBUILT, 'red'), ['1'])
    const later = await app([REBUILT], { opened: true })
    const notes = later.orm.repository('Note')
    await notes.updateMany({ $search: 'red' }, { title: 'blue', text: 'oak' })
    await notes.create({ title: 'Red', text: 'oak', stars: '3' })
    await notes.delete({ $search: 'grosse' })
    await later.fastify.close()
    t.strictSame(await found(REBUILT, 'oak'), ['1', '3'])
    t.strictSame(await found(REBUILT, 'red oak'), ['3'])
    t.strictSame(await found(REBUILT, 'grosse'), [])
    await step(MOVED, 'move')
    t.strictSame(await found(MOVED, 'oak'), ['1', '3'])
    if (url.startsWith('sqlite:')) {
      const file = new DatabaseSync(url.slice('sqlite:'.length))
      file.exec('vacuum')
      file.close()
      t.strictSame(await found(MOVED, 'red oak'), ['3'], 'rows keep their numbers')
    }
    const back = await app([MOVED])
    await back.migrations.rollback(4, { confirm: () => true } as never)
    await back.fastify.close()
    if (url.startsWith('sqlite:')) {
      const file = new DatabaseSync(url.slice('sqlite:'.length))
      const left = file.prepare(`select name from sqlite_master where sql like '%fts5%' or type = 'trigger'`).all()
      file.close()
      t.strictSame(left, [])
    }
  })

  t.test('a boot adds no words to a table with rows: a search waits for the migration, all else goes on', async (t) => {
    const { app } = project(t, await newUrl())
    const first = await app([PLAIN], { opened: true })
    await first.orm.repository('Note').create({ title: 'Red chair' })
    await first.fastify.close()
    const second = await app([SEARCHED], { opened: true })
    const notes = second.orm.repository('Note')
    await t.rejects(notes.find({ $search: 'red' }), { statusCode: 503 } as never)
    t.equal(await notes.count(), 1)
    await second.fastify.close()
  })
}

t.test('SQLite', (t) => {
  searchTests(t, async () => undefined)
  t.end()
})

await onPostgres(async (t, server) => searchTests(t, () => server.createDatabase()))
