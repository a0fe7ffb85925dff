/**
 * The meeting place of drivers and their consumers: `fastify.stores`. Drivers
 * provide at registration, consumers select at registration after them; each
 * brick of a driver is built once and shared.
 */
import type { FastifyBaseLogger } from 'fastify'
import { BootError, type HealthChecks, type Mode } from 'svc-kernel'
import { MemoryDatabase } from '../memory-engine/memory-database.ts'
import type { Database } from '../table/database.ts'
import { chooseStore, type SelectionVerdict } from './choose-store.ts'
import type { StoreDefinition, StoreParts } from './store-definition.ts'

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
  readonly factories: Map<Brick, StoreFactory<Brick>>
  readonly built: Map<Brick, StoreOf[Brick]>
}

const MORE = 'docs/guides/choosing-stores.md'

export class Stores {
  readonly #setting: StoresSetting
  readonly #drivers = new Map<string, Driver>()
  readonly #memory: Driver = { factories: new Map(), built: new Map() }
  readonly #asked = new Map<Brick, Set<string>>()
  readonly #told = new Set<string>()
  readonly #selections = new Map<Brick, string | null>()
  #declared: { readonly driver: string; readonly by: 'environment' | 'configuration' } | null = null

  constructor(setting: StoresSetting) {
    this.#setting = setting
    for (const brick of BRICKS) this.#memory.factories.set(brick, memoryStores[brick])
    for (const [brick, store] of Object.entries(setting.ready)) this.#checkReady(brick as Brick, store)
  }

  /** What was selected so far: a driver's name, `memory`, `parts` for a ready object, or `null` where it is disabled. */
  get selections(): ReadonlyMap<Brick, string | null> {
    return this.#selections
  }

  /**
   * Offers a brick of a driver. Called by drivers while they register.
   *
   * @throws BootError when the name is reserved, the brick is offered twice or unknown, or a
   * consumer has selected the brick already: drivers come before what uses them
   */
  provide<Name extends Brick>(brick: Name, driver: string, factory: StoreFactory<Name>): void {
    if (!BRICKS.includes(brick)) throw problem('SVC_STORE_BRICK', `there is no ${brick} store`, BRICKS.join(' | '))
    const known = this.#driver(driver)
    if (known.factories.has(brick)) {
      throw problem('SVC_STORE_PROVIDED', `${driver} provides the ${brick} store twice`, 'one driver of this name')
    }
    const asked = this.#asked.get(brick)
    if (asked?.has('auto') || asked?.has(driver)) {
      const message = `${driver} provides the ${brick} store after it was selected`
      throw problem('SVC_STORE_ORDER', message, undefined, `list ${driver} before the modules that use its stores`)
    }
    known.factories.set(brick, factory as StoreFactory<Brick>)
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
   * The store of a brick. Called by consumers while they register.
   *
   * @param configured `auto`, `memory` or a driver's name
   * @param ready an object of the consumer's own `parts`; it wins
   * @throws BootError (SVC_STORE_UNKNOWN) for an unknown driver outside development; there the brick is
   * disabled with a fatal-level log and both fields are `null`
   */
  select<Name extends Brick>(brick: Name, configured: string, ready?: StoreOf[Name]): StoreSelection<Name> {
    if (!BRICKS.includes(brick)) throw problem('SVC_STORE_BRICK', `there is no ${brick} store`, BRICKS.join(' | '))
    if (ready !== undefined) this.#checkReady(brick, ready)
    const own = ready ?? this.#setting.ready[brick]
    if (own !== undefined) {
      this.#selections.set(brick, 'parts')
      this.#setting.healthChecks.add(`store ${brick}`, storeCheck(brick, own))
      return { driver: 'parts', store: own }
    }
    this.#asked.set(brick, (this.#asked.get(brick) ?? new Set()).add(configured))
    const verdict = chooseStore({
      brick,
      configured,
      mode: this.#setting.mode,
      drivers: new Map([...this.#drivers].map(([name, { factories }]) => [name, new Set<string>(factories.keys())])),
      declared: this.#setting.primary ?? this.#declared?.driver ?? null
    })
    this.#report(brick, configured, verdict)
    this.#selections.set(brick, verdict.driver)
    if (verdict.driver === null) return { driver: null, store: null }
    const source = verdict.outcome === 'memory' ? this.#memory : this.#driver(verdict.driver)
    return { driver: verdict.driver, store: this.#build(brick, source) }
  }

  #build<Name extends Brick>(brick: Name, { factories, built }: Driver): StoreOf[Name] {
    const store = built.get(brick) ?? (factories.get(brick) as StoreFactory<Brick>)(this.#setting.parts)
    built.set(brick, store)
    return store as StoreOf[Name]
  }

  #driver(name: string): Driver {
    if (name === 'auto' || name === 'memory' || name === 'parts' || name === '') {
      throw problem('SVC_STORE_DRIVER', `"${name}" cannot be the name of a driver`, 'a name of its own')
    }
    const driver = this.#drivers.get(name) ?? { factories: new Map(), built: new Map() }
    this.#drivers.set(name, driver)
    return driver
  }

  #checkReady(brick: Brick, store: object): void {
    if (!BRICKS.includes(brick)) throw problem('SVC_STORE_BRICK', `there is no ${brick} store`, BRICKS.join(' | '))
    const missing = missingOperations(brick, store)
    if (missing.length === 0) return
    throw problem('SVC_STORE_INCOMPLETE', `the ${brick} store under parts lacks ${missing.join(', ')}`)
  }

  /** Tells each outcome once, however many consumers ask. */
  #report(brick: Brick, configured: string, { outcome, driver, reason, fellBack }: SelectionVerdict): void {
    if (outcome === 'abort') {
      const fix = `load the module "${configured}" before its consumers, or set store: 'auto'`
      throw problem('SVC_STORE_UNKNOWN', `${brick}: ${reason}`, undefined, fix)
    }
    const { log, mode } = this.#setting
    const key = `${brick} ${configured}`
    if (this.#told.has(key)) return
    this.#told.add(key)
    const fields = { brick, configured, driver, reason }
    if (outcome === 'disabled') {
      log.fatal({ code: 'SVC_STORE_UNKNOWN', ...fields }, `the ${brick} store is disabled: ${reason}`)
    } else if (outcome === 'memory' && mode === 'production') {
      const warning = `the ${brick} store is kept in memory: lost at a restart, seen by this instance alone (${reason})`
      log.warn({ code: 'SVC_STORE_VOLATILE', ...fields, more: MORE }, warning)
    } else if (fellBack)
      log.warn({ code: 'SVC_STORE_FALLBACK', ...fields }, `the ${brick} store is kept in memory: ${reason}`)
    else log.debug(fields, `the ${brick} store is ${driver}: ${reason}`)
  }
}

function problem(code: string, message: string, expected?: string, fix?: string): BootError {
  return new BootError([{ code, message, expected, fix, more: MORE }])
}
