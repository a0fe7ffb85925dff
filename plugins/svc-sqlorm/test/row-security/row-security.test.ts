/** Row-level security of PostgreSQL: the suite of scopes under it, what it holds back without conditions, and the boot. */
import { CompiledQuery, type Kysely } from 'kysely'
import { scopeConformance, scopedEntities } from 'svc-orm/conformance'
import { compareScopes } from 'svc-orm/conformance/scopes'
import { type CompiledEntity, compileEntities, EntityRepositories, type LoadedMigration } from 'svc-orm/driver'
import t, { type Test } from 'tap'
import { fencedDatabase } from '../support/fenced-database.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { openConnector, unopenedDatabase } from '../support/open-connector.ts'
import type { PostgresServer } from '../support/postgres-server.ts'

t.setTimeout(240_000)

const FENCED = { rowSecurity: true }

/** An error of the boot with this problem alone. */
const problem = (parts: object) => ({ problems: [parts] }) as never

async function opened(t: Test, url: string, entities: readonly CompiledEntity[] = scopedEntities(), options = FENCED) {
  const { repositories, connection, close } = await openConnector(url, entities, options)
  t.teardown(close)
  const { callers } = repositories.scopes
  const within = <T>(organization: string, work: () => Promise<T>) => callers.with({ organization }, work)
  const hasWriters = entities.some(({ name }) => name === 'ScopedWriter')
  const writers = repositories.repository(hasWriters ? 'ScopedWriter' : (entities[0]?.name ?? ''))
  return { repositories, connection, callers, within, writers, close }
}

const names = async (db: Kysely<unknown>): Promise<unknown[]> => {
  const { rows } = await db.executeQuery<{ name: string }>(
    CompiledQuery.raw('select name from scoped_writer order by 1')
  )
  return rows.map(({ name }) => name)
}

async function suite(t: Test, server: PostgresServer): Promise<void> {
  const open = async (entities: readonly CompiledEntity[]) => {
    const { url } = await fencedDatabase(server)
    return (await opened(t, url, entities)).repositories
  }
  await t.test('the suite of scopes', (t) => scopeConformance({ test: (name, body) => t.test(name, body) }, { open }))
  await t.test('random questions of two organisations', () => compareScopes({ open }))
}

async function fence(t: Test, server: PostgresServer): Promise<void> {
  await t.test('a statement without conditions sees what it was told, and nothing else', async (t) => {
    const { url, asSuperuser } = await fencedDatabase(server)
    const { repositories, connection, callers, within, writers } = await opened(t, url)
    await within('a', () => writers.create({ name: 'of a' }))
    await within('b', () => writers.create({ name: 'of b' }))
    t.strictSame(await names(connection.native), [], 'a statement that was told nothing')
    t.strictSame(await names(connection.native), [], 'nor is anything left over on the connection')
    await repositories.transaction(async (tx) => {
      const inside = writers.withTransaction(tx)
      await within('b', () => inside.count())
      const db = callers.across(() => (tx as { kysely?: Kysely<unknown> }).kysely as Kysely<unknown>)
      t.strictSame(await names(db), ['of b'])
      await callers.across(() => inside.count())
      t.strictSame(await names(db), ['of a', 'of b'])
    })
    t.strictSame(await names(connection.native), [])
    t.equal((await asSuperuser('select 1 from scoped_writer')).length, 2)
    const refused = connection.native.executeQuery(
      CompiledQuery.raw(`insert into open_shelf (id, label) values ('x', 'x')`)
    )
    t.equal((await refused).numAffectedRows, 1n, 'tables without a scope are open')
    const foreign = `insert into scoped_letter (id, text, "organizationId") values ('x', 'x', 'a')`
    await t.rejects(connection.native.executeQuery(CompiledQuery.raw(foreign)), /row-level security policy/)
  })

  await t.test('a failure in a savepoint leaves the scope as it was', async (t) => {
    const { url } = await fencedDatabase(server)
    const { repositories, within, writers } = await opened(t, url)
    await repositories.transaction(async (tx) => {
      const inside = writers.withTransaction(tx)
      await within('a', () => inside.create({ name: 'of a', slug: 's' }))
      await t.rejects(
        tx.savepoint(async (inner) => {
          const deeper = writers.withTransaction(inner)
          await within('b', () => deeper.create({ name: 'of b', slug: 's' }))
          await within('a', () => deeper.create({ name: 'twice', slug: 's' }))
        }),
        { code: 'SVC_ORM_UNIQUE' }
      )
      t.equal(await within('a', () => inside.count()), 1)
      t.equal(await within('b', () => inside.count()), 0)
    })
  })

  await t.test('two pieces of work at once in one transaction see their own', async (t) => {
    const { url } = await fencedDatabase(server)
    const { repositories, within, writers } = await opened(t, url)
    await repositories.transaction(async (tx) => {
      const inside = writers.withTransaction(tx)
      const made = ['a', 'b', 'a', 'b'].map((each, number) =>
        within(each, () => inside.create({ name: `${each}${number}` }))
      )
      await Promise.all(made)
      const seen = await Promise.all(['a', 'b', 'a'].map((each) => within(each, () => inside.distinct('name'))))
      t.strictSame(seen, [
        ['a0', 'a2'],
        ['b1', 'b3'],
        ['a0', 'a2']
      ])
    })
  })

  await t.test('a hundred calls at once, of two organisations, over few connections', async (t) => {
    const { url } = await fencedDatabase(server)
    const { within, writers } = await opened(t, url, scopedEntities(), { ...FENCED, poolSize: 3 } as never)
    const both = Array.from({ length: 100 }, (_, number) => (number % 3 === 0 ? 'a' : 'b'))
    await Promise.all(both.map((each, number) => within(each, () => writers.create({ name: `${each}${number}` }))))
    const counts = await Promise.all(both.map((each) => within(each, () => writers.count())))
    t.strictSame(
      counts,
      both.map((each) => (each === 'a' ? 34 : 66))
    )
    const clash = both.map(() => within('a', () => writers.create({ name: 'x', slug: 'same' })))
    const outcomes = await Promise.allSettled(clash)
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    t.equal(await within('a', () => writers.count()), 35, 'a refused statement leaves its connection usable')
  })
}

