/** One entity on a SQL database, as the portable repository wants it. */
import type { CompiledQuery } from 'kysely'
import {
  type CompiledEntity,
  type Condition,
  type EntityGateway,
  NotNullViolation,
  type ParsedChanges,
  type Selection,
  type StoredRow,
  type Transaction,
  TransactionConflict
} from 'svc-orm'
import { UniqueConflict } from '../engines/unique-conflict.ts'
import { RequiredColumnMissing } from '../errors.ts'
import type { EntityStatements } from './entity-statements.ts'
import type { StatementRunner, StoredRecord } from './statement-runner.ts'
import { uniqueViolation } from './unique-violation.ts'

/** How the entity is stored; known in full once its table was looked at. */
export interface EntityStorage {
  readonly statements: EntityStatements
  readonly read: (stored: StoredRecord) => StoredRow
  /** Required fields that have no column: what touches them is refused. */
  readonly missing: ReadonlySet<string>
}

export interface SqlGatewayParts {
  readonly entity: CompiledEntity
  readonly storage: { readonly current: EntityStorage }
  readonly runner: StatementRunner
  /** @throws ForeignTransaction */
  readonly join: (tx: Transaction) => StatementRunner
}

/** Rows of one `insert`: far below the parameters that an engine takes. */
const BATCH = 100

/** A row that is there for the insert and gone for the read, or the other way round: seldom twice in a row. */
const ATTEMPTS = 10

export class SqlGateway implements EntityGateway {
  readonly #parts: SqlGatewayParts

  constructor(parts: SqlGatewayParts) {
    this.#parts = parts
  }

  get #storage(): EntityStorage {
    return this.#parts.storage.current
  }

  async select(selection: Selection): Promise<StoredRow[]> {
    const { statements, read, missing } = this.#storage
    if (missing.size > 0) this.#refuseMissing([...selection.conditions, ...selection.order])
    const { runner } = this.#parts
    const { rows } = await runner.read(statements.select(selection))
    const found = rows.map(read)
    if (selection.lock === true && runner.hasSnapshot && found.length > 0) {
      // Whoever waited for a lock alone would go on with what it saw before; one that waited for a change runs again.
      const values = found.map(({ id }) => id)
      await runner.write(statements.touch([{ field: 'id', operator: 'in', values, orNull: false }]))
    }
    return found
  }

  async insert(rows: readonly StoredRow[]): Promise<void> {
    this.#refuseIncomplete()
    if (rows.length <= BATCH) await this.#insertBatch(rows, this.#parts.runner)
    else {
      await this.#parts.runner.together(async (runner) => {
        for (let start = 0; start < rows.length; start += BATCH) {
          await this.#insertBatch(rows.slice(start, start + BATCH), runner)
        }
      })
    }
  }

  async insertIfAbsent(row: StoredRow, key: readonly string[]): Promise<StoredRow> {
    this.#refuseIncomplete()
    const { statements, read } = this.#storage
    const conditions = key.map((field): Condition => ({ field, operator: 'eq', value: row[field] as string }))
    const standing: Selection = { conditions, order: [{ field: 'id', direction: 'ASC' }], limit: 1, offset: 0 }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const created = (await this.#write(statements.insertIfAbsent(row, key)))[0]
      if (created !== undefined) return read(created)
      const [found] = await this.select(standing)
      if (found !== undefined) return found
    }
    throw new TransactionConflict()
  }

  async updateOne(conditions: readonly Condition[], changes: ParsedChanges): Promise<StoredRow | null> {
    this.#refuseChange(conditions, changes)
    const [row] = await this.#write(this.#storage.statements.updateOne(conditions, changes))
    return row === undefined ? null : this.#storage.read(row)
  }

  async updateMany(conditions: readonly Condition[], changes: ParsedChanges): Promise<number> {
    this.#refuseChange(conditions, changes)
    return this.#affected(this.#storage.statements.updateMany(conditions, changes))
  }

  async deleteOne(conditions: readonly Condition[]): Promise<StoredRow | null> {
    this.#refuseMissing(conditions)
    const [row] = await this.#write(this.#storage.statements.deleteOne(conditions))
    return row === undefined ? null : this.#storage.read(row)
  }

  async deleteMany(conditions: readonly Condition[]): Promise<number> {
    this.#refuseMissing(conditions)
    return this.#affected(this.#storage.statements.deleteMany(conditions))
  }

  async count(conditions: readonly Condition[]): Promise<number> {
    this.#refuseMissing(conditions)
    const { rows } = await this.#parts.runner.read(this.#storage.statements.count(conditions))
    return Number(rows[0]?.total)
  }

  async exists(conditions: readonly Condition[]): Promise<boolean> {
    this.#refuseMissing(conditions)
    const { rows } = await this.#parts.runner.read(this.#storage.statements.exists(conditions))
    return rows.length > 0
  }

  within(tx: Transaction): EntityGateway {
    return new SqlGateway({ ...this.#parts, runner: this.#parts.join(tx) })
  }

  /**
   * With a snapshot, a row that another transaction inserted meanwhile is not to be seen: PostgreSQL tells it as a
   * conflict where nothing has to be refused, and as a violation where it has. The first is what it is.
   */
  async #insertBatch(rows: readonly StoredRow[], runner: StatementRunner): Promise<void> {
    const { statements } = this.#storage
    const insert = (those: readonly StoredRow[]) => this.#told(runner.write(statements.insert(those)))
    if (!runner.hasSnapshot) {
      await insert(rows)
      return
    }
    const made = new Set((await this.#told(runner.write(statements.insertNew(rows)))).rows.map(({ id }) => id))
    // By itself, so that the index which refuses it is named.
    for (const row of rows) if (!made.has(row.id)) await insert([row])
  }

  async #write(query: CompiledQuery): Promise<readonly StoredRecord[]> {
    return (await this.#told(this.#parts.runner.write(query))).rows
  }

  async #affected(query: CompiledQuery): Promise<number> {
    return Number((await this.#told(this.#parts.runner.write(query))).numAffectedRows ?? 0)
  }

  async #told<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      const { entity } = this.#parts
      if (error instanceof NotNullViolation) throw new NotNullViolation(entity.name, error.field)
      throw error instanceof UniqueConflict ? uniqueViolation(entity, error.constraint) : error
    }
  }

  /** A new row would lose what its entity requires. */
  #refuseIncomplete(): void {
    for (const field of this.#storage.missing) throw new RequiredColumnMissing(`${this.#parts.entity.table}.${field}`)
  }

  #refuseChange(conditions: readonly Condition[], { set, max, min, add }: ParsedChanges): void {
    if (this.#storage.missing.size === 0) return
    const changed = [set, max, min, add].flatMap((part) => [...part.keys()].map((field) => ({ field })))
    this.#refuseMissing([...conditions, ...changed])
  }

  #refuseMissing(named: readonly { readonly field: string }[]): void {
    const { missing } = this.#storage
    if (missing.size === 0) return
    for (const { field } of named)
      if (missing.has(field)) throw new RequiredColumnMissing(`${this.#parts.entity.table}.${field}`)
  }
}
