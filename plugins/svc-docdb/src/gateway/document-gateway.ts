/**
 * Storage of one entity in one collection. Every operation is one command of the
 * server, and so atomic; what fails is told in the words of the portable contract.
 */
import type { ClientSession } from 'mongodb'
import {
  type CompiledEntity,
  type Condition,
  type EntityGateway,
  type ParsedChanges,
  type Selection,
  type StoredRow,
  type Transaction,
  TransactionConflict,
  UniqueViolation
} from 'svc-orm'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { type DocumentTransaction, ownTransaction } from '../transactions/document-transaction.ts'
import type { DocumentAccess, WriteOptions } from './document-access.ts'
import type { DocumentShape } from './document-shape.ts'

const BY_ID = Object.freeze({ sort: Object.freeze({ _id: 1 }) }) as { readonly sort: { readonly _id: 1 } }

const UNSORTED = Object.freeze({})

interface WithSession {
  readonly session?: ClientSession
}

/** Losing this often in a row is no chance: then the caller gets the conflict. */
const ATTEMPTS = 5

/** Outside of a transaction. */
const ALONE: WithSession = Object.freeze({})

export interface GatewayParts {
  readonly connection: DocumentConnection
  readonly shape: DocumentShape
  readonly access: DocumentAccess
}

export class DocumentGateway implements EntityGateway {
  readonly #parts: GatewayParts
  readonly #tx: DocumentTransaction | null

  constructor(parts: GatewayParts, tx: DocumentTransaction | null = null) {
    this.#parts = parts
    this.#tx = tx
  }

  get #entity(): CompiledEntity {
    return this.#parts.shape.entity
  }

  select({ conditions, order, limit, offset, lock = false }: Selection): Promise<StoredRow[]> {
    const { access, shape } = this.#parts
    const filter = shape.toFilter(conditions)
    const options = {
      ...(namesOneRow(conditions) ? {} : { sort: shape.toSort(order) }),
      ...(offset === 0 ? {} : { skip: offset }),
      ...(limit === null || limit === 1 ? {} : { limit })
    }
    return this.#run(async (within) => {
      const one = limit === 1 ? [await access.findOne(filter, { ...options, ...within })] : null
      const found = one?.filter((each) => each !== null) ?? (await access.find(filter, { ...options, ...within }))
      if (lock && within.session !== undefined) await access.lock(found, within.session)
      return found.map((document) => shape.toRow(document))
    })
  }

  insert(rows: readonly StoredRow[]): Promise<void> {
    const { access, shape } = this.#parts
    const write = async (within: WithSession) => {
      const documents = rows.map((row) => shape.toDocument(row))
      const standing = await access.insert(documents, within)
      for (const [index, document] of standing?.entries() ?? []) {
        Object.assign(rows[index] as StoredRow, shape.toRow(document))
      }
    }
    return rows.length === 1 ? this.#runOne(write) : this.#run(write)
  }

  /** Of two that come at once the server refuses one: by then the other's row stands, and is answered. */
  async insertIfAbsent(row: StoredRow, key: readonly string[]): Promise<StoredRow> {
    const { access, shape } = this.#parts
    const filter = shape.toFilter(key.map((field) => ({ field, operator: 'eq', value: keyValue(row[field]) })))
    const update = shape.toInsertion(row, key)
    try {
      const standing = await this.#runOne((within) => access.insertIfAbsent(filter, update, within))
      return standing === null ? row : shape.toRow(standing)
    } catch (error) {
      if (!(error instanceof UniqueViolation) || this.#tx !== null) throw error
      const standing = await this.#run((within) => access.findOne(filter, within))
      if (standing === null) throw error
      return shape.toRow(standing)
    }
  }

  updateOne(conditions: readonly Condition[], changes: ParsedChanges): Promise<StoredRow | null> {
    const { access, shape } = this.#parts
    const filter = shape.toFilter(conditions)
    const update = shape.toUpdate(changes)
    return this.#runOne(async (within) => {
      const updated = await access.updateOne(filter, update, { ...firstOf(conditions), ...within })
      return updated === null ? null : shape.toRow(updated)
    })
  }

  updateMany(conditions: readonly Condition[], changes: ParsedChanges): Promise<number> {
    const { access, shape } = this.#parts
    const filter = shape.toFilter(conditions)
    return this.#run((within) => access.updateMany(filter, shape.toUpdate(changes), within))
  }

  deleteOne(conditions: readonly Condition[]): Promise<StoredRow | null> {
    const { access, shape } = this.#parts
    const filter = shape.toFilter(conditions)
    return this.#runOne(async (within) => {
      const deleted = await access.deleteOne(filter, { ...firstOf(conditions), ...within })
      return deleted === null ? null : shape.toRow(deleted)
    })
  }

  deleteMany(conditions: readonly Condition[]): Promise<number> {
    const { access, shape } = this.#parts
    return this.#run((within) => access.deleteMany(shape.toFilter(conditions), within))
  }

  count(conditions: readonly Condition[]): Promise<number> {
    const { access, shape } = this.#parts
    return this.#run((within) => access.count(shape.toFilter(conditions), within))
  }

  exists(conditions: readonly Condition[]): Promise<boolean> {
    const { access, shape } = this.#parts
    return this.#run((within) => access.exists(shape.toFilter(conditions), within))
  }

  within(tx: Transaction): EntityGateway {
    return new DocumentGateway(this.#parts, ownTransaction(tx, this.#parts.connection.name))
  }

  /**
   * What changes one document at most. Outside of a transaction MongoDB does it again by itself where writers collide;
   * other servers tell their client, and have changed nothing by then.
   */
  async #runOne<T>(operation: (within: WithSession) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#run(operation)
      } catch (error) {
        if (!(error instanceof TransactionConflict) || this.#tx !== null || attempt === ATTEMPTS) throw error
      }
    }
  }

  async #run<T>(operation: (within: WithSession) => Promise<T>): Promise<T> {
    const { connection } = this.#parts
    await connection.opened()
    try {
      return this.#tx === null ? await operation(ALONE) : await this.#tx.run((session) => operation({ session }))
    } catch (error) {
      throw connection.failure(error, this.#entity)
    }
  }
}

/** An order among one row would only cost the server. */
function namesOneRow(conditions: readonly Condition[]): boolean {
  return conditions.some(({ field, operator }) => field === 'id' && operator === 'eq')
}

/** Of several matches the first by id. */
function firstOf(conditions: readonly Condition[]): WriteOptions {
  return namesOneRow(conditions) ? UNSORTED : BY_ID
}

/** The parser of keys lets scalars and dates through. */
function keyValue(value: unknown): string | number | boolean | Date {
  return value as string | number | boolean | Date
}
