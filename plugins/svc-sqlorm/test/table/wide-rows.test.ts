/** Rows of a wide table: no statement has more parameters than an engine takes. */
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'

const FIELDS = 700
const names = Array.from({ length: FIELDS }, (_, place) => `n${place}`)
const schema = Object.fromEntries(names.map((name) => [name, { type: 'integer', default: 0 } as const]))
const WIDE = defineEntity({ name: 'Wide', schema })

async function insertsMany(t: Test, url: string): Promise<void> {
  const { fastify } = await sqlApp(t, url, { entities: [WIDE] })
  await fastify.ready()
  const wide = fastify.orm.repository('Wide')
  const rows = Array.from({ length: 130 }, (_, n) => ({ n0: n, [`n${FIELDS - 1}`]: n }))
  t.equal((await wide.createMany(rows)).length, 130)
  const found = await wide.find({}, { order: [['n0', 'ASC']], select: [`n${FIELDS - 1}`] })
  t.strictSame(
    found.map((row) => row[`n${FIELDS - 1}`] as unknown),
    rows.map(({ n0 }) => n0)
  )
}

t.test('SQLite', (t) => insertsMany(t, 'sqlite::memory:'))

await onPostgres(async (t, server) => insertsMany(t, await server.createDatabase()))
