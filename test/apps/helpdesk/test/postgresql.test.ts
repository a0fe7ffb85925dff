/**
 * The help desk on PostgreSQL.
 *
 * In a process of its own: the environment says where the data of an application is.
 */
import t from 'tap'
import { PostgresServer, postgresPrograms } from '../../../support/postgres-server.ts'
import { HelpDesk } from './help-desk.ts'
import { isolation } from './isolation.ts'
import { journey } from './journey.ts'

t.setTimeout(600_000)

const programs = postgresPrograms()
if (programs === null) t.plan(0, 'PostgreSQL is not installed')
else {
  const server = await PostgresServer.start(programs)
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  const desk = await HelpDesk.open(t, server.url('postgres'))
  await t.test('from the first sign-up to a deletion', (t) => journey(t, desk))
  await t.test('two organisations, and nothing of one for the other', (t) => isolation(t, desk, 60))
}
