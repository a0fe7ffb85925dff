/**
 * `fastify.orm.migrations`: what the commands ask. Writes a migration from what the entities have become since the last
 * one, runs and undoes them on each connector that has any, and reports the state of each.
 */
import { join } from 'node:path'
import { BootError, type Clock, type Problem } from 'svc-kernel'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { type Difference, problemOf } from '../schema/drift.ts'
import { checkExecuted, executedProblems } from './check-executed.ts'
import { diffSchema } from './diff-schema.ts'
import { renameHints, schemaShape, stillOwn } from './entity-shape.ts'
import { keyChangeProblems } from './key-problems.ts'
import { lossProblem, lossText } from './losses.ts'
import { MigrationFiles } from './migration-files.ts'
import type { LoadedMigration, Loss, MigratedConnector, MigrationPort } from './migration-port.ts'
import { renameProblems } from './rename-problems.ts'
import { describeStep } from './schema-step.ts'
import { type WritingParts, type WrittenMigration, writeBaseline, writeDiff } from './write-migration.ts'

export interface MigrationsParts {
  /** Of the files, absolute. */
  readonly folder: string
  readonly clock: Pick<Clock, 'now'>
  /** In order of registration; the first is the default. */
  readonly connectors: () => readonly MigratedConnector[]
  readonly entities: (connector: string) => readonly CompiledEntity[]
}

/** Migrations that ran on one connector, in their order. */
export interface RanMigrations {
  readonly connector: string
  readonly names: readonly string[]
}

/** On which connectors to run migrations, and who is told. */
export interface RunOptions {
  /** Default: every connector. */
  readonly connector?: string
  /** Gets each statement; everything is rolled back. */
  readonly preview?: (statement: string) => void
  readonly progress?: (text: string) => void
  /** Gets the current step, or the fact that another instance migrates. */
  readonly at?: (connector: string, what: string) => void
  /** For a preview of a rollback: what it would delete. */
  readonly losing?: (loss: ConnectorLoss) => void
}

/** For which connector to write a migration. */
export interface WriteOptions {
  /** Default: the first. */
  readonly connector?: string
  /** Writes no files. */
  readonly dryRun?: boolean
}

/** What a rollback deletes. */
export type ConnectorLoss = Loss & {
  readonly connector: string
  /** `2 rows of Article` */
  readonly text: string
}

/** How to roll back migrations. */
export interface RollbackOptions extends RunOptions {
  /** Decides whether these may be deleted. Not called if there is nothing to delete. */
  readonly confirm?: (losses: readonly ConnectorLoss[]) => boolean | Promise<boolean>
}

/** The state of one connector. */
export interface ConnectorStatus {
  readonly connector: string
  readonly vendor: string
  readonly migrations: ReadonlyArray<{ readonly name: string; readonly executedAt: Date | null }>
  /** Changes without a migration, a line for each step. */
  readonly unwritten: readonly string[]
  /** Migrations that do not fit their files, and differences of the database. */
  readonly problems: readonly Problem[]
}

/** `fastify.orm.migrations`: writes migrations, runs them and rolls them back. */
export class Migrations {
  readonly #parts: MigrationsParts
  #isHeld = false

  constructor(parts: MigrationsParts) {
    this.#parts = parts
  }

