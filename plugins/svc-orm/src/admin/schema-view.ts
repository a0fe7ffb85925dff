/**
 * How each database stands beside what is declared: migrations that have not run, changes that no migration was written
 * for, differences. What cannot be told is said to be so: nothing found, and nothing looked at, are not the same.
 */
import { BootError, type Problem } from 'svc-kernel'
import { ConnectionUnavailable } from '../errors.ts'
import type { Migrations } from '../migrations/migrations.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import { problemOf } from '../schema/drift.ts'

/**
 * `known`: it was looked at. `none`: the driver keeps no schema. `unreachable`: the database does not answer. `unknown`:
 * it could not be told, and `problems` has why where that is known.
 */
type State = 'known' | 'none' | 'unreachable' | 'unknown'

interface SchemaView {
  readonly connector: string
  readonly vendor: string
  readonly state: State
  /** In the order in which they run; null: this one has not. Epoch ms. */
  readonly migrations: ReadonlyArray<{ readonly name: string; readonly executedAt: number | null }>
  /** What no migration was written for, a line for each step. */
  readonly unwritten: readonly string[]
  /** Differences, and migrations that do not fit their files. */
  readonly problems: readonly Problem[]
}

type Found = Omit<SchemaView, 'connector' | 'vendor'>

const NOTHING = { migrations: [], unwritten: [], problems: [] } as const

export async function schemaView(connector: OrmConnector, migrations: Migrations): Promise<SchemaView> {
  const { name, vendor } = connector
  return { connector: name, vendor, ...(await look(connector, migrations)) }
}

async function look(connector: OrmConnector, migrations: Migrations): Promise<Found> {
  if (connector.schema === undefined && connector.migrations === undefined) return { state: 'none', ...NOTHING }
  if (!connector.connected) return { state: 'unreachable', ...NOTHING }
  try {
    return connector.migrations === undefined
      ? { state: 'known', ...NOTHING, problems: await differencesOf(connector) }
      : { state: 'known', ...(await statusOf(connector, migrations)) }
  } catch (error) {
    if (error instanceof ConnectionUnavailable) return { state: 'unreachable', ...NOTHING }
    return { state: 'unknown', ...NOTHING, problems: error instanceof BootError ? error.problems : [] }
  }
}

async function differencesOf({ schema }: OrmConnector): Promise<readonly Problem[]> {
  return ((await schema?.differences()) ?? []).map(problemOf)
}

async function statusOf({ name }: OrmConnector, all: Migrations): Promise<Omit<Found, 'state'>> {
  const [status] = await all.status(name)
  if (status === undefined) return NOTHING
  const { migrations, unwritten, problems } = status
  const ran = migrations.map((each) => ({ name: each.name, executedAt: each.executedAt?.getTime() ?? null }))
  return { migrations: ran, unwritten, problems }
}
