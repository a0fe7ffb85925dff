/** What `fastify.orm` offers: to applications repositories, to drivers a place to register. */
import type { OpenTransaction, Transaction, TransactionOptions } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import type { AnyRow, KeyOf, NewOf, RowOf } from '../entities/row-of.ts'
import type { CheckedReference } from '../integrity/check-references.ts'
import type { HeldLock } from '../locks/lease.ts'
import type { LockOptions } from '../locks/lock-options.ts'
import type { ListedLock } from '../locks/locks.ts'
import type { Migrations } from '../migrations/migrations.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import type { FlowStatistics } from '../repository/flow-statistics.ts'
import type { Repository } from '../repository/repository.ts'
import type { DriftPolicy } from '../schema/drift.ts'
import type { ScopeValues } from '../scope/caller-scopes.ts'
import type { SealedField } from '../sealed/seal-rows.ts'
import type { Seeds } from '../seeds/seeds.ts'

/** `fastify.orm`. */
export interface OrmPort {
  /**
   * From `onReady` on. @param connector default: the first one registered
   * @throws NotReady, UnknownEntity (`no entity model registered under <name>`), UnknownConnector
   */
  repository<const D extends EntityDefinition>(entity: D, connector?: string): Repository<RowOf<D>, NewOf<D>, KeyOf<D>>
  repository<Row extends { id: string } = AnyRow>(entity: string, connector?: string): Repository<Row>
  /** Opens a transaction on a connector; repositories join with `withTransaction(tx)`. Where another one came first, `work` runs again. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, connector?: string, options?: TransactionOptions): Promise<T>
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T>
  /**
   * Opens a transaction that its caller ends: `await using tx = await orm.begin()`, then `await tx.commit()`. Undone
   * where the block is left without. Its work never runs again: where another one came first, it fails with
   * `SVC_ORM_CONFLICT` (409).
   *
   * @param connector default: the first one registered
   */
  begin(connector?: string, options?: TransactionOptions): Promise<OpenTransaction>
  begin(options: TransactionOptions): Promise<OpenTransaction>
  /**
   * Runs work outside of requests, such as a script or a job, whose reads replicas may answer until it writes. Without
   * replicas it just runs.
   */
  onReplicas<T>(work: () => T): T
  /**
   * Before a write past repositories and transactions, such as one of Mongoose: from here on, reads of this request or
   * work go to the primary. `fastify.sqlorm.kysely()` does so by itself.
   *
   * @param connector default: the first one registered @throws UnknownConnector
   */
  wrote(connector?: string): void
  /**
   * Runs `work` while this caller, and no other on any instance that shares the database, holds the lock of this name.
   * From `onReady` on. The lock is released when the work ends.
   *
   * @param name 1 to 200 characters
   * @throws Locked (409, `SVC_ORM_LOCKED`) while another one holds it, LockLost (503), LockInTransaction,
   * InvalidFindOptions, ConnectionUnavailable; what the work throws
   */
  lock<T>(name: string, work: (held: HeldLock) => T | Promise<T>, options?: LockOptions): Promise<T>
  /**
   * The locks that instances hold now, by name, at most 200.
   *
   * @param connector default: the first one registered @throws UnknownConnector, ConnectionUnavailable
   */
  heldLocks(connector?: string): Promise<readonly ListedLock[]>
  /**
   * Every relation with a reference, with the number of rows that name a row that is gone, and the first of them.
   * From `onReady` on.
   *
   * @param connector default: all of them @throws UnknownConnector, ConnectionUnavailable
   */
  checkReferences(connector?: string): Promise<readonly CheckedReference[]>
  /** Mends those rows in batches, as `repair` of the check says, with hooks. @returns what was mended, by relation */
  repairReferences(connector?: string): Promise<readonly CheckedReference[]>
  /**
   * Runs `work` within scopes, for jobs, commands and tests: `withScope({ organization: id }, work)`. Requests that the
   * work makes have their own scopes.
   *
   * @throws NoScope (`SVC_ORM_NO_SCOPE`) for a value that is not text, OtherScope where the context has another one
   */
  withScope<T>(scopes: ScopeValues, work: () => T): T
  /**
   * Runs `work` across all scopes: it sees the rows of each, and gives the field of the scope to what it creates. Recorded
   * in the audit journal as `data.crossed`, with its caller.
   *
   * @param reason 1 to 200 characters @throws InvalidFindOptions
   */
  acrossScopes<T>(reason: string, work: () => T): T
  /** In order of registration; the first is the default. */
  connectors(): readonly OrmConnector[]
  /** The compiled entities of every connector, or of one; from `onReady` on, before a driver's own `onReady` runs. */
  entities(connector?: string): readonly CompiledEntity[]
  /** For drivers, while they register. @throws DuplicateConnector, LateConnector */
  addConnector(connector: OrmConnector): void
  /** What a driver does with a database that differs from what is declared. */
  readonly drift: DriftPolicy
  /** Writes, runs and undoes migrations; from `onReady` on. */
  readonly migrations: Migrations
  /** Runs what an application begins with; from `onReady` on. */
  readonly seeds: Seeds
  /**
   * Encrypts the values of sealed fields that the first key has not encrypted: those of rows that were there before, and
   * those under former keys. From `onReady` on; safe to run at any time, and again.
   *
   * @returns what was done, by entity and field
   */
  seal(): Promise<readonly SealedField[]>
  /** Statistics of the operations. @param connector default: the first one registered @throws UnknownConnector */
  flow(connector?: string): FlowStatistics
}
