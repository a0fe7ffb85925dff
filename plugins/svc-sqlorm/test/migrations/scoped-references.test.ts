/** Foreign keys within a scope: no statement makes a row name one of another scope; on both engines. */
import { sql } from 'kysely'
import { defineEntity, type EntityDefinition } from 'svc-orm'
import t, { type Test } from 'tap'
import { problemsOf, project } from '../support/migrated-project.ts'
import { onPostgres } from '../support/on-postgres.ts'

type Rule = 'restrict' | 'cascade' | 'setNull' | 'none'
type App = Awaited<ReturnType<ReturnType<typeof project>['app']>>

const scope = 'organization'
const opened = { opened: true, mode: 'production' } as const

const Team = defineEntity({ name: 'Team', scope, schema: { name: { type: 'string' } } })

function player(onDelete: Rule): EntityDefinition {
  const team = { type: 'many-to-one', target: 'Team', nullable: true, onDelete } as const
  return defineEntity({ name: 'Player', scope, schema: { name: { type: 'string' } }, relations: { team } })
}

const Loose = defineEntity({ name: 'Player', scope, schema: { name: { type: 'string' } } })

function execute({ fastify }: App, statement: string): Promise<unknown> {
  return fastify.sqlorm.connection(undefined, { acrossScopes: true }).run((db) => sql.raw(statement).execute(db))
}

async function keys({ fastify }: App) {
  const connection = fastify.sqlorm.connection(undefined, { acrossScopes: true })
  const found = await connection.run((db) => connection.engine.alteration.references(db))
  return found.map(({ name: _, ...key }) => key)
}

const KEY = { table: 'player', column: 'teamId', target: 'team', key: 'id', deferrable: false } as const

async function teams({ orm }: App) {
  const made = (organization: string) =>
    orm.withScope({ organization }, () => orm.repository('Team').create({ name: organization }))
  return { a: await made('a'), b: await made('b') }
}

