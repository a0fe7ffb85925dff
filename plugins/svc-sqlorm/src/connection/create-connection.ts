/** Makes the connection of one connector from its options, without opening it. */
import type { FastifyBaseLogger } from 'fastify'
import { type CompiledQuery, PostgresDialect } from 'kysely'
import { BootError, type Clock, type Problem } from 'svc-kernel'
import type { DriftPolicy } from 'svc-orm/driver'
import { maskTarget } from 'svc-stores/table'
import { NO_LIMITS, poolSettings } from '../engines/postgres/pool-settings.ts'
import { postgresEngine } from '../engines/postgres/postgres-engine.ts'
import { createPool, kyselyPool, PreparedNames } from '../engines/postgres/postgres-pool.ts'
import type { StoredRecord } from '../engines/sql-engine.ts'
import { SqliteDialect } from '../engines/sqlite/sqlite-dialect.ts'
import { sqliteEngine } from '../engines/sqlite/sqlite-engine.ts'
import type { ConnectorOptions } from '../options.ts'
import { createReplicas } from './create-replicas.ts'
import { LiveConnection } from './live-connection.ts'
import type { ReplicaSet } from './replica-set.ts'

type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string; readonly target: string }
  | { readonly engine: 'postgres'; readonly url: string }

const URL_FORMS = 'sqlite:<path>, sqlite::memory: or postgres://user:password@host:5432/database'

export interface CreateConnectionParts {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly bootWarnings: Problem[]
  readonly debug: boolean
  readonly drift: DriftPolicy
  /** Of the application, shown by the server beside its connections. */
  readonly application: string
  /** Absolute path of a file that the application keeps. */
  readonly dataPath: (path: string) => string
}

export interface CreatedConnection {
  readonly connection: LiveConnection
  /** Without credentials. */
  readonly target: string
  /** `null`: none. */
  readonly replicas: ReplicaSet | null
}

const DEFAULT_WAIT_MS = 5000
const DEFAULT_TRANSACTION_TIMEOUT_MS = 60_000
/** One holds the lock, the other runs statements beside it. */
const MIGRATION_POOL_SIZE = 2
const POSTGRES_ONLY = [
  'poolSize',
  'poolMin',
  'idleTimeoutMs',
  'maxLifetimeS',
  'statementTimeoutMs',
  'lockTimeoutMs',
  'idleInTransactionTimeoutMs',
  'keepAlive',
  'applicationName',
  'prepare',
  'replicas',
  'maxLagMs',
  'rowSecurity'
] as const
const SQLITE_ONLY = ['synchronous'] as const

/** @throws BootError for a URL of another kind, and for options of the other engine */
export function createConnection(
  name: string,
  options: ConnectorOptions,
  parts: CreateConnectionParts
): CreatedConnection {
  const { clock, log, bootWarnings, debug, drift, application, dataPath } = parts
  const at = `svc-sqlorm.connectors.${name}`
  const address = parseDatabaseUrl(options.url, dataPath)
  if (address === null) {
    const message = 'the URL names no database that svc-sqlorm knows'
    throw new BootError([
      { code: 'SVC_SQLORM_URL', message, at: `${at}.url`, expected: URL_FORMS, fix: "url: 'sqlite:data/app.db'" }
    ])
  }
  const foreign = address.engine === 'sqlite' ? POSTGRES_ONLY : SQLITE_ONLY
  const inert = foreign.filter((key) => options[key] !== undefined)
  if (inert.length > 0) throw new BootError(inert.map((key) => inertProblem(`${at}.${key}`, address.engine)))

  const { waitMs = DEFAULT_WAIT_MS, transactionTimeoutMs = DEFAULT_TRANSACTION_TIMEOUT_MS } = options
  const { rowSecurity = false } = options
  const shared = { name, clock, log, bootWarnings, debug, drift, transactionTimeoutMs, rowSecurity }
  if (address.engine === 'sqlite') {
    const { path, target } = address
    const dialect = new SqliteDialect({
      connector: name,
      path,
      synchronous: options.synchronous ?? 'full',
      waitMs,
      clock
    })
    // Kysely logs what it runs.
    const past = debug ? {} : { execute: (query: CompiledQuery) => dialect.execute<StoredRecord>(query) }
    return {
      connection: new LiveConnection({ ...shared, target, engine: sqliteEngine, dialect, ...past }),
      target,
      replicas: null
    }
  }
  const target = maskTarget(address.url)
  const settings = poolSettings(options, at)
  const reach = {
    at: `${at}.url`,
    url: address.url,
    applicationName: options.applicationName ?? application,
    waitMs,
    pipeline: rowSecurity,
    onError: (error: Error) => connection.noticed(error)
  }
  const pool = createPool({ ...reach, settings })
  const names = new PreparedNames(options.prepare)
  const dialect = new PostgresDialect({ pool: kyselyPool(pool, names, name) })
  const migrating = () => {
    const own = createPool({
      ...reach,
      settings: { ...settings, poolSize: MIGRATION_POOL_SIZE, poolMin: 0, limits: NO_LIMITS }
    })
    return new PostgresDialect({ pool: kyselyPool(own, new PreparedNames(false), name) })
  }
  const engine = postgresEngine(pool, names)
  const replicas = createReplicas(options, { name, at, names, reach, settings, clock, log })
  const connection = new LiveConnection({ ...shared, target, engine, dialect, migrating })
  return { connection, target, replicas }
}

function inertProblem(at: string, engine: string): Problem {
  const message = `the option has no effect on ${engine}`
  return { code: 'SVC_SQLORM_OPTION', message, at, fix: 'remove it' }
}

/** Which engine, and where. @param dataPath where a file of SQLite lies @returns `null` when the URL is none of `URL_FORMS` */
export function parseDatabaseUrl(url: string, dataPath: (path: string) => string): DatabaseAddress | null {
  if (url.includes('\0')) return null
  const file = /^sqlite:(?:\/\/(?=\/|\.))?(.+)$/.exec(url)?.[1]
  if (file === ':memory:') return { engine: 'sqlite', path: file, target: url }
  if (file !== undefined) return { engine: 'sqlite', path: dataPath(file), target: `sqlite:${file}` }
  if (!/^postgres(?:ql)?:\/\/./.test(url) || !URL.canParse(url)) return null
  return { engine: 'postgres', url }
}