async function boot(t: Test, server: PostgresServer): Promise<void> {
  await t.test('a superuser, and a role with BYPASSRLS, stop the boot', async (t) => {
    const superuser = await server.createDatabase()
    const refusal = (got: string) => problem({ code: 'SVC_SQLORM_ROW_SECURITY', got })
    await t.rejects(openConnector(superuser, scopedEntities(), FENCED), refusal('a superuser'))
    const { url, asSuperuser } = await fencedDatabase(server)
    await asSuperuser(`alter role ${new URL(url).username} bypassrls`)
    await t.rejects(openConnector(url, scopedEntities(), FENCED), refusal('a role with BYPASSRLS'))
  })

  await t.test('without scoped entities, the role does not matter', async (t) => {
    const plain = compileEntities(
      [{ definition: { name: 'Plain', schema: { title: { type: 'string' } } }, place: null }],
      'default'
    )
    const { repositories } = await opened(t, await server.createDatabase(), plain.entities)
    t.equal((await repositories.repository('Plain').create({ title: 'x' })).title, 'x')
  })

  await t.test('policies are made once, follow the entities, and are not to be left without the option', async (t) => {
    const { url, asSuperuser } = await fencedDatabase(server)
    const policies = () =>
      asSuperuser<{ table: string }>(
        `select relname as table from pg_policy join pg_class c on c.oid = polrelid where relforcerowsecurity order by 1`
      )
    const before = await opened(t, url, scopedEntities(), { rowSecurity: false })
    await before.within('a', () => before.writers.create({ name: 'before' }))
    t.equal((await policies()).length, 0)
    await before.close()
    for (let start = 0; start < 2; start += 1) {
      const { close, within, writers } = await opened(t, url)
      t.equal(await within('a', () => writers.count()), 1)
      await close()
    }
    const tables = ['scoped_letter', 'scoped_work', 'scoped_writer']
    t.strictSame(
      (await policies()).map(({ table }) => table),
      tables
    )
    await t.rejects(
      openConnector(url, scopedEntities(), { rowSecurity: false }),
      problem({ code: 'SVC_SQLORM_ROW_SECURITY', expected: 'rowSecurity: true' })
    )
    const fewer = scopedEntities().filter(({ name }) => name !== 'ScopedLetter')
    await (await opened(t, url, fewer)).close()
    t.strictSame(
      (await policies()).map(({ table }) => table),
      tables.slice(1)
    )
  })

  await t.test('migrations see every row, and free the column of a scope that is given up', async (t) => {
    const { url, asSuperuser } = await fencedDatabase(server)
    const note = (scope?: string) =>
      compileEntities(
        [
          {
            definition: { name: 'Note', schema: { title: { type: 'string' } }, ...(scope !== undefined && { scope }) },
            place: null
          }
        ],
        'default'
      ).entities
    const before = await opened(t, url, note())
    await before.repositories.repository('Note').createMany([{ title: 'one' }, { title: 'two' }])
    await before.close()
    const ran: LoadedMigration[] = []
    const drop: LoadedMigration['up'] = (m) => m.dropColumn('Note', 'organizationId')
    const migrate = async (entities: readonly CompiledEntity[], up: LoadedMigration['up']) => {
      const { connection, database } = unopenedDatabase(url, FENCED)
      t.teardown(() => connection.close())
      const repositories = new EntityRepositories({ database, entities })
      ran.push({ name: `${ran.length + 1}`, checksum: 'sum', up, down: drop })
      await database.migrations.run({ migrations: ran, direction: 'up', steps: 1, check: () => undefined })
      await connection.open()
      return repositories
    }
    const column = { name: 'organizationId', type: 'text' } as const
    const scoped = await migrate(note('organization'), (m) => m.addColumn('Note', column, { fill: 'a' }))
    const notes = scoped.repository('Note')
    const { callers } = scoped.scopes
    t.equal(await callers.with({ organization: 'a' }, () => notes.count()), 2)
    const title = { name: 'title', type: 'text' } as const
    await migrate(note('organization'), (m) => m.eachRow('Note', [title], (row) => ({ title: `${row.title}!` })))
    t.strictSame(await callers.with({ organization: 'a' }, () => notes.distinct('title')), ['one!', 'two!'])
    const { connection, database } = unopenedDatabase(url, FENCED)
    t.teardown(() => connection.close())
    const _fenced = new EntityRepositories({ database, entities: note('organization') })
    const back = { migrations: ran, direction: 'down', steps: 1, check: () => undefined } as const
    const shown: string[] = []
    await database.migrations.run({ ...back, preview: (text) => shown.push(text) })
    t.match(shown, [/^drop policy/, /no force/, /disable row level security/, /drop column/])
    t.equal((await asSuperuser('select 1 from pg_policy')).length, 1)
    await database.migrations.run(back)
    t.equal((await asSuperuser('select 1 from pg_policy')).length, 0)
    ran.pop()
    await migrate(note('organization'), (m) => m.addColumn('Note', column, { fill: 'a' }))
    const open = await migrate(note(), drop)
    t.equal(await open.repository('Note').count(), 2)
    t.equal((await asSuperuser('select 1 from pg_policy')).length, 0)
  })

  await t.test('a run of migrations makes the policies of the tables that it makes', async (t) => {
    const definition = { name: 'Note', scope: 'organization', schema: { title: { type: 'string' } } } as const
    const { entities } = compileEntities([{ definition, place: null }], 'default')
    const columns = [
      { name: 'id', type: 'id' },
      { name: 'title', type: 'text' }
    ] as const
    const ups: readonly LoadedMigration['up'][] = [
      (m) => m.createTable('Note', { columns }),
      (m) => m.addColumn('Note', { name: 'organizationId', type: 'text' }, { fill: 'a' })
    ]
    const migrations = ups.map((up, place) => ({ name: `${place}`, checksum: 'sum', up, down: null }))
    const superuser = await server.createDatabase()
    const fenced = await fencedDatabase(server)
    for (const url of [fenced.url, superuser]) {
      const { connection, database } = unopenedDatabase(url, FENCED)
      t.teardown(() => connection.close())
      const _fenced = new EntityRepositories({ database, entities })
      const run = { migrations, direction: 'up', steps: 1, check: () => undefined } as const
      const shown: string[] = []
      await database.migrations.run({ ...run, preview: (text) => shown.push(text) })
      t.match(shown.slice(-3), [
        /^create policy "?svc_scope_organization"? on "note"/,
        /enable row level/,
        /force row level/
      ])
      const behind = { ...run, migrations: migrations.slice(0, 1) }
      t.strictSame(
        await database.migrations.run(behind),
        ['0'],
        'without the column of the scope there is none to make'
      )
      t.strictSame(await database.migrations.run(run), ['1'])
    }
    const forced = 'select relname from pg_policy join pg_class c on c.oid = polrelid where relforcerowsecurity'
    t.strictSame(await fenced.asSuperuser(forced), [{ relname: 'note' }])
  })

  await t.test('on SQLite the option is refused', (t) => {
    t.throws(() => unopenedDatabase('sqlite::memory:', FENCED), problem({ code: 'SVC_SQLORM_OPTION' }))
    t.end()
  })
}

await onPostgres(async (t, server) => {
  await suite(t, server)
  await fence(t, server)
  await boot(t, server)
})
