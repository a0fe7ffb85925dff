/** Two connections of PostgreSQL, one of which deletes owners while the other one writes what belongs to them. */
import { sql } from 'kysely'
import { compileEntities } from 'svc-orm/driver'
import t from 'tap'
import { onPostgres } from './support/on-postgres.ts'
import { openConnector } from './support/open-connector.ts'

const ROUNDS = 500
const AT_ONCE = 25
const REFUSALS = ['SVC_ORM_REFERENCE_MISSING', 'SVC_ORM_REFERENCED', 'SVC_ORM_CONFLICT']

const relation = (onDelete: 'restrict' | 'cascade') =>
  ({ type: 'many-to-one', target: 'Owner', nullable: true, onDelete }) as const
const { entities } = compileEntities(
  [
    { name: 'Owner', schema: { name: { type: 'string' as const } } },
    {
      name: 'Owned',
      schema: { name: { type: 'string' as const } },
      relations: { strict: relation('restrict'), loose: relation('cascade') }
    }
  ].map((definition) => ({ definition, place: null })),
  'default'
)

t.setTimeout(120_000)

await onPostgres(async (t, server) => {
  const url = await server.createDatabase()
  const [one, other] = [await openConnector(url, entities), await openConnector(url, entities)]
  t.teardown(() => Promise.all([one.close(), other.close()]))

  for (const field of ['strictId', 'looseId']) {
    await t.test(`no row without its owner: ${field}`, async (t) => {
      const [owners, owned] = [one.repositories.repository('Owner'), other.repositories.repository('Owned')]
      const codes: unknown[] = []
      for (let round = 0; round < ROUNDS; round += AT_ONCE) {
        const made = await owners.createMany(Array.from({ length: AT_ONCE }, () => ({ name: 'o' })))
        const works = made.flatMap(({ id }, index) => [
          index % 2 === 0
            ? owned.create({ name: 'r', [field]: id })
            : owned.withTransaction((rows) => rows.create({ name: 'r', [field]: id })),
          index % 3 === 0 ? owners.deleteOne({ id }) : owners.withTransaction((rows) => rows.delete({ id }))
        ])
        for (const outcome of await Promise.allSettled(works))
          if (outcome.status === 'rejected') codes.push((outcome.reason as { code?: unknown }).code)
      }
      t.strictSame(
        codes.filter((code) => !REFUSALS.includes(String(code))),
        []
      )
      const column = sql.ref(`owned.${field}`)
      const { rows } = await one.connection.run((db) =>
        sql<{ n: string }>`select count(*) as n from owned where ${column} is not null
          and not exists (select 1 from owner where owner.id = ${column})`.execute(db)
      )
      t.equal(Number(rows[0]?.n), 0)
      t.match(await one.repositories.repository('Owned').count({ [field]: { $ne: null } }), Number)
    })
  }
})
