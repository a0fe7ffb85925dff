/**
 * svc-orm: repositories that work on every database. Criteria mean the same everywhere; an admin API shows what is
 * stored where.
 *
 * Decorates  fastify.orm
 * Hooks      onReady: compiles the declared entities, before drivers connect; preClose: releases locks
 * Needs      nothing (svc-kernel is added when absent); a driver, or `memory`, to keep rows
 */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import {
  appHost,
  BootError,
  type Clock,
  definePlugin,
  ensureKernel,
  inProduction,
  type Problem,
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
import type { OrmPort } from './registry/orm-port.ts'
import { OrmRegistry } from './registry/orm-registry.ts'
import { StickyReads } from './repository/sticky-reads.ts'
import { CallerScopes } from './scope/caller-scopes.ts'
import { recordCrossing } from './scope/crossing.ts'
import { openSealing, sealAtStart } from './sealed/open-sealing.ts'
import { warnOfRepeatedCalls } from './statements/repeated-calls.ts'
import { SlowStatements } from './statements/slow-statements.ts'

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
    stickyMs,
    drift = inProduction(fastify) ? 'refuse' : 'warn',
    migrations,
    encryptionKey,
    seeds
  } = readOptions<OrmConfig>('svc-orm', optionsSchema, given)
  const { entities = [] } = given.parts ?? {}
  const clock = withTimers(given.parts?.clock ?? systemClock)
  const host = appHost(fastify)
  const log = fastify.log.child({ plugin: 'svc-orm' })
  const operationMs = flow.enabled ? flow.slowMs : null
  const statements = new SlowStatements({ log, clock, logMs: flow.slowStatementMs, operationMs })
  const folders = { migrations: resolve(host.root, migrations.dir), seeds: resolve(host.root, seeds) }
  const scopes = new CallerScopes({ organization: ({ organization }) => organization, ...given.parts?.scopes })
  fastify.carriedContexts.add('scopes', scopes)
  const instance = `${hostname()}:${process.pid}`
  const onCrossing = (reason: string) => recordCrossing(fastify, reason)
  const sealing = openSealing(encryptionKey)
  const sticky = new StickyReads({ clock, stickyMs })
  const heard = { statements, sticky }
  const registry = new OrmRegistry({
    flow,
    clock,
    drift,
    host,
    folders,
    instance,
    sealing,
    scopes,
    onCrossing,
    ...heard
  })
  // Scopes inherit it.
  const isOwn = ({ server }: FastifyRequest) => server.orm === registry
  if (stickyMs > 0) fastify.addHook('onResponse', async (request) => sticky.answered(request))
  if (sealing !== null) sealAtStart(fastify, sealing, registry)
  if (memory) registry.addConnector(memoryDatabase({ clock }))
  if (dir !== undefined) await loadDirectory(fastify, dir)

  fastify.decorate('orm', registry)
  adminPlane(fastify, { registry, flow, clock, rows: admin.rows, write: admin.write, scopes })
  const releases: (() => void)[] = []
  fastify.addHook('onReady', async () => {
    const own = entities.map((source) => ({ source, connector: null, place: null }))
    registry.open([...declaredEntities(), ...own])
    releases.push(sealDeclarations(), statements.listen(registry.entityTables))
    fastify.ready((error) => {
      if (error === null) statements.booted()
    })
    if (registry.hasReplicas) releases.push(sticky.listen())
    else if (stickyMs > 0) warnAtBoot(fastify, WITHOUT_REPLICAS)
    if (host.mode === 'development') releases.push(warnOfRepeatedCalls({ log, isOwn, root: host.root }))
  })
  if (migrations.run === 'boot' && !host.checkOnly) migrateAtBoot(fastify, registry.migrations)
  // Drivers close their databases before `onClose` of this plugin.
  fastify.addHook('preClose', async () => registry.close())
  fastify.addHook('onClose', async () => {
    for (const release of releases) release()
  })
}

const WITHOUT_REPLICAS: Problem = {
  code: 'SVC_ORM_STICKY',
  message: 'stickyMs has no effect, as no database has replicas',
  at: 'svc-orm.stickyMs',
  fix: 'remove it, or name the replicas of a connector'
}

/** A clock that only tells the time gets the timers of the machine. */
function withTimers(clock: NonNullable<SvcOrmParts['clock']>): Clock {
  return 'setTimeout' in clock ? (clock as Clock) : { ...systemClock, now: () => clock.now() }
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

export { type Isolation, memoryDatabase, type Transaction, type TransactionOptions } from 'svc-stores/table'
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
  FindOptions,
  Found,
  Include,
  IncludeOptions,
  OrderBy,
  ReadCache
} from './criteria/find-options.ts'
export type { Grouped, GroupKey, GroupOptions } from './criteria/grouping.ts'
export type { AggregateMeasure, Aggregates, Measures, OrderedField } from './criteria/measures.ts'
export { type Crud, type CrudQuery, crud, type Page } from './crud/crud.ts'
export type { CrudRoute, CrudRoutes } from './crud/crud-routes.ts'
export { type EntitySource, entities } from './entities/entities.ts'
export {
  defineEntity,
  type EntityDefinition,
  type FieldDefinition,
  type IndexDefinition,
  type OnDelete,
  type RelationDefinition
} from './entities/entity-definition.ts'
export type { AnyRow, EntityTypes, KeyOf, NewOf, RelatedRow, RowOf } from './entities/row-of.ts'
export { defineFieldType, type OwnFieldType } from './fields/define-field-type.ts'
export type { ExactNumber } from './fields/exact-number.ts'
export type { FieldTypeDefinition } from './fields/field-type.ts'
export type { FieldType } from './fields/field-types.ts'
export type { JsonValue } from './fields/json.ts'
export type { CheckedReference } from './integrity/check-references.ts'
export type { CheckedTree } from './integrity/check-trees.ts'
export type { HeldLock } from './locks/lease.ts'
export type { ListedLock } from './locks/locks.ts'
export { defineMigration, type Migration, type MigrationContext } from './migrations/migration.ts'
export type { ConnectorStatus, Migrations, RanMigrations } from './migrations/migrations.ts'
export type { SvcOrmOptions, SvcOrmParts } from './options.ts'
export type { OrmPort } from './registry/orm-port.ts'
export { type EntityHooks, type HookContext, withHooks } from './repository/entity-hooks.ts'
export type { KeysetPage, Repository, ShownRows } from './repository/repository.ts'
export type { ScopeReaders, ScopeValues } from './scope/caller-scopes.ts'
export { defineSeed, type Seed, type SeedContext } from './seeds/seed.ts'
export type { RanSeeds } from './seeds/seeds.ts'
