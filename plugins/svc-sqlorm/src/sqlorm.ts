/** `fastify.sqlorm`: Kysely and connections by name. */
import type { Kysely, KyselyPlugin } from 'kysely'
import type { NativeOptions } from 'svc-orm/driver'
import { UnknownConnector } from 'svc-orm/errors'
import { ForeignTransaction } from 'svc-stores'
import type { Transaction } from 'svc-stores/table'
import type { LiveConnection } from './connection/live-connection.ts'
import type { SqlConnection } from './connection/sql-connection.ts'
import { SqlTransaction } from './transactions/sql-transaction.ts'

/** `fastify.sqlorm`: the databases by name, for statements that repositories do not offer. */
export class Sqlorm {
  readonly #databases: ReadonlyMap<string, LiveConnection>
  /** Of connectors with replicas: reads of repositories see what was written here. */
  readonly #noted = new Map<string, Kysely<unknown>>()

  /** @param wroteOf what is called before a write on a connector; `null` for nothing */
  constructor(databases: readonly LiveConnection[], wroteOf: (connector: string) => (() => void) | null) {
    this.#databases = new Map(databases.map((database) => [database.name, database]))
    for (const { name, native } of databases) {
      const wrote = wroteOf(name)
      if (wrote !== null) this.#noted.set(name, native.withPlugin(noting(wrote)))
    }
  }

  /**
   * Kysely on a connector: any SQL. Errors are those of the engine. On SQLite, a statement that begins or ends a transaction
   * by its text is refused: use `transaction()`.
   *
   * @param of a connector, or a transaction that the statements become part of. Default: the first connector
   * @param options for entities with a scope, as the statements see the rows of all scopes
   * @throws UnknownConnector, ForeignTransaction for one of another kind of database, TransactionOver, NativeInScope
   */
  kysely<Tables = Record<string, Record<string, unknown>>>(
    of?: string | Transaction,
    options?: NativeOptions
  ): Kysely<Tables> {
    // Only the compiler knows of tables; at run time Kysely is the same for all.
    const kysely =
      typeof of === 'object' ? this.#joined(of).native(options) : this.#outside(this.#open('kysely', of, options))
    return kysely as unknown as Kysely<Tables>
  }

  /** The same database with the errors of svc-orm, for stores and modules. @throws UnknownConnector, NativeInScope */
  connection(name?: string, options?: NativeOptions): SqlConnection {
    return this.#open('the connection', name, options)
  }

  #open(handle: string, name: string | undefined, options: NativeOptions | undefined): LiveConnection {
    const database = this.#database(name)
    database.access.check(handle, options)
    return database
  }

  #outside({ name, native }: LiveConnection): Kysely<unknown> {
    return this.#noted.get(name) ?? native
  }

  /** One that no database of ours has opened may still have a name of ours. */
  #joined(tx: Transaction): SqlTransaction {
    const database = this.#databases.get(tx.connector)
    if (database === undefined) throw new ForeignTransaction(tx.connector, [...this.#databases.keys()].join(', '))
    return SqlTransaction.of(tx, database)
  }

  #database(name?: string): LiveConnection {
    const [first] = this.#databases.values()
    const found = name === undefined ? first : this.#databases.get(name)
    if (found === undefined) throw new UnknownConnector(name ?? '', [...this.#databases.keys()].join(', '))
    return found
  }
}

/** What is no plain `select` may write. */
function noting(wrote: () => void): KyselyPlugin {
  return {
    transformQuery({ node }) {
      if (node.kind !== 'SelectQueryNode' || node.with !== undefined) wrote()
      return node
    },
    transformResult: async ({ result }) => result
  }
}
