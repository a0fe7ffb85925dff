/**
 * `fastify.orm.migrations`: what the commands ask. Writes a migration from what the entities have become since the last
 * one, runs and undoes them on each connector that has any, and tells where each stands.
 */
import { join } from 'node:path'
import { BootError, type Clock, type Problem } from 'svc-kernel'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { type Difference, problemOf, type SchemaPort } from '../schema/drift.ts'
import { checkExecuted, executedProblems } from './check-executed.ts'
import { diffSchema } from './diff-schema.ts'
import { renameHints, schemaShape, stillOwn } from './entity-shape.ts'
import { MigrationFiles } from './migration-files.ts'
import type { LoadedMigration, MigrationPort } from './migration-port.ts'
import { migrationSource } from './migration-source.ts'
import { describeStep } from './schema-step.ts'

/** A connector, as far as migrations know it. */
export interface MigratedConnector {
  readonly name: string
  readonly vendor: string
  readonly schema?: SchemaPort
  readonly migrations?: MigrationPort
}

export interface MigrationsParts {
  /** Of the files, absolute. */
  readonly folder: string
  readonly clock: Pick<Clock, 'now'>
  /** In order of registration; the first is the default. */
  readonly connectors: () => readonly MigratedConnector[]
  readonly entities: (connector: string) => readonly CompiledEntity[]
}

export interface WrittenMigration {
  readonly name: string
  readonly source: string
  /** What it does, a line for each step. */
  readonly steps: readonly string[]
  /** Absolute paths; none where nothing was to be written. */
  readonly files: readonly string[]
}

export interface RanMigrations {
  readonly connector: string
  readonly names: readonly string[]
}

export interface RunOptions {
  /** Default: every connector. */
  readonly connector?: string
  /** Nothing is kept; each statement is handed over. */
  readonly preview?: (statement: string) => void
  readonly progress?: (text: string) => void
}

export interface ConnectorStatus {
  readonly connector: string
  readonly vendor: string
  readonly migrations: ReadonlyArray<{ readonly name: string; readonly executedAt: Date | null }>
  /** What no migration was written for, a line for each step. */
  readonly unwritten: readonly string[]
  /** Migrations that do not fit their files, and differences of the database. */
  readonly problems: readonly Problem[]
}

export class Migrations {
  readonly #parts: MigrationsParts

  constructor(parts: MigrationsParts) {
    this.#parts = parts
  }

  /**
   * Writes the migration for what changed since the snapshot, and the snapshot.
   *
   * @param name words: `add sku`
   * @returns `null` where nothing changed
   * @throws BootError SVC_ORM_MIGRATION_NAME, SVC_ORM_MIGRATION_SNAPSHOT, SVC_ORM_MIGRATION_NONE
   */
  async diff(
    name: string,
    { connector, dryRun = false }: { readonly connector?: string; readonly dryRun?: boolean } = {}
  ): Promise<WrittenMigration | null> {
    const [target] = this.#targets(connector)
    const words =
      name
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join('_') ?? ''
    if (words === '' || words.length > 80) throw new BootError([badName(name)])
    const files = this.#files(target)
    const entities = this.#parts.entities(target.name)
    const after = schemaShape(entities)
    const steps = diffSchema(stillOwn(await files.snapshot(), entities), after, renameHints(entities))
    if (steps.length === 0) {
      if (!dryRun) await files.complete(after)
      return null
    }
    const full = `${stamp(this.#parts.clock.now())}_${words}`
    const source = migrationSource(steps)
    const written = dryRun ? [] : await files.write(full, source, after)
    return { name: full, source, steps: steps.map(describeStep), files: written }
  }

  /** Runs what has not run yet. @throws BootError */
  migrate(options: RunOptions = {}): Promise<readonly RanMigrations[]> {
    return this.#run('up', Number.POSITIVE_INFINITY, options)
  }

  /** Undoes the last ones. @param steps how many, at least 1 @throws BootError */
  rollback(steps: number, options: RunOptions = {}): Promise<readonly RanMigrations[]> {
    return this.#run('down', steps, options)
  }

