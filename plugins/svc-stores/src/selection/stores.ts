/**
 * The meeting place of drivers and their consumers: `fastify.stores`. Drivers
 * provide at registration, consumers select at registration after them; each
 * brick of a driver is built once and shared.
 */
import type { FastifyBaseLogger } from 'fastify'
import { BootError, type Mode } from 'svc-kernel'
import type { HealthChecks } from 'svc-kernel/plugin'
import { ForeignTransaction, StoreOutsideTransaction } from '../errors.ts'
import { memoryDatabase } from '../memory/memory-database.ts'
import type { SealedSecrets } from '../sealed/reseal-at-start.ts'
import type { Database } from '../table/database.ts'
import { JoinedDatabase } from '../table/joined-database.ts'
import type { Transaction } from '../table/transaction.ts'
import { chooseStore, type SelectionVerdict } from './choose-store.ts'
import type { StoreDefinition, StoreParts } from './store-definition.ts'

/** Makes a store; a driver gives one for a store that it keeps in its own way. */
export type StoreFactory<Store extends object> = (parts: StoreParts) => Store

/** A store and where it comes from; both `null` where it is disabled. */
export type StoreSelection<Store extends object> =
  | { readonly driver: string; readonly store: Store }
  | { readonly driver: null; readonly store: null }

/** Ready objects by brick; they win over every selection. */
export type ReadyStores = Readonly<Record<string, object | undefined>>

export interface StoresSetting {
  readonly log: FastifyBaseLogger
  readonly mode: Mode
  readonly parts: StoreParts
  readonly ready: ReadyStores
  /** Stores of a driver are checked by the driver; ready ones by what is added here. */
  readonly healthChecks: HealthChecks
  /** The driver that `auto` follows, where the application named one. */
  readonly primary: string | null
}

interface Driver {
  /** Its first database: where every store can be opened. */
  database: Database | null
  /** Stores of a kind of its own, by brick. */
  readonly factories: Map<string, StoreFactory<object>>
  readonly built: Map<string, object>
}

const MORE = 'npx svc docs choosing-stores'

/** `fastify.stores`: drivers provide databases, and plugins select a store by its definition. */
export class Stores {
  /** What the stores keep encrypted. */
  readonly sealed: SealedSecrets[] = []
  readonly #setting: StoresSetting
  readonly #drivers = new Map<string, Driver>()
  readonly #memory: Driver
  readonly #asked = new Map<string, Set<string>>()
  readonly #reported = new Set<string>()
  readonly #selections = new Map<string, string | null>()
  readonly #later = new Set<StoreDefinition<object>>()
  #declared: { readonly driver: string; readonly by: 'environment' | 'configuration' } | null = null

  constructor(setting: StoresSetting) {
    this.#setting = setting
    this.#memory = newDriver(memoryDatabase(setting.parts))
  }

  /** What was selected so far: a driver's name, `memory`, `parts` for a ready object, or `null` where it is disabled. */
  get selections(): ReadonlyMap<string, string | null> {
    return this.#selections
  }

