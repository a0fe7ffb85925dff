/**
 * `svc orm:reset`: empties the databases of an application, tables and rows, and
 * makes the tables again. In development alone, and only who has agreed.
 */
import { type DatabasesView, type DatabaseView, databasesOf } from '../application/database-view.ts'
import { type Inspection, inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import { askConsent } from './ask-consent.ts'

export interface ResetOptions extends AppOptions {
  /** Agrees without being asked. */
  yes?: true
}

const COMMAND = 'svc orm:reset'
const MORE = 'npx svc docs schema-differences'

/** @throws CommandError SVC_RESET_MODE, SVC_RESET_NONE, SVC_RESET_UNREACHABLE, SVC_RESET_DECLINED */
export function resetDatabases(options: ResetOptions): Promise<void> {
  return inspectApp(options, COMMAND, async ({ app, register }) => {
    // Before anything connects: what is not reached cannot be deleted.
    refuseProduction(app.config.mode)
    const fastify = await register()
    const orm = databasesOf(fastify)
    // What ran is forgotten with the rows that it wrote.
    await orm?.seeds.prepare()
    await fastify.ready()
    const databases = orm?.connectors().filter(({ reset }) => reset !== undefined) ?? []
    if (orm === null || databases.length === 0) throw new CommandError(none())
    refuseUnreachable(databases)
    if (options.yes !== true) await askFor(databases, orm)
    for (const database of databases) {
      const dropped = (await database.reset?.()) ?? []
      print(`${database.name}: emptied ${dropped.join(', ')}`)
    }
  })
}

function refuseProduction(mode: Inspection['app']['config']['mode'] = 'production'): void {
  if (mode === 'development') return
  throw new CommandError({
    code: 'SVC_RESET_MODE',
    message: 'orm:reset deletes data and runs in development only; nothing was touched',
    at: 'mode (svc.config.ts)',
    got: mode,
    expected: 'development',
    fix: 'NODE_ENV=development npx svc orm:reset',
    more: MORE
  })
}

function refuseUnreachable(databases: readonly DatabaseView[]): void {
  const gone = databases.filter(({ connected }) => !connected)
  if (gone.length === 0) return
  throw new CommandError(
    gone.map(({ name, connection: { target } }) => ({
      code: 'SVC_RESET_UNREACHABLE',
      message: `the database of connector ${name} cannot be reached; nothing was touched`,
      at: target,
      fix: 'start the database, then try again'
    }))
  )
}

async function askFor(databases: readonly DatabaseView[], orm: DatabasesView): Promise<void> {
  if (!process.stdin.isTTY) throw declined('there is no terminal to ask for confirmation')
  for (const { name, vendor, connection } of databases) {
    const entities = orm.entities(name).map((entity) => entity.name)
    print(`${name} (${vendor}, ${connection.target}): ${entities.join(', ') || 'no entities'}`)
  }
  const agreed = await askConsent('This deletes all their rows, and the users, sessions and tokens in these databases.')
  if (agreed !== true) throw declined('the reset was not confirmed')
}

function declined(why: string): CommandError {
  return new CommandError({
    code: 'SVC_RESET_DECLINED',
    message: `${why}: nothing was touched`,
    fix: 'npx svc orm:reset --yes'
  })
}

function none() {
  return {
    code: 'SVC_RESET_NONE',
    message: 'this application has no database to reset',
    at: 'modules (svc.config.ts)',
    expected: 'svc-sqlorm or svc-docdb',
    fix: 'npx svc module:add sql',
    more: MORE
  }
}
