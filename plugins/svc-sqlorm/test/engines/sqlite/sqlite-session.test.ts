/** Kysely on node:sqlite: who reads, who writes, and what happens when others hold the file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import type { Clock } from 'svc-kernel'
import t, { type Test } from 'tap'
import { SqliteDialect } from '../../../src/engines/sqlite/sqlite-dialect.ts'

interface Tables {
  counter: { id: string; value: number }
}

/** Unlike the machine's, it keeps the test alive while it waits. */
const clock: Clock = { now: Date.now, setTimeout, clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout) }

async function open(t: Test, path: string, waitMs = 5000): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ connector: 'main', path, synchronous: 'normal', waitMs, clock })
  })
  t.teardown(() => db.destroy())
  await sql`create table if not exists counter (id text primary key, value integer not null) strict`.execute(db)
  return db
}

function temporaryFile(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sqlite-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'below', 'app.db')
}

const values = (db: Kysely<Tables>) => db.selectFrom('counter').selectAll().orderBy('id').execute()

t.test('rows have the columns that the table has by then, and the last of two with one name', async (t) => {
  const db = await open(t, ':memory:')
  await sql`insert into counter values ('a', 1)`.execute(db)
  const all = async () => (await sql<Record<string, unknown>>`select * from counter`.execute(db)).rows
  t.same(await all(), [{ id: 'a', value: 1 }])
  await sql`alter table counter rename column value to amount`.execute(db)
  t.same(await all(), [{ id: 'a', amount: 1 }])
  t.same((await sql`select id as it, amount as it from counter`.execute(db)).rows, [{ it: 1 }])
  const named = await sql<
    Record<string, unknown>
  >`select amount as constructor, id as "__proto__" from counter`.execute(db)
  t.strictSame(Object.entries(named.rows[0] ?? {}), [
    ['constructor', 1],
    ['__proto__', 'a']
  ])
})

for (const kind of ['memory', 'file'] as const) {
  const pathOf = (t: Test) => (kind === 'memory' ? ':memory:' : temporaryFile(t))

  t.test(`${kind}: transactions of concurrent callers do not mix`, async (t) => {
    const db = await open(t, pathOf(t))
    await db.insertInto('counter').values({ id: 'a', value: 0 }).execute()
    const add = () =>
      db.transaction().execute(async (trx) => {
        const { value } = await trx
          .selectFrom('counter')
          .select('value')
          .where('id', '=', 'a')
          .executeTakeFirstOrThrow()
        await new Promise(setImmediate)
        await trx
          .updateTable('counter')
          .set({ value: value + 1 })
          .execute()
      })
    const refused = () =>
      db.transaction().execute(async (trx) => {
        await trx.updateTable('counter').set({ value: -1 }).execute()
        await new Promise(setImmediate)
        throw new Error('no')
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => (index % 3 ? add() : refused())))
    t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 10)
    t.match(await values(db), [{ id: 'a', value: 20 }])
  })

  t.test(`${kind}: a reader outside never sees half of a transaction`, async (t) => {
    const db = await open(t, pathOf(t))
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('counter').values({ id: 'a', value: 1 }).execute()
      t.equal((await values(trx)).length, 1, 'the transaction sees its own')
      t.equal((await values(db)).length, 0, 'and the reader does not wait')
      await trx.insertInto('counter').values({ id: 'b', value: 1 }).execute()
    })
    t.equal((await values(db)).length, 2)
  })

  t.test(`${kind}: savepoints, streams, counts and parameters of every type`, async (t) => {
    const db = await open(t, pathOf(t))
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('counter')
      .values([
        { id: 'a', value: 1 },
        { id: 'b', value: 2 }
      ])
      .executeTakeFirstOrThrow()
    t.equal(numInsertedOrUpdatedRows, 2n)
    const trx = await db.startTransaction().execute()
    const saved = await trx.savepoint('half"way').execute()
    await saved.deleteFrom('counter').execute()
    await saved.rollbackToSavepoint('half"way').execute()
    await trx.commit().execute()
    const streamed: unknown[] = []
    for await (const row of db.selectFrom('counter').select('id').stream()) streamed.push(row.id)
    t.strictSame(streamed, ['a', 'b'])
    const { rows } = await sql`select ${true} as yes, ${new Date(7)} as moment, ${null} as empty, ${5n} as big`.execute(
      db
    )
    t.match(rows, [{ yes: 1, moment: 7, empty: null, big: 5 }])
    await t.rejects(sql`select ${undefined} as x`.execute(db), TypeError)
    await t.rejects(sql`select ${{ $where: 1 }} as x`.execute(db), TypeError)
  })

  t.test(`${kind}: a statement cannot open a transaction by its text`, async (t) => {
    const db = await open(t, pathOf(t))
    await t.rejects(sql`begin`.execute(db), { code: 'SVC_SQLORM_STRAY_TRANSACTION' })
    await db.insertInto('counter').values({ id: 'a', value: 1 }).execute()
    t.equal((await values(db)).length, 1)
  })
}

t.test('a writer waits for another process, and the event loop goes on meanwhile', async (t) => {
  const path = temporaryFile(t)
  const db = await open(t, path)
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  other.exec('begin immediate')
  let ticks = 0
  const ticking = setInterval(() => (ticks += 1), 1)
  const written = db.insertInto('counter').values({ id: 'a', value: 1 }).execute()
  while (ticks < 5) await new Promise(setImmediate)
  other.exec('commit')
  await written
  clearInterval(ticking)
  t.equal((await values(db)).length, 1)
})

t.test('a file that stays locked is told as busy', async (t) => {
  const path = temporaryFile(t)
  const db = await open(t, path, 20)
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  other.exec('begin immediate')
  await t.rejects(db.insertInto('counter').values({ id: 'a', value: 1 }).execute(), { message: /database is locked/ })
  await t.rejects(
    db.transaction().execute((trx) => trx.deleteFrom('counter').execute()),
    { message: /database is locked/ }
  )
  t.equal((await values(db)).length, 0, 'reading goes on')
  other.exec('rollback')
  await db.insertInto('counter').values({ id: 'a', value: 1 }).execute()
  t.equal((await values(db)).length, 1, 'and so does writing, afterwards')
})

t.test('a write past the transaction that waits for it gives up', async (t) => {
  const db = await open(t, ':memory:', 20)
  await t.rejects(
    db.transaction().execute(() => db.deleteFrom('counter').execute()),
    { message: /blocked the database for too long/ }
  )
  await db.insertInto('counter').values({ id: 'a', value: 1 }).execute()
  t.equal((await values(db)).length, 1, 'the lock is free again')
})