  /** @throws BootError SVC_ORM_MIGRATION_FILE, SVC_ORM_MIGRATION_SNAPSHOT; ConnectionUnavailable */
  status(connector?: string): Promise<readonly ConnectorStatus[]> {
    return Promise.all(this.#targets(connector).map((target) => this.#status(target)))
  }

  /** Names of the migrations of a connector that have not run, none of which is loaded. @throws ConnectionUnavailable */
  async pending(connector: string): Promise<readonly string[]> {
    const [target] = this.#targets(connector)
    const names = await this.#files(target).names()
    if (names.length === 0) return []
    const executed = await target.migrations.executed()
    const ran = new Set(executed.filter(({ unfinished }) => unfinished !== true).map(({ name }) => name))
    return names.filter((name) => !ran.has(name))
  }

  async #status(target: Target): Promise<ConnectorStatus> {
    const { name, vendor, schema, migrations: port } = target
    const files = this.#files(target)
    const entities = this.#parts.entities(name)
    const [loaded, executed, differences, snapshot] = await Promise.all([
      files.load(),
      port.executed(),
      schema?.differences() ?? ([] as readonly Difference[]),
      files.snapshot()
    ])
    const ranAt = new Map(executed.filter(({ unfinished }) => unfinished !== true).map((each) => [each.name, each]))
    const unwritten = diffSchema(stillOwn(snapshot, entities), schemaShape(entities), renameHints(entities))
    return {
      connector: name,
      vendor,
      migrations: loaded.map((each) => ({ name: each.name, executedAt: ranAt.get(each.name)?.executedAt ?? null })),
      // Who has written none yet goes without: additive changes are made at boot.
      unwritten: loaded.length === 0 ? [] : unwritten.map(describeStep),
      problems: [
        ...executedProblems(executed, { migrations: loaded, direction: 'up', steps: 0 }),
        ...differences.map(problemOf)
      ]
    }
  }

  async #run(direction: 'up' | 'down', steps: number, options: RunOptions): Promise<readonly RanMigrations[]> {
    const { connector, preview, progress } = options
    const ran: RanMigrations[] = []
    for (const target of this.#targets(connector)) {
      const migrations: readonly LoadedMigration[] = await this.#files(target).load()
      const asked = { migrations, direction, steps }
      const names = await target.migrations.run({
        ...asked,
        check: (executed) => checkExecuted(executed, asked),
        ...(preview !== undefined && { preview }),
        ...(progress !== undefined && { progress })
      })
      ran.push({ connector: target.name, names })
    }
    return ran
  }

  #files({ name, isFirst }: Target): MigrationFiles {
    const { folder } = this.#parts
    return new MigrationFiles(isFirst ? folder : join(folder, name))
  }

  /** At least one. @throws BootError SVC_ORM_MIGRATION_NONE */
  #targets(connector?: string): [Target, ...Target[]] {
    const [first, ...others] = this.#parts
      .connectors()
      .map((each, index) => ({ ...pick(each), isFirst: index === 0 }))
      .filter((each): each is Target => each.migrations !== undefined)
      .filter(({ name }) => connector === undefined || name === connector)
    if (first === undefined) throw new BootError([none(connector)])
    return [first, ...others]
  }
}

type Target = MigratedConnector & { readonly migrations: MigrationPort; readonly isFirst: boolean }

/** A connector is an object with getters: what is read of it, by name. */
function pick({ name, vendor, schema, migrations }: MigratedConnector): MigratedConnector {
  return { name, vendor, ...(schema !== undefined && { schema }), ...(migrations !== undefined && { migrations }) }
}

/** `20260102030405`, in UTC: names sort as they were made. */
function stamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
}

function badName(name: string): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_NAME',
    message: 'a migration is named by a few words',
    got: JSON.stringify(name.slice(0, 100)),
    expected: 'letters, digits, blanks, - and _, at most 80',
    fix: 'svc orm:diff "add sku"'
  }
}

function none(connector: string | undefined): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_NONE',
    message: connector === undefined ? 'no database here has migrations' : `no database ${connector} has migrations`,
    expected: 'a connector of svc-sqlorm or svc-docdb',
    fix: 'svc module:add sql'
  }
}
