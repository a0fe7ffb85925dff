/** A document database of the storage port: tables by their plans, each with its native model, transactions and health. */
import { isDeepStrictEqual } from 'node:util'
import type { Document, IndexDescription } from 'mongodb'
import type { Model, Schema } from 'mongoose'
import type { ConnectionFacts, ConnectionHealth, Database, Table, TablePlan, Transaction } from 'svc-stores/table'
import type { DocumentConnection } from './connection/document-connection.ts'
import { collectionIndexes } from './schema/collection-indexes.ts'
import { planSchema } from './schema/native-schema.ts'
import { type DocumentAccess, DriverAccess } from './table/document-access.ts'
import { DocumentColumns } from './table/document-columns.ts'
import { DocumentTable } from './table/document-table.ts'
import { objectIds } from './table/object-ids.ts'
import { runTransaction } from './transactions/document-transaction.ts'
import { OperationRunner } from './transactions/operation-runner.ts'

/** How applications see the documents of a table, and the server keeps them. */
export interface NativeView {
  readonly model: string
  readonly schema: Schema
  readonly indexes: readonly IndexDescription[]
  /** Absent: the driver's own. */
  readonly access?: (model: Model<Document>) => DocumentAccess
}

export class DocumentDatabase implements Database {
  readonly name: string
  readonly vendor = 'mongodb'
  readonly savepoints = false
  /** Transactions have a snapshot; what they only read, others may change. */
  readonly isolations = ['read committed', 'repeatable read'] as const
  readonly ids = objectIds
  readonly document: DocumentConnection
  readonly #native: boolean
  readonly #tables = new Map<string, Table<object>>()

  /** @param native `false`: without models and indexes, and so without listings in an order */
  constructor(connection: DocumentConnection, native = true) {
    this.name = connection.name
    this.document = connection
    this.#native = native
  }

  get connection(): ConnectionFacts {
    const { target, facts } = this.document
    return { driver: 'mongoose', target: target.shown, version: facts?.version ?? null }
  }

  get connected(): boolean {
    return this.document.connected
  }

  get closing(): boolean {
    return this.document.closing
  }

  /** @throws TypeError once the connection opens, or where another plan has the name */
  table<Row extends object>(plan: TablePlan): Table<Row> {
    const known = this.#tables.get(plan.name)
    if (known === undefined) return this.declare(plan, this.#native ? viewOf(plan) : null)
    if (!isDeepStrictEqual(known.plan, plan)) throw new TypeError(`table ${plan.name} is declared twice`)
    return known as Table<Row>
  }

  /** @param view `null`: no model, no indexes */
  declare<Row extends object>(plan: TablePlan, view: NativeView | null): Table<Row> {
    const { mongoose: native, collections, db, started } = this.document
    let access: DocumentAccess = new DriverAccess(db.collection(this.storedAs(plan)))
    if (view !== null) {
      if (started) throw new TypeError(`table ${plan.name} is declared after connection ${this.name} opened`)
      const model = native.models[view.model] ?? native.model<Document>(view.model, view.schema)
      collections.add(model.collection.collectionName, view.indexes, view.model)
      if (view.access !== undefined) access = view.access(model)
    }
    const columns = new DocumentColumns(plan)
    const runner = new OperationRunner(this.document, plan)
    const table = new DocumentTable<Row>({ runner, columns, access, indexed: view !== null })
    this.#tables.set(plan.name, table as unknown as Table<object>)
    return table
  }

  storedAs({ collection, name }: TablePlan): string {
    return collection ?? name
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runTransaction(this.document, work)
  }

  health(): Promise<ConnectionHealth> {
    return this.document.health()
  }

  /** Drops the collections of entities and stores, and makes their indexes anew. */
  async reset(): Promise<readonly string[]> {
    await this.document.opened()
    return this.document.collections.reset(this.document.db)
  }
}

function viewOf(plan: TablePlan): NativeView {
  return { model: plan.collection ?? plan.name, schema: planSchema(plan), indexes: collectionIndexes(plan) }
}