  /**
   * Offers a database of a driver for every store; of several the first one. Called by drivers while they register.
   *
   * @throws BootError when the name is reserved, or a consumer has selected a store already: drivers come before what
   * uses them
   */
  addDatabase(driver: string, database: Database): void {
    const known = this.#driver(driver)
    for (const brick of this.#asked.keys()) this.#checkOrder(driver, brick)
    known.database ??= database
    for (const definition of this.#later) this.#open(definition, known)
  }

  /**
   * Offers a store of a driver's own making, in place of the feature's over its database.
   *
   * @throws BootError as `addDatabase`, and when the brick is offered twice
   */
  provide(brick: string, driver: string, factory: StoreFactory<object>): void {
    const known = this.#driver(driver)
    if (known.factories.has(brick)) {
      throw problem('SVC_STORE_PROVIDED', `${driver} provides the ${brick} store twice`, 'one driver with this name')
    }
    this.#checkOrder(driver, brick)
    known.factories.set(brick, factory)
  }

  /**
   * A driver says that the application declared its database. The environment's declaration wins, whatever the order in
   * which drivers register; among those of the configuration the first one does.
   */
  declare(driver: string, by: 'environment' | 'configuration' = 'configuration'): void {
    this.#driver(driver)
    const wins = by === 'environment' && this.#declared?.by === 'configuration'
    if (this.#declared === null || wins) this.#declared = { driver, by }
  }

  /**
   * Opens a store where the application keeps it. Called by consumers while they register; opened once and shared.
   *
   * @param configured `auto`, `memory` or a driver's name
   * @param ready an object of the consumer's own `parts`; it wins
   * @throws BootError (SVC_STORE_DEFINITION); (SVC_STORE_UNKNOWN) for an unknown driver outside development; there the store is
   * disabled with a fatal-level log and both fields are `null`
   */
  select<Store extends object>(
    definition: StoreDefinition<Store>,
    configured: string,
    ready?: Store
  ): StoreSelection<Store> {
    checkDefinition(definition)
    const { brick } = definition
    const own = ready ?? (this.#setting.ready[brick] as Store | undefined)
    if (own !== undefined) {
      checkWhole(definition, own)
      this.#selections.set(brick, 'parts')
      this.#setting.healthChecks.add(`store ${brick}`, () => definition.check(own))
      return { driver: 'parts', store: own }
    }
    this.#asked.set(brick, (this.#asked.get(brick) ?? new Set()).add(configured))
    const verdict = chooseStore({
      brick,
      configured,
      mode: this.#setting.mode,
      carries: new Map([...this.#drivers].map(([name, driver]) => [name, carries(driver, brick)])),
      declared: this.#setting.primary ?? this.#declared?.driver ?? null
    })
    this.#report(brick, configured, verdict)
    this.#selections.set(brick, verdict.driver)
    if (verdict.driver === null) return { driver: null, store: null }
    const driver = verdict.outcome === 'memory' ? this.#memory : this.#driver(verdict.driver)
    return { driver: verdict.driver, store: this.#open(definition, driver) }
  }

  /**
   * As `select`, for a plugin that drivers may follow: the choice is made when the returned function is first called, once
   * every plugin is registered. Each database that arrives until then gets the tables.
   */
  selectLater<Store extends object>(
    definition: StoreDefinition<Store>,
    configured: string,
    ready?: Store
  ): () => StoreSelection<Store> {
    checkDefinition(definition)
    if (ready === undefined && configured !== 'memory') {
      this.#later.add(definition)
      for (const driver of this.#drivers.values()) if (driver.database !== null) this.#open(definition, driver)
    }
    let selection: StoreSelection<Store> | undefined
    return () => {
      selection ??= this.select(definition, configured, ready)
      return selection
    }
  }

  /**
   * A store, inside an open transaction of the database that keeps it: what it writes there is kept or undone with what
   * repositories write.
   *
   * @throws StoreOutsideTransaction, TransactionOver
   */
  within<Store extends object>(definition: StoreDefinition<Store>, tx: Transaction): Store {
    const { brick } = definition
    const name = this.#selections.get(brick) ?? null
    const driver = name === null ? undefined : this.#drivers.get(name)
    const database = driver === undefined || driver.factories.has(brick) ? null : driver.database
    if (database === null) throw new StoreOutsideTransaction(brick, name ?? 'nothing', tx.connector)
    try {
      return definition.open(new JoinedDatabase(database, tx), this.#setting.parts)
    } catch (error) {
      if (!(error instanceof ForeignTransaction)) throw error
      throw new StoreOutsideTransaction(brick, `connector ${database.name}`, tx.connector)
    }
  }

  /** @throws BootError (SVC_STORE_BRICK) for a ready object that no plugin has asked for */
  checkReady(): void {
    const unused = Object.keys(this.#setting.ready).filter((brick) => !this.#selections.has(brick))
    if (unused.length === 0) return
    const expected = [...this.#selections.keys()].join(' | ') || 'none: no registered plugin uses a store'
    throw new BootError(
      unused.map((brick) => ({
        code: 'SVC_STORE_BRICK',
        message: `no plugin uses a ${brick} store`,
        at: `svc-stores.parts.stores.${brick}`,
        expected,
        more: MORE
      }))
    )
  }

  #open<Store extends object>(definition: StoreDefinition<Store>, driver: Driver): Store {
    const { brick, inMemory } = definition
    const { parts } = this.#setting
    let store = driver.built.get(brick)
    if (store === undefined) {
      const factory = driver.factories.get(brick)
      if (factory !== undefined) store = factory(parts)
      else if (driver === this.#memory && inMemory !== undefined) store = inMemory(parts)
      else store = definition.open(driver.database as Database, parts)
      driver.built.set(brick, store)
    }
    return store as Store
  }

  #driver(name: string): Driver {
    if (name === 'auto' || name === 'memory' || name === 'parts' || name === '') {
      throw problem('SVC_STORE_DRIVER', `a driver cannot be named "${name}"`, 'another name')
    }
    const driver = this.#drivers.get(name) ?? newDriver(null)
    this.#drivers.set(name, driver)
    return driver
  }

  #checkOrder(driver: string, brick: string): void {
    const asked = this.#asked.get(brick)
    if (asked === undefined || !(asked.has('auto') || asked.has(driver))) return
    const message = `${driver} provides the ${brick} store after it was selected`
    throw problem('SVC_STORE_ORDER', message, undefined, `list ${driver} before the modules that use its stores`)
  }

  /** Logs each outcome once, however many consumers ask. */
  #report(brick: string, configured: string, { outcome, driver, reason, fellBack }: SelectionVerdict): void {
    if (outcome === 'abort') {
      const fix = `load the module "${configured}" before the plugins that use it, or set store: 'auto'`
      throw problem('SVC_STORE_UNKNOWN', `${brick}: ${reason}`, undefined, fix)
    }
    const { log, mode } = this.#setting
    const key = `${brick} ${configured}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    const fields = { brick, configured, driver, reason }
    if (outcome === 'disabled') {
      log.fatal({ code: 'SVC_STORE_UNKNOWN', ...fields }, `the ${brick} store is disabled: ${reason}`)
    } else if (outcome === 'memory' && mode === 'production') {
      const warning = `the ${brick} store is kept in memory: a restart loses it, and other instances cannot see it (${reason})`
      log.warn({ code: 'SVC_STORE_VOLATILE', ...fields, more: MORE }, warning)
    } else if (fellBack)
      log.warn({ code: 'SVC_STORE_FALLBACK', ...fields }, `the ${brick} store is kept in memory: ${reason}`)
    else log.debug(fields, `the ${brick} store is ${driver}: ${reason}`)
  }
}

function newDriver(database: Database | null): Driver {
  return { database, factories: new Map(), built: new Map() }
}

function carries({ database, factories }: Driver, brick: string): boolean {
  return database !== null || factories.has(brick)
}

/** JavaScript gives what it likes; version 0.1.0 took the name. @throws BootError (SVC_STORE_DEFINITION) */
function checkDefinition(given: unknown): void {
  if (typeof given === 'object' && given !== null && 'brick' in given && 'open' in given) return
  const got = typeof given === 'string' ? JSON.stringify(given) : typeof given
  throw problem(
    'SVC_STORE_DEFINITION',
    `stores.select needs a store definition, not ${got}`,
    'a StoreDefinition',
    'import the definition from its package, such as userStore of svc-security/stores'
  )
}

/** @throws BootError (SVC_STORE_INCOMPLETE) */
function checkWhole<Store extends object>({ brick, operations }: StoreDefinition<Store>, store: Store): void {
  const missing = operations.filter((name) => typeof (store as Readonly<Record<string, unknown>>)[name] !== 'function')
  if (missing.length === 0) return
  throw problem('SVC_STORE_INCOMPLETE', `the ${brick} store under parts lacks ${missing.join(', ')}`)
}

function problem(code: string, message: string, expected?: string, fix?: string): BootError {
  return new BootError([{ code, message, expected, fix, more: MORE }])
}
