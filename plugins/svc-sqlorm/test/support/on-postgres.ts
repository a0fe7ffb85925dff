/** Runs tests against a real PostgreSQL server, one per process; where there is none, says so and counts as skipped. */
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from './postgres-server.ts'

/** A test takes databases of its own, and starts the server again that it killed. */
let server: Promise<PostgresServer> | null = null

export async function onPostgres(tests: (t: Test, server: PostgresServer) => Promise<unknown>): Promise<void> {
  if (postgresPrograms === null) {
    const reason = 'SKIPPED: no PostgreSQL server is installed; nothing here was tested on it'
    process.stderr.write(`\n  ${reason}\n\n`)
    await t.test('PostgreSQL', async (t) => t.plan(0, reason))
    return
  }
  server ??= PostgresServer.start(postgresPrograms)
  const started = await server
  await t.test('PostgreSQL', async (t) => tests(t, started))
}
