/** Writes of many rows, each with its own values: a statement for all rows of one shape, in one transaction. */
import { TransactionConflict } from 'svc-stores'
import { type Change, type Condition, mergeRows, type Table, type Transaction } from 'svc-stores/table'
import type { KeptBounds } from '../criteria/arithmetic.ts'
import { presentRows } from '../criteria/presence.ts'
import type { UniqueKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { RowNotFound, UniqueViolation, VersionConflict } from '../errors.ts'
import { brokenBounds, conditionsOf, refusal } from './bounded-updates.ts'
import { type GivenRow, readEachRow, takenReader } from './each-row.ts'
import { HookedWrites } from './hooked-writes.ts'
import {
  changesOf,
  namedRow,
  readNewRows,
  readUpserts,
  textsOf,
  type UpsertedRow,
  type UpsertedRows
} from './read-upserts.ts'
import { RowProblems } from './refused-rows.ts'
import { inTransaction } from './removal.ts'
import type { RepositoryHost } from './repository-host.ts'
import { endRequestRows } from './request-rows.ts'

/** What is written of a row. */
interface WrittenRow {
  readonly row: AnyRow
  readonly take: readonly string[]
  readonly held?: readonly string[]
  readonly change: Change<AnyRow>
  /** Of an upsert: the version that an existing row must have; a row that is created begins with its own. */
  readonly expected?: number | null
}

interface Writing {
  readonly by: readonly string[]
  readonly guard: readonly Condition[]
  readonly insert: boolean
}

const HELD = ['version']
const VERSION = { field: 'version', operator: 'eq' } as const

export class ManyRows {
  readonly #entity: CompiledEntity
  readonly #host: RepositoryHost
  readonly #table: Table<AnyRow>
  readonly #tx: Transaction | null
  readonly #seesDeleted: boolean

  /** @param tx the transaction of the table; `null` outside of any */
  constructor(
    entity: CompiledEntity,
    host: RepositoryHost,
    table: Table<AnyRow>,
    tx: Transaction | null,
    seesDeleted: boolean
  ) {
    this.#entity = entity
    this.#host = host
    this.#table = table
    this.#tx = tx
    this.#seesDeleted = seesDeleted
  }

  /** @returns the rows afterwards, in the order of the list @throws RowsRefused */
  async updateEach(given: unknown): Promise<AnyRow[]> {
    const entity = this.#entity
    const rows = readEachRow(entity, given, this.#host.database.ids)
    const { beforeUpdate, afterUpdate } = entity.hooks
    const isHooked = beforeUpdate !== undefined || afterUpdate !== undefined
    const written = isHooked ? [] : this.#taken(rows)
    return this.#write(async (table, tx) => {
      const found = isHooked
        ? await this.#hookedEach(rows, table, tx as Transaction)
        : await merged(table, written, { by: ['id'], guard: this.#present, insert: false })
      const byId = new Map(found.map((row) => [row.id, row]))
      if (byId.size < rows.length) await this.#refuseEach(table, rows, byId)
      return rows.map(({ id }) => byId.get(id) as AnyRow)
    })
  }

  /** @returns the rows afterwards, in the order of the list @throws RowsRefused */
  async upsertMany(given: unknown, options: unknown): Promise<AnyRow[]> {
    const entity = this.#entity
    const { beforeCreate, afterCreate, beforeUpdate, afterUpdate } = entity.hooks
    const isHooked = [beforeCreate, afterCreate, beforeUpdate, afterUpdate].some((hook) => hook !== undefined)
    const { ids } = this.#host.database
    const made = isHooked ? null : readNewRows(entity, given, options, ids, this.#host.clock.now())
    const upserts = made ?? readUpserts(entity, given, options, ids)
    if (upserts.rows.length === 0) return []
    const { key } = upserts
    const keeps = made?.keeps ?? []
    return this.#write(async (table, tx) => {
      const guard = [...this.#present, ...conditionsOf(keeps)]
      const found =
        made === null
          ? await this.#hookedUpserts(upserts, table, tx as Transaction)
          : await merged(table, made.rows, { by: key.fields, guard, insert: true })
      const byKey = this.#byText(key, found)
      const refused: number[] = []
      const after = upserts.rows.map(({ text }, index) => {
        const row = byKey.get(text)
        if (row === undefined) refused.push(index)
        return row as AnyRow
      })
      if (refused.length > 0) await this.#refuseUpserts(table, upserts, refused, keeps)
      return after
    })
  }

  #taken(rows: readonly GivenRow[]): readonly WrittenRow[] {
    const problems = new RowProblems(this.#entity)
    const { clock, database } = this.#host
    const read = takenReader(this.#entity, database.ids, clock.now())
    const taken = problems.each(rows, ({ id, changes, expected }): WrittenRow => {
      const { values, take, change } = read(changes)
      if (expected === null) return { row: { id, ...values }, take, change }
      return { row: { id, ...values, version: expected }, take, held: HELD, change }
    })
    problems.assertNone()
    return taken
  }

  /** One by one, as a hook decides what is written of each. */
  async #hookedEach(rows: readonly GivenRow[], table: Table<AnyRow>, tx: Transaction): Promise<AnyRow[]> {
    const among: Condition = { field: 'id', operator: 'in', values: rows.map(({ id }) => id), orNull: false }
    const found = await table.find([among, ...this.#present], { lock: 'update' })
    const byId = new Map(found.map((row) => [row.id, row]))
    const isRead = ({ id, expected }: GivenRow) => expected === null || byId.get(id)?.version === expected
    const isFound = (row: GivenRow) => byId.has(row.id) && isRead(row)
    if (!rows.every(isFound)) return found.filter(({ id }) => rows.some((row) => row.id === id && isFound(row)))
    const hooked = new HookedWrites(this.#entity, this.#host, table, tx)
    const problems = new RowProblems(this.#entity)
    const after: AnyRow[] = []
    for (const [index, { id, changes: given }] of rows.entries()) {
      const { id: _, ...changes } = given
      after.push(await problems.of(index, () => hooked.change(byId.get(id) as AnyRow, changes)))
    }
    return after
  }

  async #hookedUpserts(upserts: UpsertedRows, table: Table<AnyRow>, tx: Transaction): Promise<AnyRow[]> {
    const { key, rows } = upserts
    const entity = this.#entity
    const { ids } = this.#host.database
    const named = rows.map((row) => namedRow(entity, upserts, row, ids))
    const found = await table.find([{ operator: 'any', of: named }], { lock: 'update' })
    const byKey = this.#byText(key, found)
    const isRefused = (row: AnyRow) => !this.#seesDeleted && entity.softDelete && row.deletedAt !== null
    const isOutdated = ({ text, expected }: UpsertedRow) => isOther(byKey.get(text), expected)
    if (found.some(isRefused) || rows.some(isOutdated)) {
      const outdated = new Set(rows.filter(isOutdated).map(({ text }) => byKey.get(text)))
      return found.filter((row) => !isRefused(row) && !outdated.has(row))
    }
    const hooked = new HookedWrites(entity, this.#host, table, tx)
    const problems = new RowProblems(entity)
    const after: AnyRow[] = []
    for (const [index, { text, values }] of rows.entries()) {
      const existing = byKey.get(text)
      const changes = changesOf(entity, upserts, values)
      const write = async () => {
        if (existing === undefined) return hooked.create(values, key)
        return changes === null ? existing : hooked.change(existing, changes)
      }
      after.push(await problems.of(index, write))
    }
    return after
  }

  /** Why rows were not found as they were read. @throws RowsRefused */
  async #refuseEach(
    table: Table<AnyRow>,
    rows: readonly GivenRow[],
    written: ReadonlyMap<string, AnyRow>
  ): Promise<never> {
    const values = rows.filter(({ id }) => !written.has(id)).map(({ id }) => id)
    const found = await table.find([{ field: 'id', operator: 'in', values, orNull: false }, ...this.#present])
    const byId = new Map(found.map((row) => [row.id, row]))
    const problems = new RowProblems(this.#entity)
    for (const [index, { id, expected }] of rows.entries()) {
      if (written.has(id)) continue
      const held = byId.get(id)
      if (held === undefined) problems.add(index, new RowNotFound(this.#entity.name))
      else if (isOther(held, expected)) problems.add(index, new VersionConflict(this.#entity.name))
    }
    problems.assertNone()
    throw new TransactionConflict()
  }

  /** Why existing rows were not changed. @throws RowsRefused */
  async #refuseUpserts(
    table: Table<AnyRow>,
    upserts: UpsertedRows,
    refused: readonly number[],
    keeps: readonly KeptBounds[]
  ): Promise<never> {
    const { key, rows } = upserts
    const problems = new RowProblems(this.#entity)
    for (const index of refused) {
      const row = rows[index] as UpsertedRow
      const where = namedRow(this.#entity, upserts, row, this.#host.database.ids)
      const held = await table.findOne(where)
      // A row that is not to be seen holds the key: one of another scope, or a deleted one.
      const isHidden = held === null || (!this.#seesDeleted && this.#entity.softDelete && held.deletedAt !== null)
      const isOutdated = !isHidden && isOther(held, row.expected)
      const broken = isHidden || isOutdated ? undefined : await brokenBounds(table, where, keeps)
      if (isHidden) problems.add(index, new UniqueViolation(this.#entity.name, key.fields))
      else if (isOutdated) problems.add(index, new VersionConflict(this.#entity.name))
      else if (broken !== undefined) problems.add(index, refusal(broken))
    }
    problems.assertNone()
    throw new TransactionConflict()
  }

  #byText(key: UniqueKey, rows: readonly AnyRow[]): ReadonlyMap<string, AnyRow> {
    const byText = new Map<string, AnyRow>()
    for (const row of rows) for (const text of textsOf(this.#entity, key, row)) byText.set(text, row)
    return byText
  }

  get #present(): readonly Condition[] {
    return this.#seesDeleted ? [] : presentRows(this.#entity)
  }

  /** All rows, or none. */
  #write<T>(work: (table: Table<AnyRow>, tx: Transaction | null) => Promise<T>): Promise<T> {
    endRequestRows()
    return inTransaction(this.#host, this.#entity, this.#tx, (tx) => {
      return work(tx === null ? this.#table : this.#table.within(tx), tx)
    })
  }
}

/** A statement for all rows of which the same is written. */
async function merged(table: Table<AnyRow>, rows: readonly WrittenRow[], writing: Writing): Promise<AnyRow[]> {
  let before: WrittenRow | undefined
  let shape = ''
  const shapes = Map.groupBy(rows, (row) => {
    // Most are of one shape, and share what says so.
    if (before === undefined || !isAlike(row, before)) shape = shapeOf(row)
    before = row
    return shape
  })
  const found: AnyRow[][] = []
  for (const alike of shapes.values()) {
    const { take, held = [], change, expected = null } = alike[0] as WrittenRow
    const given = alike.map(({ row }) => row)
    const guard = expected === null ? writing.guard : [...writing.guard, { ...VERSION, value: expected }]
    found.push(await mergeRows(table, given, { ...writing, guard, take, held, change }))
  }
  return found.length === 1 ? (found[0] as AnyRow[]) : found.flat()
}

function isAlike(a: WrittenRow, b: WrittenRow): boolean {
  return a.take === b.take && a.change === b.change && a.held === b.held && a.expected === b.expected
}

function shapeOf({ take, held, change, expected }: WrittenRow): string {
  return JSON.stringify([take, held, Object.keys(change), expected])
}

/** Whether a row has another version than the one that was read. */
function isOther(row: AnyRow | undefined | null, expected: number | null): boolean {
  return expected !== null && row != null && row.version !== expected
}
