/**
 * What an entity does around its own writes: checks, derived fields, rows that belong to it. A hook runs in the
 * transaction of the write, one is opened where there is none, so that what it does and what it refuses count with it.
 */
import type { Transaction } from 'svc-stores/table'
import type { Changes } from '../criteria/changes.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import type { AnyRow, KeyOf, NewOf, RowOf } from '../entities/row-of.ts'
import type { Repository } from './repository.ts'

/** What a hook of an entity gets: the transaction of the write, and repositories in it. */
export interface HookContext {
  /** Of the write. */
  readonly tx: Transaction
  /** Any entity of the connector, inside the transaction. @throws UnknownEntity */
  repository<const D extends EntityDefinition>(entity: D): Repository<RowOf<D>, NewOf<D>, KeyOf<D>>
  repository<Row extends { id: string } = AnyRow>(entity: string): Repository<Row>
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type Hook<Given extends readonly unknown[]> = (...given: [...Given, context: HookContext]) => void | Promise<void>

/**
 * `before` hooks may change what they are given; it is checked afterwards, as what a caller gives. Whatever a hook throws
 * undoes the write, and dooms its transaction.
 */
export interface EntityHooks<D extends EntityDefinition> {
  /** @param values the caller's, before defaults are filled in */
  readonly beforeCreate?: Hook<[values: Mutable<NewOf<D>>]>
  readonly afterCreate?: Hook<[row: RowOf<D>]>
  /** @param changes the caller's; empty for an increment and a restore @param row as it stands, locked */
  readonly beforeUpdate?: Hook<[changes: Mutable<Changes<RowOf<D>>>, row: RowOf<D>]>
  /** @param before the row as it was */
  readonly afterUpdate?: Hook<[row: RowOf<D>, before: RowOf<D>]>
  /** @param row as it stands, locked */
  readonly beforeDelete?: Hook<[row: RowOf<D>]>
  /** @param row as it was */
  readonly afterDelete?: Hook<[row: RowOf<D>]>
}

/** The hooks of an entity whose fields are not known to the compiler. */
export type AnyHooks = EntityHooks<EntityDefinition>

/** Gives an entity its hooks. @returns the definition that is to be declared */
export function withHooks<const D extends EntityDefinition>(definition: D, hooks: EntityHooks<D>): D {
  return { ...definition, hooks }
}