  /** Keeps the boot from migrating. Call it before the application is ready, to mend rows that stop a migration. */
  hold(): void {
    this.#isHeld = true
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /**
   * Writes a migration for the changes since the last snapshot, and a new snapshot. If there is no snapshot and the database
   * has tables of the entities, it first writes a baseline that creates them.
   *
   * @param name words: `add sku`
   * @returns `null` without a change
   * @throws BootError SVC_ORM_MIGRATION_NAME, SVC_ORM_MIGRATION_SNAPSHOT, SVC_ORM_MIGRATION_NONE, SVC_ORM_MIGRATION_WAS;
   *   SVC_ORM_MIGRATION_BASELINE if the first one cannot read the database
   */
  async diff(name: string, options: WriteOptions = {}): Promise<WrittenMigration | null> {
    const words =
      name
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join('_') ?? ''
    const parts = this.#writing(options)
    if (words === '' || words.length > 80) throw new BootError([badName(name)])
    return writeDiff(words, parts)
  }

  /**
   * Writes a migration that creates the tables which the database already has, and their snapshot. On this database it
   * changes nothing; on an empty one it creates the tables, so that later migrations run on both.
   *
   * @returns `null` if the database has no table of an entity
   * @throws BootError SVC_ORM_MIGRATION_BASELINE, SVC_ORM_MIGRATION_NONE
   */
  async baseline(options: WriteOptions = {}): Promise<WrittenMigration | null> {
    return writeBaseline(this.#writing(options))
  }

  /** Runs the migrations that have not run. @throws BootError */
  migrate(options: RunOptions = {}): Promise<readonly RanMigrations[]> {
    return this.#run('up', Number.POSITIVE_INFINITY, options)
  }

  /**
   * Rolls back the last migrations, and leaves what they found in place. Counts the rows and values to be deleted first, and
   * calls `confirm`.
   *
   * @param steps how many, at least 1
   * @throws BootError SVC_ORM_MIGRATION_LOSS if `confirm` does not agree or is absent
   */
  async rollback(steps: number, { confirm, ...options }: RollbackOptions = {}): Promise<readonly RanMigrations[]> {
    if (options.preview === undefined) {
      const losses: ConnectorLoss[] = []
      const losing = (loss: ConnectorLoss) => void losses.push(loss)
      await this.#run('down', steps, { ...options, preview: () => undefined, losing })
      if (losses.length > 0 && (await confirm?.(losses)) !== true) throw new BootError([lossProblem(losses)])
    }
    return this.#run('down', steps, options)
  }

  /** @throws BootError SVC_ORM_MIGRATION_FILE, SVC_ORM_MIGRATION_SNAPSHOT; ConnectionUnavailable */
  status(connector?: string): Promise<readonly ConnectorStatus[]> {
    return Promise.all(this.#targets(connector).map((target) => this.#status(target)))
  }

  /** Names of the migrations of a connector that have not run; loads none of them. @throws ConnectionUnavailable */
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
    const before = stillOwn(snapshot ?? {}, entities)
    const after = schemaShape(entities, before)
    const hints = renameHints(entities)
    const unwritten = diffSchema(before, after, hints)
    const { refused, unknown } = renameProblems(before, after, hints)
    return {
      connector: name,
      vendor,
      migrations: loaded.map((each) => ({ name: each.name, executedAt: ranAt.get(each.name)?.executedAt ?? null })),
      // Who has written none yet goes without: additive changes are made at boot.
      unwritten: loaded.length === 0 ? [] : unwritten.map(describeStep),
      problems: [
        ...executedProblems(executed, { migrations: loaded, direction: 'up', steps: 0 }),
        ...(loaded.length === 0 ? [] : [...refused, ...unknown, ...keyChangeProblems(before, after, hints)]),
        ...differences.map(problemOf)
      ]
    }
  }

  async #run(
    direction: 'up' | 'down',
    steps: number,
    { connector, preview, progress, at, losing }: RunOptions
  ): Promise<readonly RanMigrations[]> {
    const ran: RanMigrations[] = []
    for (const target of this.#targets(connector)) {
      const migrations: readonly LoadedMigration[] = await this.#files(target).load()
      const asked = { migrations, direction, steps }
      const names = await target.migrations.run({
        ...asked,
        check: (executed) => checkExecuted(executed, asked),
        ...(preview !== undefined && { preview }),
        ...(progress !== undefined && { progress }),
        ...(at !== undefined && { at: (what) => at(target.name, what) }),
        ...(losing !== undefined && {
          losing: (loss) => losing({ connector: target.name, ...loss, text: lossText(loss) })
        })
      })
      ran.push({ connector: target.name, names })
    }
    return ran
  }

  #writing({ connector, dryRun = false }: WriteOptions): WritingParts {
    const [target] = this.#targets(connector)
    const { clock, entities } = this.#parts
    return { target, files: this.#files(target), entities: entities(target.name), clock, dryRun }
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

function badName(name: string): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_NAME',
    message: 'the migration needs a name of a few words',
    got: JSON.stringify(name.slice(0, 100)),
    expected: 'letters, digits, blanks, - and _, at most 80',
    fix: 'npx svc orm:diff "add sku"'
  }
}

function none(connector: string | undefined): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_NONE',
    message:
      connector === undefined
        ? 'no database of this application supports migrations'
        : `no connector ${connector} supports migrations`,
    expected: 'a connector of svc-sqlorm or svc-docdb',
    fix: 'npx svc module:add sql'
  }
}
