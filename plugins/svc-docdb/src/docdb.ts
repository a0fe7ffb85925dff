/** `fastify.docdb`: native connections by name, for operations that repositories do not offer. */
import type { ClientSession, Document } from 'mongodb'
import type { Connection, Model } from 'mongoose'
import type { NativeOptions } from 'svc-orm/driver'
import type { Database, Transaction } from 'svc-stores/table'
import { DocumentDatabase } from './document-database.ts'
import { UnknownConnection } from './errors.ts'
import { ownTransaction } from './transactions/document-transaction.ts'

/** `fastify.docdb`: Mongoose connections by name, and the database for `fastify.stores`. */
export class Docdb {
  readonly #databases: ReadonlyMap<string, DocumentDatabase>
  readonly #primary: string

  readonly #native: boolean

  /** @param databases the first is the primary one @param native of `database()` */
  constructor(databases: ReadonlyMap<string, DocumentDatabase>, native: boolean) {
    this.#databases = databases
    this.#native = native
    this.#primary = [...databases.keys()][0] ?? ''
  }

  /**
   * The native Mongoose connection. It sees the rows of all scopes: see `NativeOptions`.
   *
   * @param name default: the primary one @throws UnknownConnection, NativeInScope
   */
  connection(name?: string, options?: NativeOptions): Connection {
    const { document } = this.connector(name)
    document.access.check('the connection', options)
    return document.mongoose
  }

  /** The compiled Mongoose model of an entity; from `onReady` on. @throws UnknownConnection, UnknownModel, NativeInScope */
  model(entity: string, name?: string, options?: NativeOptions): Model<Document> {
    const database = this.connector(name)
    database.document.access.check(`model ${entity}`, options)
    return database.model(entity)
  }

  /**
   * The database as the storage port has it, for a store of your own, such as one under `parts.stores`.
   *
   * @param setting `native: true` makes models, and indexes when the connection opens. Without them, a sorted listing would
   * read the whole collection and is refused (SVC_DOCDB_NO_NATIVE_MODEL). Default: the option `frameworkEntities`
   * @throws UnknownConnection
   */
  database(name?: string, { native = this.#native }: { readonly native?: boolean } = {}): Database {
    const database = this.connector(name)
    return native ? database : new DocumentDatabase(database.document, false)
  }

  /**
   * The session of a transaction: pass it to Mongoose or the driver to make a statement part of the transaction.
   *
   * @throws ForeignTransaction for one of another kind of database, TransactionOver, NativeInScope
   */
  session(tx: Transaction, options?: NativeOptions): ClientSession {
    return ownTransaction(tx, tx.connector).native(options)
  }

  /** For drivers and stores: the database as the storage port has it, across scopes. @throws UnknownConnection */
  connector(name: string = this.#primary): DocumentDatabase {
    const database = this.#databases.get(name)
    if (database === undefined) throw new UnknownConnection(name, [...this.#databases.keys()].join(', '))
    return database
  }
}
