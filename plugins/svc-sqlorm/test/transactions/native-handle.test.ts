/** Kysely inside a transaction, transactions that are begun, and what locks mean while both transactions are open. */
import { type AnyRow, defineEntity, memoryDatabase, type Repository } from 'svc-orm'
import { conformanceEntities } from 'svc-orm/conformance'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { openConnector } from '../support/open-connector.ts'
import { sqlApp } from '../support/sql-app.ts'

const Account = defineEntity({
  name: 'Account',
  schema: {
    owner: { type: 'string', unique: true },
    balance: { type: 'integer', default: 0 }
  }
})

interface Tables {
  account: { id: string; owner: string; balance: number }
}

async function nativeHandle(t: Test, url: string): Promise<void> {
  const { fastify } = await sqlApp(t, url, { entities: [Account] })
  await fastify.ready()
  const { orm, sqlorm } = fastify
  const accounts = orm.repository(Account)

  await t.test('its statements are part of the transaction', async (t) => {
    const add = (fails: boolean) =>
      accounts.withTransaction(async (inside, tx) => {
        await inside.create({ owner: 'ann' })
        const kysely = sqlorm.kysely<Tables>(tx)
        await kysely.updateTable('account').set({ balance: 5 }).execute()
        const held = await tx.kysely?.selectFrom('account').select('balance').execute()
        t.same(held, [{ balance: 5 }])
        t.equal((await inside.findOne({ owner: 'ann' }))?.balance, 5)
        t.equal(await accounts.count(), 0)
        if (fails) throw new Error('undo')
      })
    await t.rejects(add(true), /undo/)
    t.equal(await accounts.count(), 0)
    await add(false)
    t.equal((await accounts.findOne({ owner: 'ann' }))?.balance, 5)
  })

  await t.test('kept beyond the transaction it takes nothing more', async (t) => {
    const kept = await accounts.withTransaction(async (_inside, tx) => [sqlorm.kysely<Tables>(tx), tx] as const)
    const late = kept[0].deleteFrom('account').execute()
    await t.rejects(late, { code: 'SVC_ORM_TRANSACTION_OVER' })
    t.throws(() => sqlorm.kysely(kept[1]), {
      code: 'SVC_ORM_TRANSACTION_OVER'
    })
    t.equal(await accounts.count(), 1)
  })

  await t.test('a transaction of another database is refused', async (t) => {
    for (const name of ['default', 'memory']) {
      const opened = memoryDatabase({ name }).transaction(async (tx) => sqlorm.kysely(tx))
      await t.rejects(opened, { code: 'SVC_ORM_FOREIGN_TRANSACTION' })
    }
  })

  await t.test('begun, and left without a commit, it is undone', async (t) => {
    async function leave(): Promise<void> {
      await using tx = await orm.begin()
      await accounts.withTransaction(tx).create({ owner: 'lost' })
      await tx.savepoint(async (point) => accounts.withTransaction(point).create({ owner: 'lost as well' }))
    }
    await leave()
    async function keep(): Promise<void> {
      await using tx = await orm.begin({ isolation: 'serializable' })
      await accounts.withTransaction(tx).create({ owner: 'kept' })
      await tx.kysely?.updateTable('account').set({ balance: 7 }).where('owner', '=', 'kept').execute()
      await tx.commit()
    }
    await keep()
    t.strictSame(
      (await accounts.find({}, { order: [['owner', 'ASC']] })).map(({ owner, balance }) => [owner, balance]),
      [
        ['ann', 5],
        ['kept', 7]
      ]
    )
    await t.rejects(orm.begin('nowhere'), {
      code: 'SVC_ORM_UNKNOWN_CONNECTOR'
    })
    await t.rejects(orm.begin({ isolation: 'chaos' as never }), {
      code: 'SVC_ORM_OPTIONS'
    })
  })
}

t.test('SQLite', (t) => nativeHandle(t, 'sqlite::memory:'))

await onPostgres(async (t, server) => {
  const url = await server.createDatabase()
  await t.test('native handle', (t) => nativeHandle(t, url))

  await t.test('an error of it that is caught keeps nothing', async (t) => {
    const { fastify } = await sqlApp(t, await server.createDatabase(), {
      entities: [Account]
    })
    await fastify.ready()
    const accounts = fastify.orm.repository(Account)
    const caught = accounts.withTransaction(async (inside, tx) => {
      await inside.create({ owner: 'lost' })
      await fastify.sqlorm
        .kysely(tx)
        .selectFrom('no_such_table')
        .selectAll()
        .execute()
        .catch(() => undefined)
    })
    await t.rejects(caught)
    t.equal(await accounts.count(), 0)
  })

  await t.test('several share a row at the same time; workers pass over what others have', async (t) => {
    const { repositories, close } = await openConnector(await server.createDatabase(), conformanceEntities())
    t.teardown(close)
    const things = repositories.repository('Thing')
    const [first, second] = await things.createMany([{}, {}])
    const among = (inside: Repository, lock: 'share' | 'skipLocked'): Promise<AnyRow[]> =>
      inside.find({}, { lock, limit: 1 })
    await things.withTransaction(async (one) => {
      t.equal((await among(one, 'share'))[0]?.id, first?.id)
      await things.withTransaction(async (other) => {
        t.equal((await among(other, 'share'))[0]?.id, first?.id)
        t.equal((await among(other, 'skipLocked'))[0]?.id, second?.id, 'what is shared is not free')
      })
    })
  })
})
