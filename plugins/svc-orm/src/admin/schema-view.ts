/**
 * How each database differs from what is declared: migrations that have not run, changes that no migration was written
 * for, differences. What cannot be told is said to be so: nothing found, and nothing looked at, are not the same.
 */
import { BootError, type Problem } from 'svc-kernel'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { ConnectionUnavailable } from '../errors.ts'
import type { Migrations } from '../migrations/migrations.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import { problemOf, type StandingReference } from '../schema/drift.ts'

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
  /** Relations, as `Entity.relation`, whose reference the database does not keep with a foreign key, as it could. */
  readonly unconstrained: readonly string[]
  /** Differences, and migrations that do not fit their files. */
  readonly problems: readonly Problem[]
}

type Found = Omit<SchemaView, 'connector' | 'vendor'>

const NOTHING = { migrations: [], unwritten: [], unconstrained: [], problems: [] } as const

export async function schemaView(
  connector: OrmConnector,
  entities: readonly CompiledEntity[],
  migrations: Migrations
): Promise<SchemaView> {
  const { name, vendor } = connector
  return { connector: name, vendor, ...(await look(connector, entities, migrations)) }
}

async function look(
  connector: OrmConnector,
  entities: readonly CompiledEntity[],
  migrations: Migrations
): Promise<Found> {
  if (connector.schema === undefined && connector.migrations === undefined) return { state: 'none', ...NOTHING }
  if (!connector.connected) return { state: 'unreachable', ...NOTHING }
  try {
    const unconstrained = await unconstrainedOf(connector, entities)
    return connector.migrations === undefined
      ? { state: 'known', ...NOTHING, unconstrained, problems: await differencesOf(connector) }
      : { state: 'known', ...(await statusOf(connector, migrations)), unconstrained }
  } catch (error) {
    if (error instanceof ConnectionUnavailable) return { state: 'unreachable', ...NOTHING }
    return { state: 'unknown', ...NOTHING, problems: error instanceof BootError ? error.problems : [] }
  }
}

async function unconstrainedOf({ schema }: OrmConnector, entities: readonly CompiledEntity[]): Promise<string[]> {
  const standing = await schema?.references?.()
  if (standing === undefined) return []
  return entities.flatMap(({ name, table, relations }) =>
    [...relations.values()]
      .filter(({ field, reference }) => {
        const isKept = (each: StandingReference) =>
          each.table === table && each.column === field && each.target === reference?.table
        return reference !== undefined && !standing.some(isKept)
      })
      .map((relation) => `${name}.${relation.name}`)
  )
}

async function differencesOf({ schema }: OrmConnector): Promise<readonly Problem[]> {
  return ((await schema?.differences()) ?? []).map(problemOf)
}

async function statusOf({ name }: OrmConnector, all: Migrations): Promise<Omit<Found, 'state' | 'unconstrained'>> {
  const [status] = await all.status(name)
  if (status === undefined) return NOTHING
  const { migrations, unwritten, problems } = status
  const ran = migrations.map((each) => ({ name: each.name, executedAt: each.executedAt?.getTime() ?? null }))
  return { migrations: ran, unwritten, problems }
}
