/**
 * The pool of connections to PostgreSQL. `bigint` comes as a number, statements
 * have a limit, and a connection that no longer answers is not used again.
 */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { requestChannels } from 'svc-kernel'
import { optionalPackage, publishStatement } from 'svc-kernel/plugin'
import { statementFacts } from '../statement-facts.ts'

export interface PostgresPoolOptions {
  /** Of the connector, as an option path. */
  readonly at: string
  /** `postgres://user:password@host:port/database?...` */
  readonly url: string
  /** Shown by the server beside its connections. */
  readonly applicationName: string
  readonly poolSize: number
  /** How long a caller waits for a connection, in milliseconds. */
  readonly waitMs: number
  /** Statements of a connection are sent before those before them are answered. */
  readonly pipeline: boolean
  /** How long one statement may take, in milliseconds; `null`: as long as it takes. */
  readonly statementTimeoutMs: number | null
  /** Called with the error of an idle connection that broke off. */
  readonly onError: (error: Error) => void
}

/** What the server says about a timeout comes first; this is for a server that says nothing any more. */
const GRACE_MS = 1000
const BIGINT = 20
/** Each connection keeps its own copy of a prepared statement. */
const PREPARED = 200

export function createPool(options: PostgresPoolOptions): pg.Pool {
  const { Pool, types } = optionalPackage<typeof pg>('pg', import.meta.url, { what: 'PostgreSQL', at: options.at })
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize,
    connectionTimeoutMillis: options.waitMs,
    ...(options.statementTimeoutMs !== null && {
      statement_timeout: options.statementTimeoutMs,
      query_timeout: options.statementTimeoutMs + GRACE_MS
    }),
    ...(options.pipeline && { pipeline: true }),
    keepAlive: true,
    allowExitOnIdle: true,
    types: {
      // The columns of ours hold safe integers only.
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === BIGINT ? Number : types.getTypeParser(type, format === 'binary' ? 'binary' : 'text')
    }
  })
  pool.on('error', options.onError)
  // Without a listener, a connection that breaks off between two statements of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', options.onError))
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

  constructor(client: pg.PoolClient, names: PreparedNames, connector: string) {
    this.#client = client
    this.#names = names
    this.#connector = connector
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: never): R
  query<R>(text: string, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    return requestChannels.statement.hasSubscribers
      ? this.#published<R>(text, parameters)
      : this.#send<R>(text, parameters)
  }

  #published<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const { database: namespace } = this.#client
    const facts = { ...statementFacts(this.#connector, text), system: 'postgresql', ...(namespace && { namespace }) }
    return publishStatement(facts, () => this.#send<R>(text, parameters))
  }

  async #send<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    try {
      const name = this.#names.get(text)
      const values = [...parameters]
      const query = name === undefined ? { text, values } : { name, text, values }
      return (await this.#client.query(query)) as unknown as PostgresQueryResult<R>
    } catch (error) {
      this.#silent = error instanceof Error && error.message.startsWith('Query read timeout')
      throw error
    }
  }

  /** A client whose answer never came would hand it to the next statement's caller. */
  release(destroy = false): void {
    this.#client.release(destroy || this.#silent)
  }
}

/** Statements that the server keeps prepared, by text: those that come again. What comes too late is sent as it is. */
export class PreparedNames {
  readonly #names = new Map<string, string>()

  add(text: string): void {
    if (this.#names.size < PREPARED && !this.#names.has(text)) this.#names.set(text, `svc_${this.#names.size + 1}`)
  }

  get(text: string): string | undefined {
    return this.#names.get(text)
  }
}
