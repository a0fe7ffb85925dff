/**
 * What an entity does around its own writes: checks, derived fields, rows that belong to it. A hook runs in the
 * transaction of the write, one is opened where there is none, so that what it does and what it refuses count with it.
 */
import type { Transaction } from 'svc-stores/table'
import type { Changes } from '../criteria/changes.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import type { AnyRow, KeyOf, NewOf, RowOf } from '../entities/row-of.ts'
import type { Repository } from './repository.ts'

/** The last argument of a hook: the transaction of the write, and repositories within it. */
export interface HookContext {
  /** The transaction of the write. */
  readonly tx: Transaction
  /** A repository of any entity of the connector, within the transaction. @throws UnknownEntity */
  repository<const D extends EntityDefinition>(entity: D): Repository<RowOf<D>, NewOf<D>, KeyOf<D>>
  repository<Row extends { id: string } = AnyRow>(entity: string): Repository<Row>
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type Hook<Given extends readonly unknown[]> = (...given: [...Given, context: HookContext]) => void | Promise<void>

/**
 * Hooks of an entity. A `before` hook may change its first argument, which is validated afterwards. An error in a hook rolls
 * back the write and its transaction.
 */
export interface EntityHooks<D extends EntityDefinition> {
  /** @param values the values that the caller gave, before defaults */
  readonly beforeCreate?: Hook<[values: Mutable<NewOf<D>>]>
  readonly afterCreate?: Hook<[row: RowOf<D>]>
  /** @param changes the changes that the caller gave; empty for a restore @param row the current row, locked */
  readonly beforeUpdate?: Hook<[changes: Mutable<Changes<RowOf<D>>>, row: RowOf<D>]>
  /** @param before the row before the change */
  readonly afterUpdate?: Hook<[row: RowOf<D>, before: RowOf<D>]>
  /** @param row the current row, locked */
  readonly beforeDelete?: Hook<[row: RowOf<D>]>
  /** @param row the deleted row */
  readonly afterDelete?: Hook<[row: RowOf<D>]>
}

/** The hooks of an entity whose fields are not known to the compiler. */
export type AnyHooks = EntityHooks<EntityDefinition>

/** Adds hooks to an entity. @returns the definition to declare */
export function withHooks<const D extends EntityDefinition>(definition: D, hooks: EntityHooks<D>): D {
  return { ...definition, hooks }
}
