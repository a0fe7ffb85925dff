/** `fastify.docdb`: the connections by name, for what the portable contract has no words for. */
import type { Document } from 'mongodb'
import type { Connection, Model } from 'mongoose'
import type { DocumentConnector } from './connection/document-connector.ts'
import { UnknownConnection } from './errors.ts'

export class Docdb {
  readonly #connectors: ReadonlyMap<string, DocumentConnector>
  readonly #primary: string

  /** @param connectors the first is the primary one */
  constructor(connectors: ReadonlyMap<string, DocumentConnector>) {
    this.#connectors = connectors
    this.#primary = [...connectors.keys()][0] ?? ''
  }

  /** The native Mongoose connection. @param name default: the primary one @throws UnknownConnection */
  connection(name?: string): Connection {
    return this.connector(name).document.mongoose
  }

  /** The compiled Mongoose model of an entity; from `onReady` on. @throws UnknownConnection, UnknownModel */
  model(entity: string, name?: string): Model<Document> {
    return this.connector(name).model(entity)
  }

  /** @throws UnknownConnection */
  connector(name: string = this.#primary): DocumentConnector {
    const connector = this.#connectors.get(name)
    if (connector === undefined) throw new UnknownConnection(name, [...this.#connectors.keys()].join(', '))
    return connector
  }
}
