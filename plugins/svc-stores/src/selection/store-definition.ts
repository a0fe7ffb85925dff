/**
 * A store as its feature declares it, once for every engine: `fastify.stores.select(sessionStore, ...)` opens it on the
 * database that the application chose.
 */
import type { Clock } from 'svc-kernel'
import { memoryDatabase } from '../memory/memory-database.ts'
import type { Database } from '../table/database.ts'

/** What a store gets beside its database. */
export interface StoreParts {
  /** Every time a store writes or compares comes from here. */
  readonly clock: Clock
}

/** How a store is opened on any database, and what it must be able to do. */
export interface StoreDefinition<Store extends object> {
  /** Its name in options, logs and listings: `session`. */
  readonly brick: string
  /** Every operation: a ready object that lacks one is refused. */
  readonly operations: readonly string[]
  /** Declares its tables and opens the store. */
  open(database: Database, parts: StoreParts): Store
  /** Where the tables of the memory engine are not the way. */
  readonly inMemory?: (parts: StoreParts) => Store
  /** One cheap read, for which there need be no record: the health check of a ready object. */
  check(store: Store): Promise<unknown>
}

/** Opens a store in memory, on its own database: for tests, and for first steps without a server. */
export function inMemory<Store extends object>(definition: StoreDefinition<Store>, parts: StoreParts): Store {
  return definition.inMemory?.(parts) ?? definition.open(memoryDatabase(parts), parts)
}

/** The store with every call of its operations made by `around`: with a deadline, or with its own error. */
export function aroundCalls<Store extends object>(
  store: Store,
  operations: readonly string[],
  around: (call: () => Promise<unknown>) => Promise<unknown>
): Store {
  const calls = store as unknown as Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>
  const wrap = (name: string) => [
    name,
    (...given: unknown[]) => around(() => calls[name]?.(...given) ?? Promise.resolve())
  ]
  return Object.fromEntries(operations.map(wrap)) as Store
}

/** The names of the public methods of a class, as its definition lists them. */
export function operationsOf({ prototype }: { readonly prototype: object }): string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')
}
