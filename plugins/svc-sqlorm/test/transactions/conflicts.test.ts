/** What loses a deadlock on PostgreSQL is done again: transactions, and statements that stand alone. */
import { CompiledQuery } from 'kysely'
import { conformanceEntities } from 'svc-orm/conformance'
import t from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { openConnector } from '../support/open-connector.ts'

t.setTimeout(120_000)

await onPostgres(async (t, server) => {
  const url = await server.createDatabase()
  const entities = conformanceEntities()
  const { repositories, close } = await openConnector(url, entities)
  t.teardown(close)
  const things = repositories.repository('Thing')
  const [a, b] = await things.createMany([{ label: 'a' }, { label: 'b' }])
  const ids = [a?.id ?? '', b?.id ?? ''] as const

  await t.test('D7: both of two transactions that shut each other out succeed', async (t) => {
    let waiting: (() => void)[] = []
    let runs = 0
    /** Resolves once both have come; from the third on, at once. */
    const both = () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length < 2 && runs <= 2) return
        for (const go of waiting) go()
        waiting = []
      })
    const cross = (first: string, second: string) =>
      things.withTransaction(async (inside) => {
        runs += 1
        await inside.increment({ id: first }, 'count')
        await both()
        await inside.increment({ id: second }, 'count')
      })
    await Promise.all([cross(ids[0], ids[1]), cross(ids[1], ids[0])])
    t.strictSame(
      (await things.find()).map(({ count }) => count as number),
      [2, 2]
    )
    t.ok(runs > 2, 'one ran again')
  })

  await t.test('D7: a statement that stands alone is done again', async (t) => {
    const other = await openConnector(url, entities)
    t.teardown(other.close)
    const { connection: database } = other
    let hold: () => void = () => undefined
    const isHeld = new Promise<void>((resolve) => {
      hold = resolve
    })
    const rival = database.transaction(async (db) => {
      const lock = (id: string) =>
        db.executeQuery(CompiledQuery.raw(`select 1 from thing where id = '${id}' for update`))
      await db.executeQuery(CompiledQuery.raw("set local deadlock_timeout = '1min'"))
      await lock(ids[1])
      hold()
      // The other one takes the first row, and waits for the second.
      let waits = false
      for (let looks = 0; !waits && looks < 100_000; looks += 1) {
        const { rows } = await db.executeQuery<{ waits: boolean }>(
          CompiledQuery.raw('select exists (select 1 from pg_locks where not granted) as waits')
        )
        waits = rows[0]?.waits === true
      }
      await lock(ids[0])
    })
    await isHeld
    t.equal(await things.updateMany({}, { label: 'both' }), 2)
    await rival
    t.equal(await things.count({ label: 'both' }), 2)
  })
})
