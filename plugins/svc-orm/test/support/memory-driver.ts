/**
 * A driver with migrations whose tables are in memory: what `MigrationContext` says, in plain code. It is strict: what is
 * to be made must not be there, and what is to be changed must be there as the step says.
 */
import { memoryDatabase, type TablePlan } from 'svc-stores/table'
import type { CompiledEntity } from '../../src/entities/compiled-entity.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import type { ExecutedMigration, MigrationPort, MigrationRun } from '../../src/migrations/migration-port.ts'
import { EntityRepositories, type OrmConnector } from '../../src/repository/entity-repositories.ts'
import { indexKey, type KeptTable, MemoryMigration } from './memory-migration.ts'

export class MemoryDriver {
  /** By entity. */
  #tables: ReadonlyMap<string, KeptTable> = new Map()
  #executed: readonly ExecutedMigration[] = []
  /** What `run` was called with. */
  readonly runs: MigrationRun[] = []
  readonly name: string

  constructor(name = 'memory') {
    this.name = name
  }

  empty(): void {
    this.#tables = new Map()
    this.#executed = []
  }

  /** Columns and indexes by entity; what only fields know of them is left out. */
  schema(): unknown {
    return [...this.#tables]
      .map(([entity, { columns, indexes, references = [] }]) => [
        entity,
        columns
          .map(({ name, type, list, scale, nullable, default: preset }) =>
            JSON.stringify([name, type, list ?? false, scale ?? 0, nullable ?? false, preset])
          )
          .sort(),
        indexes.map(indexKey).sort(),
        references.map(({ column, onDelete }) => `${column} ${onDelete}`).sort()
      ])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  }

  connector(): OrmConnector {
    const port: MigrationPort = {
      executed: async () => this.#executed,
      count: async (entity, column) => this.#count(entity, column),
      run: (run) => this.#run(run)
    }
    return Object.assign(memoryDatabase({ name: this.name }), { migrations: port })
  }

  /** Makes the tables that are missing, as a boot does; what is written is kept when it closes. */
  async open(entities: readonly CompiledEntity[]) {
    const database = this.connector()
    const repositories = new EntityRepositories({ database, entities })
    const plans = entities.map((entity) => entityPlan(entity))
    // An entity comes before those that it names.
    for (const plan of plans.toReversed()) {
      const rows = this.#tables.get(plan.collection ?? '')?.rows ?? []
      await database.table<AnyRow>(plan).insert(rows.map((row) => ({ ...row })))
    }
    const close = async () => {
      for (const plan of plans) {
        const known = this.#tables.get(plan.collection ?? '')
        const rows = await database.table<AnyRow>(plan).find([])
        this.#tables = new Map([...this.#tables, [plan.collection ?? '', { ...(known ?? made(plan)), rows }]])
      }
    }
    return { repositories, close }
  }

  #count(entity: string, column: string): number {
    return this.#tables.get(entity)?.rows.filter((row) => (row[column] ?? null) !== null).length ?? 0
  }

  async #run(run: MigrationRun): Promise<readonly string[]> {
    this.runs.push(run)
    const { migrations, direction, steps, check, preview, progress, at } = run
    check(this.#executed)
    const ran = new Set(this.#executed.map(({ name }) => name))
    const last = this.#executed.slice(-steps).reverse()
    const chosen =
      direction === 'up'
        ? migrations.filter(({ name }) => !ran.has(name)).slice(0, steps)
        : last.map(({ name }) => migrations.find((each) => each.name === name)).filter((each) => each !== undefined)
    // One transaction: a run that fails leaves everything as it was.
    let [tables, executed] = [this.#tables, this.#executed]
    for (const { name, checksum, up, down } of chosen) {
      at?.(name)
      const context = new MemoryMigration(tables, run)
      await (direction === 'up' ? up : down)?.(context)
      tables = context.tables
      progress?.(`${name} is done`)
      executed =
        direction === 'up'
          ? [...executed, { name, checksum, executedAt: new Date(0) }]
          : executed.filter((each) => each.name !== name)
    }
    if (preview === undefined) {
      this.#tables = tables
      this.#executed = executed
    }
    return chosen.map(({ name }) => name)
  }
}

/** As a boot makes it. */
function made({ columns, indexes = [], references = [] }: TablePlan): Omit<KeptTable, 'rows'> {
  const kept = references.map(({ column, table: to, onDelete }) => ({ column, to, onDelete }))
  return { columns, indexes, references: kept }
}
