/**
 * The help desk on PostgreSQL.
 *
 * In a process of its own: the environment says where the data of an application is.
 */
import t from 'tap'
import { PostgresServer, postgresPrograms } from '../../../support/postgres-server.ts'
import { HelpDesk } from './help-desk.ts'
import { journey } from './journey.ts'

t.setTimeout(240_000)

const programs = postgresPrograms()
if (programs === null) t.plan(0, 'PostgreSQL is not installed')
else {
  const server = await PostgresServer.start(programs)
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  await journey(t, await HelpDesk.open(t, server.url('postgres')))
}
