/** What `fastify.sqlorm` offers: the databases themselves, for what repositories do not say. */
import type { Kysely } from 'kysely'
import { UnknownConnector } from 'svc-orm'
import type { LiveConnection } from './connection/live-connection.ts'
import type { SqlConnection } from './connection/sql-connection.ts'

export class Sqlorm {
  readonly #databases: ReadonlyMap<string, LiveConnection>

  constructor(databases: readonly LiveConnection[]) {
    this.#databases = new Map(databases.map((database) => [database.name, database]))
  }

  /**
   * Kysely on a connector: joins, aggregates, whatever SQL can say. Its errors are the engine's own; a statement that
   * begins or ends a transaction by its text is refused on SQLite, use `transaction()`.
   *
   * @param name default: the first connector @throws UnknownConnector
   */
  kysely<Tables = Record<string, Record<string, unknown>>>(name?: string): Kysely<Tables> {
    // Only the compiler knows of tables; at run time Kysely is the same for all.
    return this.#database(name).native as unknown as Kysely<Tables>
  }

  /** The same database with errors translated: what stores and modules of ours use. @throws UnknownConnector */
  connection(name?: string): SqlConnection {
    return this.#database(name)
  }

  #database(name?: string): LiveConnection {
    const [first] = this.#databases.values()
    const found = name === undefined ? first : this.#databases.get(name)
    if (found === undefined) throw new UnknownConnector(name ?? '', [...this.#databases.keys()].join(', '))
    return found
  }
}
