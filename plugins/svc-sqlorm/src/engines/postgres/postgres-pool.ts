/**
 * The pool of connections to PostgreSQL. `bigint` comes as a number, statements
 * have a limit, and a connection that no longer answers is not used again.
 */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { optionalPackage, publishStatement, statementsAreHeard } from 'svc-kernel/plugin'
import { statementFacts } from '../statement-facts.ts'
import type { PoolSettings } from './pool-settings.ts'

export interface PostgresPoolOptions {
  /** Of the connector, as an option path. */
  readonly at: string
  /** `postgres://user:password@host:port/database?...` */
  readonly url: string
  /** Shown by the server beside its connections. */
  readonly applicationName: string
  /** How long a caller waits for a connection, in milliseconds. */
  readonly waitMs: number
  /** Statements of a connection are sent before those before them are answered. */
  readonly pipeline: boolean
  readonly settings: PoolSettings
  /** Called with the error of an idle connection that broke off. */
  readonly onError: (error: Error) => void
}

/** What the server says about a timeout comes first; this is for a server that says nothing any more. */
const GRACE_MS = 1000
const BIGINT = 20
/** Each connection keeps its own copy of a prepared statement. */
const PREPARED = 200

export function createPool(options: PostgresPoolOptions): pg.Pool {
  const { poolSize, poolMin, idleTimeoutMs, maxLifetimeS, keepAlive, limits } = options.settings
  const { statementTimeoutMs, lockTimeoutMs, idleInTransactionTimeoutMs } = limits
  const { Pool, types } = optionalPackage<typeof pg>('pg', import.meta.url, { what: 'PostgreSQL', at: options.at })
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: poolSize,
    min: poolMin,
    connectionTimeoutMillis: options.waitMs,
    idleTimeoutMillis: idleTimeoutMs,
    ...(maxLifetimeS !== null && { maxLifetimeSeconds: maxLifetimeS }),
    ...(statementTimeoutMs !== null && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + GRACE_MS
    }),
    ...(lockTimeoutMs !== null && { lock_timeout: lockTimeoutMs }),
    ...(idleInTransactionTimeoutMs !== null && { idle_in_transaction_session_timeout: idleInTransactionTimeoutMs }),
    ...(options.pipeline && { pipeline: true }),
    keepAlive,
    allowExitOnIdle: true,
    types: {
      // The columns of ours hold safe integers only.
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === BIGINT ? Number : types.getTypeParser(type, format === 'binary' ? 'binary' : 'text')
    }
  })
  pool.on('error', options.onError)
  // Without a listener, a connection that breaks off between two statements of a transaction would end the process.
  pool.on('connect', (client) => {
    let isKnown = false
    client.on('error', (error) => {
      // The server says why it ends a connection; that it ended then comes as another error.
      if (!isKnown) options.onError(error)
      isKnown = true
    })
  })
  return pool
}

/** The pool as Kysely's dialect wants it. @param connector its name, for who watches statements */
export function kyselyPool(pool: pg.Pool, names: PreparedNames, connector: string): PostgresPool {
  const borrowed = new WeakMap<pg.PoolClient, BorrowedClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect()
      const known = borrowed.get(client) ?? new BorrowedClient(client, names, connector)
      borrowed.set(client, known)
      return known
    }
  }
}

class BorrowedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #names: PreparedNames
  readonly #connector: string
  #silent = false
  /** Why the server ended it, between two statements. */
  #ended: Error | null = null

  constructor(client: pg.PoolClient, names: PreparedNames, connector: string) {
    this.#client = client
    client.on('error', (error) => {
      this.#ended ??= error
    })
    this.#names = names
    this.#connector = connector
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: never): R
  query<R>(text: string, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    return statementsAreHeard() ? this.#published<R>(text, parameters) : this.#send<R>(text, parameters)
  }

  #published<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const { database: namespace } = this.#client
    const facts = () => ({
      ...statementFacts(this.#connector, text),
      system: 'postgresql',
      ...(namespace && { namespace })
    })
    return publishStatement(facts, () => this.#send<R>(text, parameters), rowsOf)
  }

  async #send<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    try {
      const name = this.#names.get(text)
      const values = [...parameters]
      const query = name === undefined ? { text, values } : { name, text, values }
      return (await this.#client.query(query)) as unknown as PostgresQueryResult<R>
    } catch (error) {
      this.#silent = error instanceof Error && error.message.startsWith('Query read timeout')
      throw this.#ended ?? error
    }
  }

  /** A client whose answer never came would hand it to the next statement's caller. */
  release(destroy = false): void {
    this.#client.release(destroy || this.#silent)
  }
}

function rowsOf(result: object): number | undefined {
  // Kysely's type has it not; `pg` counts what was changed as well.
  return (result as { readonly rowCount?: number | null }).rowCount ?? undefined
}

/** Statements that the server keeps prepared, by text: those that come again. What comes too late is sent as it is. */
export class PreparedNames {
  readonly #names = new Map<string, string>()
  readonly #most: number

  /** @param enabled `false`: none, as a pooler hands each transaction to another connection */
  constructor(enabled = true) {
    this.#most = enabled ? PREPARED : 0
  }

  add(text: string): void {
    if (this.#names.size < this.#most && !this.#names.has(text)) this.#names.set(text, `svc_${this.#names.size + 1}`)
  }

  get(text: string): string | undefined {
    return this.#names.get(text)
  }
}
