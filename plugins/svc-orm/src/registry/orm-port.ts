/** The interface of `fastify.orm`: repositories for applications, registration for drivers. */
import type { OpenTransaction, Transaction, TransactionOptions } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import type { AnyRow, KeyOf, NewOf, RowOf } from '../entities/row-of.ts'
import type { CheckedReference } from '../integrity/check-references.ts'
import type { CheckedTree } from '../integrity/check-trees.ts'
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
  /** Runs `work` in a transaction on a connector; repositories join with `withTransaction(tx)`. After a conflict, `work` runs again. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, connector?: string, options?: TransactionOptions): Promise<T>
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T>
  /**
   * Opens a transaction that its caller ends: `await using tx = await orm.begin()`, then `await tx.commit()`. Without a
   * commit, the end of the block rolls it back. After a conflict it does not run again, but fails with `SVC_ORM_CONFLICT`
   * (409).
   *
   * @param connector default: the first one registered
   */
  begin(connector?: string, options?: TransactionOptions): Promise<OpenTransaction>
  begin(options: TransactionOptions): Promise<OpenTransaction>
  /**
   * Runs `work` outside of requests, such as a script or a job, and lets replicas answer its reads until it writes.
   */
  onReplicas<T>(work: () => T): T
  /**
   * Sends later reads of this request or work to the primary. Call it before a write without a repository, such as one of
   * Mongoose. `fastify.sqlorm.kysely()` calls it by itself.
   *
   * @param connector default: the first one registered @throws UnknownConnector
   */
  wrote(connector?: string): void
  /**
   * Runs `work` while it holds the lock of this name, which one caller at a time has among all instances that share the
   * database. Releases the lock when the work ends. From `onReady` on.
   *
   * @param name 1 to 200 characters
   * @throws Locked (409, `SVC_ORM_LOCKED`) while another one holds it, LockLost (503), LockInTransaction,
   * InvalidFindOptions, ConnectionUnavailable; what the work throws
   */
  lock<T>(name: string, work: (held: HeldLock) => T | Promise<T>, options?: LockOptions): Promise<T>
  /**
   * Lists the locks that instances hold now, by name, at most 200.
   *
   * @param connector default: the first one registered @throws UnknownConnector, ConnectionUnavailable
   */
  heldLocks(connector?: string): Promise<readonly ListedLock[]>
  /**
   * Checks every relation with a reference: counts and lists rows that name a missing row or a row of another scope. From
   * `onReady` on.
   *
   * @param connector default: all of them @throws UnknownConnector, ConnectionUnavailable
   */
  checkReferences(connector?: string): Promise<readonly CheckedReference[]>
  /** Mends these rows as `repair` of the check says, in batches, with hooks. @returns what it mended, by relation */
  repairReferences(connector?: string): Promise<readonly CheckedReference[]>
  /**
   * Checks every entity with `tree`: counts and lists rows that are their own ancestors. Reads the id and the reference of
   * all its rows into memory. From `onReady` on.
   *
   * @param connector default: all of them @throws UnknownConnector, ConnectionUnavailable
   */
  checkTrees(connector?: string): Promise<readonly CheckedTree[]>
  /** Makes the first row by id of each circle a root, with hooks. @returns what it mended, by entity */
  repairTrees(connector?: string): Promise<readonly CheckedTree[]>
  /**
   * Runs `work` within scopes, for jobs, commands and tests: `withScope({ organization: id }, work)`. HTTP requests that
   * `work` sends have their own scopes.
   *
   * @throws NoScope (`SVC_ORM_NO_SCOPE`) for a value that is not text, OtherScope where the context has another one
   */
  withScope<T>(scopes: ScopeValues, work: () => T): T
  /**
   * Runs `work` across all scopes: it sees the rows of every scope, and gives new rows the field of their scope. The audit
   * journal records `data.crossed` with the caller and the reason.
   *
   * @param reason 1 to 200 characters @throws InvalidFindOptions
   */
  acrossScopes<T>(reason: string, work: () => T): T
  /** Connectors in order of registration; the first is the default. */
  connectors(): readonly OrmConnector[]
  /** The compiled entities of every connector, or of one; from `onReady` on, before a driver's own `onReady` runs. */
  entities(connector?: string): readonly CompiledEntity[]
  /** For drivers, while they register. @throws DuplicateConnector, LateConnector */
  addConnector(connector: OrmConnector): void
  /** What a driver does if the database differs from the entities. */
  readonly drift: DriftPolicy
  /** Writes, runs and undoes migrations; from `onReady` on. */
  readonly migrations: Migrations
  /** Runs seeds; from `onReady` on. */
  readonly seeds: Seeds
  /**
   * Encrypts the values of sealed fields that the first key has not encrypted: plain values of older rows, and values under
   * former keys. Safe to run at any time and repeatedly. From `onReady` on.
   *
   * @returns the result by entity and field
   */
  seal(): Promise<readonly SealedField[]>
  /** Statistics of the operations. @param connector default: the first one registered @throws UnknownConnector */
  flow(connector?: string): FlowStatistics
}
