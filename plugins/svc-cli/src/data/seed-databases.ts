/** `svc orm:seed`: runs the seeds of an application on its databases, each once, and prints which. */
import { databasesOf } from '../application/database-view.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'

export interface SeedDatabasesOptions extends AppOptions {
  connector?: string
  again?: true
}

/** @param names of seeds; none: all of them @throws CommandError SVC_SEED_NONE; what svc-orm throws */
export function seedDatabases(
  names: readonly string[],
  { connector, again, ...options }: SeedDatabasesOptions
): Promise<void> {
  return inspectApp(options, 'svc orm:seed', async ({ register }) => {
    const fastify = await register()
    const orm = databasesOf(fastify)
    if (orm === null) throw new CommandError(none())
    await orm.seeds.prepare()
    await fastify.ready()
    const ran = await orm.seeds.run({
      ...(connector !== undefined && { connector }),
      ...(names.length > 0 && { names }),
      again: again === true
    })
    for (const { connector: database, names: done, passed } of ran) {
      for (const name of done) print(`${database}: ran ${name}`)
      if (done.length === 0) print(`${database}: nothing to do; --again runs ${passed.join(', ')}`)
    }
  })
}

function none() {
  return {
    code: 'SVC_SEED_NONE',
    message: 'this application has no database to seed',
    at: 'modules (svc.config.ts)',
    expected: 'svc-sqlorm or svc-docdb',
    fix: 'npx svc module:add sql',
    more: 'npx svc docs seeds'
  }
}
