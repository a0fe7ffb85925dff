/** What `fastify.orm` offers: to applications repositories, to drivers a place to register. */
import type { Transaction, TransactionOptions } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import type { AnyRow, KeyOf, NewOf, RowOf } from '../entities/row-of.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import type { FlowStatistics } from '../repository/flow-statistics.ts'
import type { Repository } from '../repository/repository.ts'

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
  /** In order of registration; the first is the default. */
  connectors(): readonly OrmConnector[]
  /** The compiled entities of every connector, or of one; from `onReady` on, before a driver's own `onReady` runs. */
  entities(connector?: string): readonly CompiledEntity[]
  /** For drivers, while they register. @throws DuplicateConnector, LateConnector */
  addConnector(connector: OrmConnector): void
  /** Statistics of the operations. @param connector default: the first one registered @throws UnknownConnector */
  flow(connector?: string): FlowStatistics
}
