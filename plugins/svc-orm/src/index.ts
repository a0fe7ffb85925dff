/**
 * svc-orm: repositories that work on every database. Criteria mean the same everywhere; an admin API shows what is
 * stored where.
 *
 * Decorates  fastify.orm
 * Hooks      onReady: compiles the declared entities, before drivers connect
 * Needs      nothing (svc-kernel is added when absent); a driver, or `memory`, to keep rows
 */
import { resolve } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import {
  appHost,
  BootError,
  definePlugin,
  ensureKernel,
  inProduction,
  readOptions,
  systemClock,
  warnAtBoot
} from 'svc-kernel'
import { memoryDatabase } from 'svc-stores/table'
import { adminPlane } from './admin/admin-plane.routes.ts'
import { declaredEntities, sealDeclarations } from './entities/entities.ts'
import { absentFolder, findEntityFiles, loadEntities } from './entities/load-entities.ts'
import { migrateAtBoot } from './migrations/migrate-at-boot.ts'
import { type OrmConfig, optionsSchema, type SvcOrmOptions, type SvcOrmParts } from './options.ts'
import type { OrmPort } from './registry/orm-registry.ts'
import { OrmRegistry } from './registry/orm-registry.ts'

declare module 'fastify' {
  interface FastifyInstance {
    orm: OrmPort
  }
}

const orm: FastifyPluginAsync<SvcOrmOptions & { parts?: SvcOrmParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const {
    dir,
    memory,
    admin,
    flow,
    drift = inProduction(fastify) ? 'refuse' : 'warn',
    migrations,
    seeds
  } = readOptions<OrmConfig>('svc-orm', optionsSchema, given)
  const { clock = systemClock, entities = [] } = given.parts ?? {}
  const host = appHost(fastify)
  const folders = { migrations: resolve(host.root, migrations.dir), seeds: resolve(host.root, seeds) }
  const registry = new OrmRegistry({ flow, clock, drift, host, folders })
  if (memory) registry.addConnector(memoryDatabase({ clock }))
  if (dir !== undefined) await loadDirectory(fastify, dir)

  fastify.decorate('orm', registry)
  adminPlane(fastify, { registry, flow, clock, rows: admin.rows })
  let release: (() => void) | null = null
  fastify.addHook('onReady', async () => {
    const own = entities.map((source) => ({ source, connector: null, place: null }))
    registry.open([...declaredEntities(), ...own])
    release = sealDeclarations()
  })
  if (migrations.run === 'boot' && !host.checkOnly) migrateAtBoot(fastify, registry.migrations)
  fastify.addHook('onClose', async () => release?.())
}

async function loadDirectory(fastify: FastifyInstance, dir: string): Promise<void> {
  const host = appHost(fastify)
  const folder = resolve(host.root, dir)
  const files = await findEntityFiles(folder)
  // The folder may be missing: a build omits a folder without code.
  if (files === null) return warnAtBoot(fastify, absentFolder(folder))
  const problems = await loadEntities(files, host)
  if (problems.length > 0) throw new BootError(problems)
}

const svcOrm: FastifyPluginAsync<SvcOrmOptions & { parts?: SvcOrmParts }> = definePlugin(orm, {
  name: 'svc-orm',
  optionsSchema
})

/**
 * Registers svc-orm with its defaults unless this instance has it. Drivers call it first.
 *
 * @param parts used only if it was absent
 */
export async function ensureOrm(fastify: FastifyInstance, parts: SvcOrmParts = {}): Promise<void> {
  if (!fastify.hasDecorator('orm')) await fastify.register(svcOrm, { parts })
}

export default svcOrm

export {
  type ConnectionFacts,
  type ConnectionHealth,
  type IdForm,
  type Isolation,
  memoryDatabase,
  type OpenTransaction,
  type RowLock,
  type Transaction,
  type TransactionOptions
} from 'svc-stores/table'
export type { Changes } from './criteria/changes.ts'
export type {
  Criteria,
  Criterion,
  FieldName,
  Joins,
  Operators,
  RelationCriterion,
  RelationName
} from './criteria/criteria.ts'
export type {
  CacheOptions,
  Direction,
  FindOptions,
  Found,
  Include,
  IncludeOptions,
  OrderBy,
  ReadCache
} from './criteria/find-options.ts'
export type {
  AggregateMeasure,
  Aggregates,
  Grouped,
  GroupOptions,
  Measures,
  OrderedField
} from './criteria/grouping.ts'
export { parseCriteria } from './criteria/parse-criteria.ts'
export { type Crud, type CrudOptions, type CrudQuery, crud, type Page } from './crud/crud.ts'
export type { CrudRoute, CrudRoutes } from './crud/crud-routes.ts'
export { compileEntities, type EntitiesOutcome, type PlacedDefinition } from './entities/compile-entities.ts'
export { snakeCase } from './entities/compile-fields.ts'
export type { CompiledEntity, CompiledField, CompiledIndex, CompiledRelation } from './entities/compiled-entity.ts'
export {
  type Declared,
  declaredEntities,
  type EntitiesOptions,
  type EntitySource,
  entities,
  type NativeClass
} from './entities/entities.ts'
export {
  defineEntity,
  type EntityDefinition,
  type FieldDefinition,
  type FieldType,
  type IndexDefinition,
  type JsonScalar,
  type JsonValue,
  type RelationDefinition,
  type RelationType
} from './entities/entity-definition.ts'
export { entityPlan } from './entities/entity-plan.ts'
export type { AnyRow, EntityTypes, KeyOf, NewOf, RelatedRow, RowOf } from './entities/row-of.ts'
export * from './errors.ts'
export { columnConversion, filledValue, isChecked, isConverted, refusedValues } from './migrations/convert-value.ts'
export { type FoundColumn, FoundInPlace, type FoundPart } from './migrations/found-in-place.ts'
export { isNarrower } from './migrations/migrated-column.ts'
export {
  type ColumnData,
  type ConversionData,
  type DropData,
  defineMigration,
  type MigratedColumn,
  type MigratedIndex,
  type Migration,
  type MigrationContext,
  type StoredRow,
  type TableShape
} from './migrations/migration.ts'
export type {
  ExecutedMigration,
  LoadedMigration,
  Loss,
  MigrationPort,
  MigrationRun
} from './migrations/migration-port.ts'
export {
  type MigrationFault,
  migrationFailed,
  missingData,
  rowsComeBack,
  unexpectedState
} from './migrations/migration-problem.ts'
export type {
  ConnectorLoss,
  ConnectorStatus,
  Migrations,
  RanMigrations,
  RollbackOptions,
  RunOptions,
  WriteOptions
} from './migrations/migrations.ts'
export { warnOfPending } from './migrations/warn-of-pending.ts'
export type { WrittenMigration } from './migrations/write-migration.ts'
export type { SvcOrmOptions, SvcOrmParts } from './options.ts'
export type { OrmPort } from './registry/orm-registry.ts'
export { type EntityHooks, type HookContext, withHooks } from './repository/entity-hooks.ts'
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
export type { KeysetPage, Repository, ShownRows, WalkOptions } from './repository/repository.ts'
export {
  type Difference,
  type DriftPolicy,
  problemOf,
  refuseDrift,
  type SchemaPort,
  warnOfDrift
} from './schema/drift.ts'
export type { StandingTable } from './schema/standing-table.ts'
export { defineSeed, type Seed, type SeedContext } from './seeds/seed.ts'
export type { RanSeeds, SeedOptions, Seeds } from './seeds/seeds.ts'
