/** `fastify.docdb`: the connections by name, for what the portable contract has no words for. */
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
   * The native Mongoose connection. Where entities have a scope it sees the rows of all: see `NativeOptions`.
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
   * The database behind the storage port, for a store of the application's own choice, such as one under `parts.stores`.
   *
   * @param setting `native`: with models and indexes, which are made when the connection opens. Without them a listing
   * in an order is refused (SVC_DOCDB_NO_NATIVE_MODEL), as the whole collection would be read. Default: as the option
   * `frameworkEntities`
   * @throws UnknownConnection
   */
  database(name?: string, { native = this.#native }: { readonly native?: boolean } = {}): Database {
    const database = this.connector(name)
    return native ? database : new DocumentDatabase(database.document, false)
  }

  /**
   * The session of a transaction, for statements of Mongoose or of the driver that are to be part of it.
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
