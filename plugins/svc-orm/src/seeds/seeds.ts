/**
 * `fastify.orm.seeds`: what `svc orm:seed` asks. Each seed runs once on its connector, in a transaction with the note that
 * it did: whole, or not at all, and of two that run it at once one finds it done.
 */
import { join } from 'node:path'
import { type AppHost, BootError, type Clock, type Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import type { Database, TablePlan, Transaction } from 'svc-stores/table'
import { readablePath } from '../entities/entities.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import type { Repository } from '../repository/repository.ts'
import type { CallerScopes } from '../scope/caller-scopes.ts'
import type { SeedContext } from './seed.ts'
import { loadSeed, type SeedFile, seedFiles } from './seed-files.ts'

export interface SeedsParts {
  /** Of the files, absolute. */
  readonly folder: string
  readonly clock: Pick<Clock, 'now'>
  readonly host: Pick<AppHost, 'importModule'>
  /** In order of registration; the first is the default. */
  readonly connectors: () => readonly Pick<Database, 'name' | 'table' | 'transaction'>[]
  readonly repository: (entity: string, connector: string) => Repository
  readonly scopes: Pick<CallerScopes, 'across'>
}

/** Which seeds to run, and on which connectors. */
export interface SeedOptions {
  /** Default: every connector. */
  readonly connector?: string
  /** Default: all of them. */
  readonly names?: readonly string[]
  /** Also runs seeds that have run before. Default `false`. */
  readonly again?: boolean
}

/** The seeds of one connector. */
export interface RanSeeds {
  readonly connector: string
  /** Seeds that have run now, in their order. */
  readonly names: readonly string[]
  /** Seeds that had run before. */
  readonly passed: readonly string[]
}

interface RanSeed {
  name: string
  /** Epoch ms. */
  ranAt: number
}

const plan: TablePlan = {
  name: 'svc_seed',
  collection: 'Seed',
  record: 'seed',
  key: ['name'],
  columns: [
    { name: 'name', type: 'text' },
    { name: 'ranAt', type: 'time' }
  ]
}

type Connector = ReturnType<SeedsParts['connectors']>[number]

interface Target {
  readonly connector: Connector
  readonly files: readonly SeedFile[]
}

/** `fastify.orm.seeds`: runs each seed once per connector. */
export class Seeds {
  readonly #parts: SeedsParts

  constructor(parts: SeedsParts) {
    this.#parts = parts
  }

  /** Call it before the databases open: adds the table of seeds to each connector that has seeds. */
  async prepare(): Promise<void> {
    for (const { connector, files } of await this.#targets()) if (files.length > 0) connector.table<RanSeed>(plan)
  }

  /** @throws BootError SVC_ORM_SEED_NONE, SVC_ORM_SEED_NAME, SVC_ORM_SEED_FILE, SVC_ORM_SEED_FAILED; ConnectionUnavailable */
  async run({ connector, names, again = false }: SeedOptions = {}): Promise<readonly RanSeeds[]> {
    const among = (await this.#targets()).filter(({ connector: { name } }) => name === (connector ?? name))
    const targets = among.filter(({ files }) => files.length > 0)
    if (targets.length === 0) throw new BootError([noSeeds(this.#parts.folder)])
    const known = targets.flatMap(({ files }) => files.map(({ name }) => name))
    const unknown = (names ?? []).filter((name) => !known.includes(name))
    if (unknown.length > 0) throw new BootError(unknown.map((name) => unknownSeed(name, known)))
    const ran: RanSeeds[] = []
    for (const target of targets) ran.push(await this.#run(target, names ?? known, again))
    return ran
  }

  async #run({ connector, files }: Target, names: readonly string[], again: boolean): Promise<RanSeeds> {
    const outcome: Record<'ran' | 'passed', string[]> = { ran: [], passed: [] }
    for (const file of files.filter(({ name }) => names.includes(name))) {
      const seed = await loadSeed(file, this.#parts.host)
      const work = async (tx: Transaction): Promise<'ran' | 'passed'> => {
        if (!(await this.#note(connector, file.name, tx, again))) return 'passed'
        await this.#parts.scopes.across(() => seed(this.#context(connector.name, tx)))
        return 'ran'
      }
      const how = await connector.transaction(work).catch((error: unknown) => {
        throw new BootError([failed(file, error)], { cause: error })
      })
      outcome[how].push(file.name)
    }
    return { connector: connector.name, names: outcome.ran, passed: outcome.passed }
  }

  /** @returns whether it is to run */
  async #note(connector: Connector, name: string, tx: Transaction, again: boolean): Promise<boolean> {
    const table = connector.table<RanSeed>(plan).within(tx)
    const ranAt = this.#parts.clock.now()
    if ((await table.findOne({ name })) === null) await table.insert([{ name, ranAt }])
    else if (again) await table.update({ name }, { set: { ranAt } })
    else return false
    return true
  }

  #context(connector: string, tx: Transaction): SeedContext {
    const repository = (of: string | EntityDefinition) =>
      this.#parts.repository(typeof of === 'string' ? of : of.name, connector).withTransaction(tx)
    return { tx, repository: repository as SeedContext['repository'] }
  }

  #targets(): Promise<readonly Target[]> {
    const { folder, connectors } = this.#parts
    return Promise.all(
      connectors().map(async (connector, index) => {
        return { connector, files: await seedFiles(index === 0 ? folder : join(folder, connector.name)) }
      })
    )
  }
}

function noSeeds(folder: string): Problem {
  return {
    code: 'SVC_ORM_SEED_NONE',
    message: 'there are no seeds to run',
    at: readablePath(folder),
    expected: 'files with export default defineSeed(...), on a connector that is registered',
    fix: 'write a seed, or correct the option seeds of svc-orm'
  }
}

function unknownSeed(name: string, known: readonly string[]): Problem {
  const near = nearestName(name, known)
  return {
    code: 'SVC_ORM_SEED_NAME',
    message: 'no seed has this name',
    got: JSON.stringify(name.slice(0, 100)),
    expected: known.join(' | '),
    ...(near !== undefined && { fix: `npx svc orm:seed ${near}` })
  }
}

function failed({ name, path }: SeedFile, error: unknown): Problem {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  return {
    code: 'SVC_ORM_SEED_FAILED',
    message: `${name} failed and was rolled back: ${reason}`,
    at: readablePath(path),
    fix: 'correct the seed, and run it again'
  }
}
