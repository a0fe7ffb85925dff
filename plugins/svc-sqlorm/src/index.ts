/**
 * svc-sqlorm: SQLite and PostgreSQL, for repositories and every store. The boot creates missing tables; it never
 * changes or drops one.
 *
 * Decorates  fastify.sqlorm
 * Hooks      onReady: opens the connections and creates tables; onClose: closes them
 * Needs      nothing (svc-kernel, svc-orm and svc-stores are added when absent)
 */
import type { FastifyPluginAsync } from 'fastify'
import { appHost, definePlugin, ensureKernel, type Problem, readOptions, systemClock, warnAtBoot } from 'svc-kernel'
import { dataPath } from 'svc-kernel/plugin'
import { ensureOrm } from 'svc-orm'
import { warnOfPending } from 'svc-orm/driver'
import { ensureStores } from 'svc-stores'
import type { ReplicaHealth } from 'svc-stores/table'
import { createConnection } from './connection/create-connection.ts'
import type { ReplicaSet } from './connection/replica-set.ts'
import { optionsSchema, type SqlormConfig, type SvcSqlormOptions, type SvcSqlormParts } from './options.ts'
import { SqlDatabase } from './sql-database.ts'
import { Sqlorm } from './sqlorm.ts'

/** The name of this driver in `store: 'sqlorm'` and `auto`. */
const DRIVER = 'sqlorm'

declare module 'fastify' {
  interface FastifyInstance {
    sqlorm: Sqlorm
  }
}

const sqlDatabases: FastifyPluginAsync<SvcSqlormOptions & { parts?: SvcSqlormParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const { connectors, frameworkEntities, debug } = readOptions<SqlormConfig>('svc-sqlorm', optionsSchema, given)
  const { clock = systemClock } = given.parts ?? {}
  await ensureOrm(fastify, { clock })
  const log = fastify.log.child({ plugin: 'svc-sqlorm' })
  const { bootWarnings } = fastify
  const { name: application, checkOnly } = appHost(fastify)
  const databases: SqlDatabase[] = []
  const copies: { readonly connector: string; readonly replicas: ReplicaSet }[] = []
  const connections = Object.entries(connectors).map(([name, options]) => {
    const { connection, target, replicas } = createConnection(name, options, {
      clock,
      log,
      bootWarnings,
      debug,
      drift: fastify.orm.drift,
      application,
      dataPath: (path) => dataPath(fastify, path)
    })
    const database = new SqlDatabase({ connection, target, clock, replicas })
    if (replicas !== null) copies.push({ connector: name, replicas })
    databases.push(database)
    fastify.orm.addConnector(database)
    fastify.healthChecks.add(
      `database ${name}`,
      () => connection.check(),
      () => connection.disconnectedSince
    )
    return connection
  })

  const replicated = new Set(copies.map(({ connector }) => connector))
  const sqlorm = new Sqlorm(connections, (connector) =>
    replicated.has(connector) ? () => fastify.orm.wrote(connector) : null
  )
  fastify.decorate('sqlorm', sqlorm)
  const [primary] = databases
  if (frameworkEntities && primary !== undefined) {
    await ensureStores(fastify, { clock })
    fastify.stores.declare(DRIVER)
    fastify.stores.addDatabase(DRIVER, primary)
  }
  fastify.addHook('onReady', async () => {
    // Commands that only inspect the application, such as `svc routes`, leave its databases alone.
    if (checkOnly) return
    for (const connection of connections) await connection.open()
    for (const { connector, replicas } of copies) {
      await replicas.open()
      for (const problem of replicasOut(connector, replicas.health)) warnAtBoot(fastify, problem)
    }
    for (const { name, connected } of databases)
      if (connected) await warnOfPending(fastify.orm.migrations, name, { log, bootWarnings })
  })
  fastify.addHook('onClose', async () => {
    await Promise.all([...connections, ...copies.map(({ replicas }) => replicas)].map((each) => each.close()))
  })
}

function replicasOut(connector: string, replicas: readonly ReplicaHealth[]): Problem[] {
  return replicas.flatMap(({ target, reading, reason }, place) => {
    if (reading) return []
    const message = `a replica of connector ${connector} gets no reads: ${reason}`
    const at = `svc-sqlorm.connectors.${connector}.replicas[${place}]`
    return [
      { code: 'SVC_SQLORM_REPLICA_OUT', message, at, got: target, fix: 'check the replica; no restart is needed' }
    ]
  })
}

const svcSqlorm: FastifyPluginAsync<SvcSqlormOptions & { parts?: SvcSqlormParts }> = definePlugin(sqlDatabases, {
  name: 'svc-sqlorm',
  optionsSchema,
  after: ['svc-orm', 'svc-stores']
})

export default svcSqlorm

export type { SqlConnection } from './connection/sql-connection.ts'
export type { SqlEngine } from './engines/sql-engine.ts'
export * from './errors.ts'
export type { ConnectorOptions, SvcSqlormOptions, SvcSqlormParts } from './options.ts'
export type { ColumnDefinition, ColumnType, TableDefinition, TableIndex } from './schema/table-definition.ts'
export { Sqlorm } from './sqlorm.ts'
