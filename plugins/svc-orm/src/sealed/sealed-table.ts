/**
 * A table as repositories see it, some of whose columns are sealed: rows and changes are sealed on their way in and opened
 * on their way out. Whatever would compare, order, count up or group the boxes is refused.
 */
import {
  type Change,
  type Condition,
  type ConditionValue,
  type CountedRows,
  conditionsOf,
  type Grouping,
  type IdForm,
  type Merge,
  mergeInSteps,
  mergeRows,
  type Order,
  type PutOptions,
  reachedNames,
  rewriteOrder,
  type Selection,
  type Table,
  type TablePlan,
  type Transaction,
  type Where
} from 'svc-stores/table'
import { hashColumn } from '../entities/hash-column.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, InvalidValue, UniqueViolation } from '../errors.ts'
import { sealedQuestion, sealedRewrite } from './sealed-conditions.ts'
import type { SealedEntities, SealedEntity } from './sealed-entities.ts'

const NONE: readonly string[] = []

export class SealedTable implements Table<AnyRow> {
  readonly #table: Table<AnyRow>
  readonly #entities: SealedEntities
  /** `null`: no column of this table is sealed, but conditions reach other ones. */
  readonly #own: SealedEntity | null
  readonly #ids: IdForm
  readonly #hashes: readonly string[]

  constructor(table: Table<AnyRow>, own: SealedEntity | null, entities: SealedEntities, ids: IdForm) {
    this.#table = table
    this.#own = own
    this.#entities = entities
    this.#ids = ids
    this.#hashes = own === null ? NONE : [...own.hashes.values()]
  }

  get plan(): TablePlan {
    return this.#table.plan
  }

