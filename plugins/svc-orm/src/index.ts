/**
 * svc-orm: portable repositories. One contract for every database, criteria that
 * mean the same everywhere, and an admin plane that shows what is stored where.
 *
 * Decorates  fastify.orm
 * Hooks      onReady: compiles the declared entities, before drivers connect
 * Needs      nothing (svc-kernel is added when absent); a driver, or `memory`, to keep rows
 */
import type {} from 'fastify'
import type { OrmPort } from './registry/orm-port.ts'

declare module 'fastify' {
  interface FastifyInstance {
    orm: OrmPort
  }
}

export type { Changes, ParsedChanges } from './criteria/changes.ts'
export type {
  Condition,
  ConditionValue,
  LikeCondition,
  ListCondition,
  NullCondition,
  ValueCondition
} from './criteria/condition.ts'
export type { Criteria, Criterion, FieldName, Operators } from './criteria/criteria.ts'
export type { Direction, FindOptions, ParsedFindOptions, SortKey } from './criteria/find-options.ts'
export { parseCriteria } from './criteria/parse-criteria.ts'
export { parseFindOptions } from './criteria/parse-find-options.ts'
export type { ConnectionHealth, PoolState } from './driver/connection-health.ts'
export type { EntityGateway, Selection, StoredRow } from './driver/entity-gateway.ts'
export type { IdForm } from './driver/id-form.ts'
export type { ConnectionFacts, OrmConnector } from './driver/orm-connector.ts'
export type { RepositoryHost } from './driver/repository-host.ts'
export type { CompiledEntity, CompiledField, CompiledIndex, CompiledRelation } from './entity/compiled-entity.ts'
export type { Declared, EntitySource, NativeClass } from './entity/declared.ts'
export {
  defineEntity,
  type EntityDefinition,
  type FieldDefinition,
  type FieldType,
  type IndexDefinition,
  type RelationDefinition,
  type RelationType
} from './entity/entity-definition.ts'
export type { JsonScalar, JsonValue } from './entity/json-value.ts'
export type { AnyRow, NewOf, RelatedRow, RowOf } from './entity/row-of.ts'
export * from './errors.ts'
export type { OrmPort } from './registry/orm-port.ts'
export { PortableRepository } from './repository/portable-repository.ts'
export type { Repository } from './repository/repository.ts'
export type { Transaction } from './repository/transaction.ts'
export {
  type ConnectorFlow,
  type FlowSettings,
  FlowStatistics,
  type Latency,
  type Operation
} from './statistics/flow-statistics.ts'