function scopedTests(t: Test, newUrl: () => Promise<string | undefined>): void {
  t.test('a new table refuses rows that cross, also by SQL by hand; a deletion cascades', async (t) => {
    const { app } = project(t, await newUrl())
    const entities = [Team, player('cascade')]
    const made = await app(entities, { opened: true })
    t.strictSame(await keys(made), [{ ...KEY, within: 'organizationId', onDelete: 'cascade' }])
    const { a, b } = await teams(made)
    const insert = (id: string, team: string) =>
      execute(made, `insert into player (id, name, "organizationId", "teamId") values ('${id}', 'x', 'b', '${team}')`)
    await t.rejects(insert('1', a.id))
    await insert('1', b.id)
    await t.rejects(execute(made, `update player set "teamId" = '${a.id}'`))
    await t.rejects(execute(made, `update player set "organizationId" = 'a'`))
    await made.orm.withScope({ organization: 'b' }, () => made.orm.repository('Team').delete({}))
    t.equal(await made.orm.acrossScopes('test', () => made.orm.repository('Player').count()), 0)
    await made.fastify.close()
    const again = await app(entities, { opened: true })
    t.match(await again.migrations.status(), [{ problems: [] }])
    await again.fastify.close()
  })

  t.test('a standing table: rows that cross stop the migration; it runs once they are mended, and back', async (t) => {
    const { app } = project(t, await newUrl())
    const first = await app([Team, player('none')], { opened: true })
    await first.migrations.diff('first')
    await first.migrations.migrate()
    const { a, b } = await teams(first)
    const insert = (id: string, team: string) =>
      execute(first, `insert into player (id, name, "organizationId", "teamId") values ('${id}', 'x', 'b', '${team}')`)
    await insert('1', a.id)
    await insert('2', b.id)
    await first.fastify.close()

    const entities = [Team, player('restrict')]
    const stopped = await app(entities)
    const written = await stopped.migrations.diff('keep')
    t.match(written?.steps.at(-1), /^keep the reference Player\.teamId to Team of the same organizationId \(restrict\)/)
    const [refused] = await problemsOf(stopped.migrations.migrate())
    t.match(refused, {
      code: 'SVC_ORM_MIGRATION_DATA',
      message: /1 row of Player names a Team of another organizationId in teamId: row 1/
    })
    await stopped.fastify.close()

    const mending = await app(entities, opened)
    t.match(await mending.orm.checkReferences(), [{ dangling: 0, crossing: { rows: 1, first: ['1'] } }])
    t.match(await mending.orm.repairReferences(), [{ crossing: { rows: 1, repair: 'setNull' } }])
    await mending.fastify.close()
    const migrating = await app(entities)
    await migrating.migrations.migrate()
    t.equal(await migrating.migrations.diff('again'), null)
    await migrating.fastify.close()
    const after = await app(entities, opened)
    t.strictSame(await keys(after), [{ ...KEY, within: 'organizationId', onDelete: 'restrict' }])
    t.match(await after.migrations.status(), [{ unwritten: [], problems: [] }])
    await t.rejects(execute(after, `update player set "teamId" = '${a.id}'`))
    await after.fastify.close()

    const back = await app(entities)
    await back.migrations.rollback(1)
    await back.fastify.close()
    const loose = await app([Team, player('none')], opened)
    t.strictSame(await keys(loose), [])
    await execute(loose, `update player set "teamId" = '${a.id}'`)
    await loose.fastify.close()
  })

  t.test('a key of one column, as an earlier version made it, becomes one of two', async (t) => {
    const { app } = project(t, await newUrl())
    const entities = [Team, player('restrict')]
    const first = await app([Team, player('none')], { opened: true })
    const { a } = await teams(first)
    const connection = first.fastify.sqlorm.connection(undefined, { acrossScopes: true })
    const single = { column: 'teamId', table: 'team', key: 'id', onDelete: 'restrict' } as const
    await connection.run((db) => connection.engine.alteration.addReference(db, 'player', single))
    t.strictSame(await keys(first), [{ ...KEY, onDelete: 'restrict' }])
    await first.fastify.close()

    const standing = await app(entities, opened)
    t.strictSame(await keys(standing), [{ ...KEY, onDelete: 'restrict' }])
    await standing.fastify.close()
    const migrating = await app(entities)
    const written = await migrating.migrations.diff('within')
    t.match(written?.steps, [/^no longer keep the reference Player\.teamId/, /^keep .* of the same organizationId/])
    await migrating.migrations.migrate()
    await migrating.fastify.close()
    const after = await app(entities, opened)
    t.strictSame(await keys(after), [{ ...KEY, within: 'organizationId', onDelete: 'restrict' }])
    const crossing = () => after.orm.repository('Player').create({ name: 'x', teamId: a.id })
    const missing = { code: 'SVC_ORM_REFERENCE_MISSING', entity: 'Player', field: 'teamId' }
    await t.rejects(after.orm.withScope({ organization: 'b' }, crossing), missing)
    await after.fastify.close()
  })

  t.test('the table that is named gets another name: its key is made again', async (t) => {
    const { app } = project(t, await newUrl())
    const migrated = async (entities: readonly EntityDefinition[], name: string) => {
      const { migrations, fastify } = await app(entities)
      await migrations.diff(name)
      await migrations.migrate()
      await fastify.close()
    }
    await migrated([Team, player('restrict')], 'first')
    const Crew = defineEntity({ name: 'Crew', was: 'Team', scope, schema: { name: { type: 'string' } } })
    const team = { type: 'many-to-one', target: 'Crew', nullable: true } as const
    const renamed = defineEntity({ name: 'Player', scope, schema: Loose.schema, relations: { team } })
    await migrated([Crew, renamed], 'crew')
    const after = await app([Crew, renamed], opened)
    t.strictSame(await keys(after), [{ ...KEY, target: 'crew', within: 'organizationId', onDelete: 'restrict' }])
    await after.fastify.close()
    const back = await app([Crew, renamed])
    await back.migrations.rollback(1)
    await back.fastify.close()
    const before = await app([Team, player('restrict')], opened)
    t.strictSame(await keys(before), [{ ...KEY, within: 'organizationId', onDelete: 'restrict' }])
    await before.fastify.close()
  })

  t.test('a column that a boot adds is held to a row that is there, and by a migration to its scope', async (t) => {
    const { app } = project(t, await newUrl())
    const first = await app([Team, Loose], { opened: true })
    await first.fastify.close()
    const entities = [Team, player('restrict')]
    const added = await app(entities, opened)
    const [key] = await keys(added)
    t.match(key, { ...KEY, onDelete: 'restrict' })
    await t.rejects(
      execute(added, `insert into player (id, name, "organizationId", "teamId") values ('1', 'x', 'b', 'c')`)
    )
    await added.fastify.close()
    const migrating = await app(entities)
    await migrating.migrations.diff('within')
    await migrating.migrations.migrate()
    await migrating.fastify.close()
    const after = await app(entities, opened)
    t.strictSame(await keys(after), [{ ...KEY, within: 'organizationId', onDelete: 'restrict' }])
    await after.fastify.close()
  })

  t.test('a table that stands without the scope opens as it is', async (t) => {
    const { app } = project(t, await newUrl())
    const first = await app([defineEntity({ name: 'Team', schema: { name: { type: 'string' } } })], { opened: true })
    await first.fastify.close()
    const opening = await app([Team, player('restrict')], { opened: true })
    t.strictSame(await keys(opening), [{ ...KEY, onDelete: 'restrict' }])
    await opening.fastify.close()
  })
}

t.test('SQLite', { timeout: 120_000 }, async (t) => scopedTests(t, async () => undefined))

await onPostgres(async (t, server) => scopedTests(t, () => server.createDatabase()))
