/**
 * svc-docdb: MongoDB. Provides the repositories of svc-orm and the stores of svc-stores over one client, which
 * Mongoose, Typegoose and @fastify/mongodb share.
 *
 * Decorates  fastify.docdb, fastify.mongo (of @fastify/mongodb)
 * Hooks      onReady: connects, without delaying the boot for long; onClose: disconnects
 * Needs      nothing (svc-kernel, svc-orm and svc-stores are added when absent)
 */
import fastifyMongodb from '@fastify/mongodb'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { appHost, BootError, definePlugin, ensureKernel, readOptions, systemClock, warnAtBoot } from 'svc-kernel'
import type { BootReport } from 'svc-kernel/plugin'
import { ensureOrm, type OrmPort } from 'svc-orm'
import { warnOfDrift, warnOfPending } from 'svc-orm/driver'
import { ensureStores } from 'svc-stores'
import { connectionTarget } from './connection/connection-target.ts'
import { unconnectedModels } from './connection/default-connection.ts'
import { DocumentConnection } from './connection/document-connection.ts'
import { watchOperations } from './connection/operation-log.ts'
import { Docdb } from './docdb.ts'
import { DocumentDatabase } from './document-database.ts'
import { startEmbedded } from './embedded/embedded-engine.ts'
import { declaredDatabase, primaryUri, unreadableAddress, unusedAddress } from './environment/primary-uri.ts'
import { type DocdbConfig, optionsSchema, type SvcDocdbOptions, type SvcDocdbParts } from './options.ts'

declare module 'fastify' {
  interface FastifyInstance {
    docdb: Docdb
  }
}

/** The name of this driver in `store: 'docdb'` and `auto`. */
const DRIVER = 'docdb'

const documents: FastifyPluginAsync<SvcDocdbOptions & { parts?: SvcDocdbParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<DocdbConfig>('svc-docdb', optionsSchema, given)
  const { clock = systemClock, mongoose } = given.parts ?? {}
  await ensureOrm(fastify, { clock })
  const databases = new Map<string, DocumentDatabase>()
  const fromEnvironment = primaryUri()
  const unused = unusedAddress()
  if (unused !== null)
    fastify.log.info(unused, 'svc-docdb uses its configured connectors, because the address names another database')
  for (const [name, settings] of Object.entries(config.connectors)) {
    const isPrimary = databases.size === 0
    const uri = isPrimary && fromEnvironment !== null ? fromEnvironment.uri : await embeddedUri(fastify, name, settings)
    const target = connectionTarget(settings, uri)
    const log = fastify.log.child({ plugin: 'svc-docdb' })
    const at =
      isPrimary && fromEnvironment !== null ? `env ${fromEnvironment.variable}` : `svc-docdb.connectors.${name}.uri`
    const parts = { name, target, clock, log, debug: config.debug, mongoose: isPrimary ? mongoose : undefined }
    const connection = readable(at, () => new DocumentConnection(parts))
    if (config.debug) watchOperations(connection, log)
    const database = new DocumentDatabase(connection, true, fastify.orm.drift)
    connection.whenConnected(() => tellSchema(database, fastify.orm, { log, bootWarnings: fastify.bootWarnings }))
    databases.set(name, database)
    fastify.orm.addConnector(database)
    fastify.healthChecks.add(
      `database ${name}`,
      () => connection.check(),
      () => connection.disconnectedSince
    )
    const { client } = connection
    // If the application registered @fastify/mongodb on its own client, `fastify.mongo` stays that client.
    const named = !isPrimary || fastify.hasDecorator('mongo')
    await fastify.register(fastifyMongodb, { client, database: target.database, ...(named ? { name } : {}) })
    guardHandle(fastify, connection)
  }
  const docdb = new Docdb(databases, config.frameworkEntities)
  fastify.decorate('docdb', docdb)
  if (config.frameworkEntities) {
    await ensureStores(fastify, { clock })
    declareDatabase(fastify, fromEnvironment !== null || given.connectors !== undefined)
    fastify.stores.addDatabase(DRIVER, docdb.connector())
  }
  fastify.addHook('onReady', async () => {
    if (appHost(fastify).checkOnly === true) return
    await Promise.all([...databases.values()].map(({ document }) => document.open()))
    const unconnected = mongoose === undefined ? unconnectedModels() : null
    if (unconnected !== null) warnAtBoot(fastify, unconnected)
  })
  fastify.addHook('onClose', async () => {
    await Promise.all([...databases.values()].map(({ document }) => document.close()))
  })
}

/** `fastify.mongo` of a connector with scoped entities, as other native handles. */
function guardHandle({ mongo }: FastifyInstance, { name, access }: DocumentConnection): void {
  const handle = mongo[name] ?? mongo
  for (const key of ['client', 'db'] as const) {
    const value: unknown = handle[key]
    const get = () => {
      access.check('fastify.mongo')
      return value
    }
    Object.defineProperty(handle, key, { get, enumerable: true })
  }
}

/**
 * Reports differences and pending migrations as warnings: documents of any form can be written, so the boot goes on.
 */
async function tellSchema(
  { name, document, schema }: DocumentDatabase,
  orm: OrmPort,
  report: BootReport
): Promise<void> {
  warnOfDrift(await schema.differences(), report, { connector: name, target: document.target.shown })
  await warnOfPending(orm.migrations, name, report)
}

/** @throws BootError (SVC_DOCDB_URI) if the driver cannot read the address */
function readable(at: string, make: () => DocumentConnection): DocumentConnection {
  try {
    return make()
  } catch (error) {
    if (error instanceof BootError) throw error
    throw new BootError([unreadableAddress(error, at)])
  }
}

/** Tells `auto` about this database. @param hasAddress whether DOCDB_URI or the options name an address */
function declareDatabase({ stores }: FastifyInstance, hasAddress: boolean): void {
  const declared = declaredDatabase()
  if (declared === 'documents') stores.declare(DRIVER, 'environment')
  else if (declared === null && hasAddress) stores.declare(DRIVER)
}

/** The address of the engine that this connector has started; `null` if it uses a server. */
async function embeddedUri(
  fastify: FastifyInstance,
  name: string,
  settings: DocdbConfig['connectors'][string]
): Promise<string | null> {
  const { checkOnly, migrating } = appHost(fastify)
  if (!settings.embedded || (checkOnly && migrating !== true)) return null
  const engine = await startEmbedded(fastify, name, settings)
  fastify.addHook('onClose', () => engine.close())
  return engine.uri
}

const svcDocdb: FastifyPluginAsync<SvcDocdbOptions & { parts?: SvcDocdbParts }> = definePlugin(documents, {
  name: 'svc-docdb',
  optionsSchema,
  after: ['svc-orm', 'svc-stores']
})

export default svcDocdb

// Adds the type of `fastify.mongo` to programs that import this package.
export type { FastifyMongoObject } from '@fastify/mongodb'
export type { Docdb } from './docdb.ts'
export * from './errors.ts'
export type { ConnectorOptions, SvcDocdbOptions, SvcDocdbParts } from './options.ts'
