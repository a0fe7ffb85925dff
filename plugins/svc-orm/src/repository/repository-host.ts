/** What a repository needs of the entities of its database: see `EntityRepositories`. */
import type { MaybePromise } from 'svc-kernel'
import type { Condition, Database, Table, Transaction } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import type { Referrer } from '../references/referrers.ts'
import type { EntityScopes } from '../scope/entity-scopes.ts'
import type { FlowStatistics } from './flow-statistics.ts'
import type { Repository } from './repository.ts'

export interface RowUpdates {
  /** @returns how many rows matched */
  update(where: readonly Condition[], changes: Readonly<Record<string, unknown>>): MaybePromise<number>
}

/** What a repository shows of its rows, and from where. */
export interface RepositoryView {
  /** With rows that are only marked as deleted. Default: without. */
  readonly withDeleted?: boolean
  /** Answers reads, unless the caller may have written. Default: the primary does. */
  readonly replica?: Table<AnyRow> | null
}

export interface RepositoryHost {
  readonly database: Pick<Database, 'countsInFind' | 'ids' | 'name' | 'references' | 'transactions'>
  readonly flow: FlowStatistics
  /** Epoch ms, for the timestamps of rows. */
  readonly clock: { now(): number }
  readonly scopes: Pick<EntityScopes, 'callers' | 'key' | 'held' | 'named'>
  /** One that a relation reaches. @throws UnknownEntity */
  entity(name: string): CompiledEntity
  /** The relations whose references to rows of an entity are kept. */
  referrers(entity: string): readonly Referrer[]
  /** Also of entities that relations reach. @throws UnknownEntity */
  table(entity: string): Table<AnyRow>
  /** The same to read from: a replica, unless the caller may have written. @throws UnknownEntity */
  readTable(entity: string): Table<AnyRow>
  /** The rows of all scopes, of which references know nothing. @throws UnknownEntity */
  whole(entity: string, tx: Transaction | null): Table<AnyRow>
  /** Changes of such rows, with the hooks of their entity. @throws UnknownEntity */
  writes(entity: string, tx: Transaction | null): RowUpdates
  /** Before a write outside of a transaction: reads of its caller see it. */
  wrote(): void
  /** @throws UnknownEntity */
  repository(entity: string): Repository
  /** @throws InvalidFindOptions */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: unknown): Promise<T>
}
