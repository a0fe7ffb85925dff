/** `svc-orm/driver`: what a driver needs to keep entities and run migrations: plans, conversions, drift, repositories. */
export { parseCriteria } from './criteria/parse-criteria.ts'
export { compileEntities, type EntitiesOutcome, type PlacedDefinition } from './entities/compile-entities.ts'
export { snakeCase } from './entities/compile-fields.ts'
export type { CompiledEntity, CompiledField, CompiledIndex, CompiledRelation } from './entities/compiled-entity.ts'
export { type Declared, declaredEntities, type NativeClass } from './entities/entities.ts'
export { entityPlan } from './entities/entity-plan.ts'
export type { FieldTypeDefinition } from './fields/field-type.ts'
export { columnConversion, filledValue, isChecked, isConverted, refusedValues } from './migrations/convert-value.ts'
export { foldedChange } from './migrations/folded-change.ts'
export { type FoundColumn, FoundInPlace, type FoundPart } from './migrations/found-in-place.ts'
export { isNarrower } from './migrations/migrated-column.ts'
export type {
  ColumnData,
  ConversionData,
  DropData,
  MigratedColumn,
  MigratedIndex,
  MigratedReference,
  StoredRow,
  TableShape
} from './migrations/migration.ts'
export type {
  ExecutedMigration,
  LoadedMigration,
  Loss,
  MigrationPort,
  MigrationRun
} from './migrations/migration-port.ts'
export {
  danglingRows,
  type MigrationFault,
  migrationFailed,
  missingData,
  rowsComeBack,
  unexpectedState
} from './migrations/migration-problem.ts'
export { warnOfPending } from './migrations/warn-of-pending.ts'
export {
  EntityRepositories,
  type EntityRepositoriesParts,
  type OrmConnector
} from './repository/entity-repositories.ts'
export {
  type ConnectorFlow,
  type FlowSettings,
  FlowStatistics,
  type Latency,
  type Operation
} from './repository/flow-statistics.ts'
export {
  type Difference,
  type DriftPolicy,
  problemOf,
  refuseDrift,
  type SchemaPort,
  warnOfDrift
} from './schema/drift.ts'
export type { StandingTable } from './schema/standing-table.ts'
export type { CallerScopes } from './scope/caller-scopes.ts'
export { NativeAccess, type NativeOptions } from './scope/native-access.ts'