  async insert(rows: readonly AnyRow[]): Promise<void> {
    const stored = rows.map((row) => this.#sealed(row))
    for (const row of rows) await this.#refuseFormer(row)
    await this.#written(this.#table.insert(stored))
    // What a driver fills in is shown by the rows that it got.
    for (const [index, row] of rows.entries()) {
      for (const [name, value] of Object.entries(stored[index] as AnyRow)) {
        if (this.#own?.fields.has(name) !== true && !this.#hashes.includes(name)) row[name] = value
      }
    }
  }

  insertNew(rows: readonly AnyRow[]): Promise<number> {
    return this.#written(this.#table.insertNew(rows.map((row) => this.#sealed(row))))
  }

  async insertIfAbsent(row: AnyRow, columns: readonly string[]): Promise<AnyRow> {
    const names = columns.map((name) => this.#own?.hashes.get(name) ?? name)
    const held = await this.#formerHolder(row, columns)
    if (held !== null) return held
    return this.#opened(await this.#written(this.#table.insertIfAbsent(this.#sealed(row), names)))
  }

  async put(row: AnyRow, { guard, change, by, ...options }: PutOptions<AnyRow> = {}): Promise<AnyRow | null> {
    if (change?.set !== undefined) await this.#refuseFormer(change.set as AnyRow)
    const held = change === undefined ? null : await this.#formerHolder(row, by ?? NONE)
    if (held !== null && change !== undefined) {
      const own: Condition = { field: 'id', operator: 'eq', value: held.id }
      return this.updateOne([own, ...conditionsOf(this.plan, guard ?? [], this.#ids)], change)
    }
    const parts = {
      ...options,
      ...(guard !== undefined && { guard: await this.#where(guard) }),
      ...(change !== undefined && { change: this.#change(change) }),
      ...(by !== undefined && { by: by.map((name) => this.#own?.hashes.get(name) ?? name) })
    }
    return this.#openedOr(await this.#written(this.#table.put(this.#sealed(row), parts)))
  }

  /** While a new key takes over, row by row: what the former one sealed is not found by its hash. */
  async merge(rows: readonly AnyRow[], merge: Merge<AnyRow>): Promise<AnyRow[]> {
    const own = this.#own
    const { by, take, change, guard = [] } = merge
    const isUnique = [...by, ...take].some((name) => own?.fields.get(name)?.unique === true)
    if (isUnique && this.#entities.sealing.hasFormerKeys) return mergeInSteps<AnyRow>(this, rows, merge)
    const sealed = {
      ...merge,
      by: by.map((name) => own?.hashes.get(name) ?? name),
      take: [...take, ...take.flatMap((name) => own?.hashes.get(name) ?? [])],
      guard: await this.#where(guard),
      ...(change !== undefined && { change: this.#change(change) })
    }
    const stored = rows.map((row) => this.#sealed(row))
    return (await this.#written(mergeRows(this.#table, stored, sealed))).map((row) => this.#opened(row))
  }

  async find(where: Where<AnyRow>, selection: Selection<AnyRow> = {}): Promise<AnyRow[]> {
    this.#assertOrder(selection.order)
    const { without = NONE, counted } = selection
    const stored = {
      ...selection,
      ...(this.#hashes.length > 0 && { without: [...without, ...this.#hashes] }),
      ...(counted !== undefined && { counted: await this.#counted(counted) })
    }
    return (await this.#table.find(await this.#where(where), stored)).map((row) => this.#opened(row))
  }

  async findOne(where: Where<AnyRow>): Promise<AnyRow | null> {
    return this.#openedOr(await this.#table.findOne(await this.#where(where)))
  }

  async count(where: Where<AnyRow>): Promise<number> {
    return this.#table.count(await this.#where(where))
  }

  async exists(where: Where<AnyRow>): Promise<boolean> {
    return this.#table.exists(await this.#where(where))
  }

  async counts<Name extends string>(where: Where<AnyRow>, parts: Readonly<Record<Name, Where<AnyRow>>>) {
    const read = Object.entries<Where<AnyRow>>(parts).map(
      async ([name, part]) => [name, await this.#where(part)] as const
    )
    return this.#table.counts<Name>(await this.#where(where), Object.fromEntries(await Promise.all(read)) as never)
  }

  async group(where: Where<AnyRow>, grouping: Grouping) {
    const { by, parts = {}, measures } = grouping
    const columns = [...Object.values(parts), ...Object.values(measures)].flatMap((each) =>
      'column' in each ? [each.column] : []
    )
    const named = [...by, ...columns].find((name) => this.#own?.fields.has(name) === true)
    if (named !== undefined) throw new InvalidFindOptions(named, 'a field that is not sealed')
    this.#assertOrder(reachedNames(grouping.reached ?? {}), 'by')
    const measured = Object.entries(measures).map(async ([name, measure]) => {
      const among = measure.where === undefined ? {} : { where: await this.#where(measure.where) }
      return [name, { ...measure, ...among }] as const
    })
    const asked = { ...grouping, measures: Object.fromEntries(await Promise.all(measured)) }
    return this.#table.group(await this.#where(where), asked)
  }

  async update(where: Where<AnyRow>, change: Change<AnyRow>): Promise<number> {
    return this.#written(this.#table.update(await this.#where(where), this.#change(change)))
  }

  async updateOne(where: Where<AnyRow>, change: Change<AnyRow>): Promise<AnyRow | null> {
    if (change.set !== undefined) await this.#refuseFormer(change.set as AnyRow)
    return this.#openedOr(await this.#written(this.#table.updateOne(await this.#where(where), this.#change(change))))
  }

  async delete(where: Where<AnyRow>, atMost?: number): Promise<number> {
    return this.#table.delete(await this.#where(where), atMost)
  }

  async deleteOne(where: Where<AnyRow>): Promise<AnyRow | null> {
    return this.#openedOr(await this.#table.deleteOne(await this.#where(where)))
  }

  async claim(where: Where<AnyRow>, change: Change<AnyRow>, limit: number, order?: Order): Promise<AnyRow[]> {
    this.#assertOrder(order)
    const claimed = this.#table.claim(await this.#where(where), this.#change(change), limit, order)
    return (await this.#written(claimed)).map((row) => this.#opened(row))
  }

  within(tx: Transaction): SealedTable {
    return new SealedTable(this.#table.within(tx), this.#own, this.#entities, this.#ids)
  }

  /** @throws InvalidCriteria, UnsealedRows */
  async #where(where: Where<AnyRow>) {
    const read = conditionsOf(this.plan, where, this.#ids)
    const { conditions, hashes } = sealedQuestion(this.#entities, this.plan, read)
    for (const [entity, field] of hashes) await entity.requireHashes(field)
    return conditions
  }

  #counted(counted: readonly CountedRows[]): Promise<readonly CountedRows[]> {
    const read = counted.map(async ({ name, rows }) => {
      const [sealed] = await this.#where([rows])
      return { name, rows: sealed as CountedRows['rows'] }
    })
    return Promise.all(read)
  }

  #sealed(row: AnyRow): AnyRow {
    if (this.#own === null) return { ...row }
    const stored = { ...row }
    for (const name of this.#own.fields.keys()) if (Object.hasOwn(row, name)) this.#seal(stored, name, row[name])
    return stored
  }

  #seal(into: Record<string, unknown>, name: string, value: unknown): void {
    const field = this.#own?.fields.get(name)
    if (field === undefined) return
    const { sealing } = this.#entities
    const isEmpty = value === null || value === undefined
    into[name] = isEmpty ? value : sealing.seal(field, value)
    const hash = this.#own?.hashes.get(name)
    if (hash !== undefined) into[hash] = isEmpty ? null : sealing.hash(field, value)
  }

  /** The row is the caller's own by contract. */
  #opened(row: AnyRow): AnyRow {
    if (this.#own === null) return row
    for (const [name, field] of this.#own.fields) {
      const stored: unknown = row[name]
      if (typeof stored === 'string') row[name] = this.#entities.sealing.open(field, stored)
    }
    for (const hash of this.#hashes) delete row[hash]
    return row
  }

  /** While a new key takes over, an index has hashes of both, and cannot see that they are of one value. @throws UniqueViolation */
  async #refuseFormer(values: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, field] of this.#own?.fields ?? []) {
      const value = values[name]
      if (!field.unique || value === null || value === undefined) continue
      if ((await this.#formerHolder(values, [name])) !== null) throw new UniqueViolation(this.#own?.name ?? '', [name])
    }
  }

  /** The row that has these values under a former key. */
  async #formerHolder(values: Readonly<Record<string, unknown>>, columns: readonly string[]): Promise<AnyRow | null> {
    const { sealing } = this.#entities
    if (!sealing.hasFormerKeys || !columns.some((name) => this.#own?.hashes.has(name) === true)) return null
    const conditions = columns.map((name): Condition => {
      const field = this.#own?.fields.get(name)
      if (field === undefined) return { field: name, operator: 'eq', value: values[name] as ConditionValue }
      const former = sealing.hashes(field, values[name]).slice(1)
      return { field: hashColumn(name), operator: 'in', values: former, orNull: false }
    })
    return this.#openedOr(await this.#table.findOne(conditions))
  }

  #openedOr(row: AnyRow | null): AnyRow | null {
    return row === null ? null : this.#opened(row)
  }

  #change(change: Change<AnyRow>): Change<AnyRow> {
    const own = this.#own
    if (own === null) return change
    const { set, ...others } = change
    for (const part of Object.values(others)) {
      const named = Object.keys(part ?? {}).find((name) => own.fields.has(name))
      if (named !== undefined) throw new InvalidValue(named, 'a plain value, because the field is sealed')
    }
    if (set === undefined) return change
    const stored: Record<string, unknown> = { ...set }
    for (const [name, value] of Object.entries(set)) if (own.fields.has(name)) this.#seal(stored, name, value)
    return { ...change, set: stored }
  }

  /** Nothing sorts by what is sealed, also in another table. @throws InvalidFindOptions */
  #assertOrder(order: Order = [], at = 'order of'): void {
    for (const key of order) {
      const refusal = () => new InvalidFindOptions(`${at} ${key.field}`, 'a field that is not sealed')
      rewriteOrder([key], sealedRewrite(this.#entities, this.plan, refusal))
    }
  }

  /** A violation names fields, as its caller has them. @throws UniqueViolation */
  #written<T>(work: Promise<T>): Promise<T> {
    const own = this.#own
    if (own === null || own.hashes.size === 0) return work
    return work.catch((error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error
      const fieldOf = (column: string) => [...own.hashes].find(([, hash]) => hash === column)?.[0] ?? column
      throw new UniqueViolation(error.entity, error.fields.map(fieldOf))
    })
  }
}
