/** What `PortableRepository` needs of the connector it serves; any `OrmConnector` with gateways fits. */

import type { IdForm, Isolation, Transaction, TransactionOptions } from 'svc-stores/table'
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import type { FlowStatistics } from '../statistics/flow-statistics.ts'
import type { EntityGateway } from './entity-gateway.ts'

export interface RepositoryHost {
  readonly name: string
  readonly ids: IdForm
  readonly flow: FlowStatistics
  /** Epoch ms, for the timestamps of rows. */
  readonly clock: { now(): number }
  /** Also of entities reached through relations: by name, on this connector. @throws UnknownEntity */
  gateway(entity: string): { readonly entity: CompiledEntity; readonly gateway: EntityGateway }
  readonly isolations?: readonly Isolation[]
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
}
