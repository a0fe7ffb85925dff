/** A transaction that hangs: it is undone in time, shuts nobody out for ever, and writes nothing afterwards. */
import type { FastifyInstance } from 'fastify'
import { defineEntity, type Transaction } from 'svc-orm'
import t, { type Test } from 'tap'
import { ManualClock } from '../support/manual-clock.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOTE = defineEntity({ name: 'Note', schema: { text: { type: 'text' } } })
const LIMIT_MS = 1000

interface Hanging {
  readonly outcome: Promise<unknown>
  readonly tx: Transaction
  /** Lets the work go on, and answers what became of the statement that it then sends. */
  goOn(): Promise<unknown>
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** A transaction that has written a row and waits, inside a savepoint where `nested`. */
async function hang(fastify: FastifyInstance, nested: boolean): Promise<Hanging> {
  const gate = deferred<void>()
  const begun = deferred<Transaction>()
  const late = deferred<unknown>()
  const work = async (tx: Transaction) => {
    const notes = fastify.orm.repository(NOTE).withTransaction(tx)
    await notes.create({ text: 'of the transaction' })
    begun.resolve(tx)
    await gate.promise
    notes.create({ text: 'late' }).then(late.resolve, late.resolve)
    await late.promise
  }
  const outcome = fastify.orm
    .transaction((tx) => (nested ? tx.savepoint(work) : work(tx)))
    .then(
      () => 'kept',
      (error: unknown) => error
    )
  const tx = await begun.promise
  const goOn = () => {
    gate.resolve()
    return late.promise
  }
  return { outcome, tx, goOn }
}

async function onEveryEngine(t: Test, newUrl: (t: Test) => Promise<string>): Promise<void> {
  for (const nested of [false, true]) {
    await t.test(nested ? 'inside a savepoint' : 'outside of savepoints', async (t) => {
      const clock = new ManualClock()
      const setting = { entities: [NOTE], transactionTimeoutMs: LIMIT_MS, parts: { clock } }
      const { fastify } = await sqlApp(t, await newUrl(t), setting)
      await fastify.ready()
      const notes = fastify.orm.repository(NOTE)
      const { outcome, tx, goOn } = await hang(fastify, nested)
      clock.advance(LIMIT_MS)
      const over = { code: 'SVC_ORM_TRANSACTION_OVER' }
      // Before the rollback can have been answered.
      await t.rejects(notes.withTransaction(tx).create({ text: 'at once' }), over)
      t.match(await outcome, { code: 'SVC_SQLORM_TRANSACTION_TIMEOUT', statusCode: 503 })
      await notes.create({ text: 'of others' })
      t.match(await goOn(), over)
      t.match(await notes.find(), [{ text: 'of others' }])
      t.equal(await notes.count(), 1)
    })
  }

  await t.test('a transaction within its time leaves no timer behind', async (t) => {
    const clock = new ManualClock()
    const { fastify } = await sqlApp(t, await newUrl(t), { entities: [NOTE], parts: { clock } })
    await fastify.ready()
    const notes = fastify.orm.repository(NOTE)
    await notes.withTransaction((inside) => inside.create({ text: 'a' }))
    await t.rejects(
      notes.withTransaction(async () => {
        throw new Error('no')
      }),
      { message: 'no' }
    )
    t.equal(clock.armed, 0)
  })

  await t.test('the shutdown does not wait for one that hangs', async (t) => {
    const url = await newUrl(t)
    const { fastify } = await sqlApp(t, url, { entities: [NOTE] })
    await fastify.ready()
    const { outcome, goOn } = await hang(fastify, false)
    await fastify.close()
    t.match(await outcome, { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 })
    t.match(await goOn(), { code: 'SVC_ORM_TRANSACTION_OVER' })
    const after = await sqlApp(t, url, { entities: [NOTE] })
    await after.fastify.ready()
    t.equal(await after.fastify.orm.repository(NOTE).count(), 0)
  })
}

t.test('SQLite', (t) => onEveryEngine(t, async (t) => `sqlite:${temporaryFolder(t)}/app.db`))

await onPostgres((t, server) => onEveryEngine(t, () => server.createDatabase()))
