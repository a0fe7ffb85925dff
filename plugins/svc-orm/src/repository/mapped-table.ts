/**
 * A table whose columns have other names than the fields of its entity, as repositories see it; keys that are integers
 * are text in rows. Conditions reach through relations into other tables, so where one entity of a connector lies over an
 * existing table, the tables of all are seen so.
 */
import {
  type Change,
  type Condition,
  conditionsOf,
  type Group,
  type Grouping,
  type IdForm,
  type Measure,
  type Merge,
  mergeInSteps,
  mergeRows,
  type Order,
  type PutOptions,
  type Rewrite,
  reachedNames,
  rewriteConditions,
  rewriteCounted,
  rewriteOrder,
  rewriteReached,
  type Selection,
  type Step,
  type Table,
  type TablePlan,
  type Transaction,
  type Where
} from 'svc-stores/table'
import type { AnyRow } from '../entities/row-of.ts'
import { ReferenceMissing, UniqueViolation } from '../errors.ts'
import { carriedFields } from './carried-fields.ts'
import { type FieldMapping, type FieldMappings, mappedRewrite } from './field-mapping.ts'

export class MappedTable implements Table<AnyRow> {
  readonly #table: Table<AnyRow>
  readonly #mappings: FieldMappings
  readonly #mapping: FieldMapping
  readonly #rewrite: Rewrite
  readonly #ids: IdForm

  /** @param mapping of the table itself */
  constructor(table: Table<AnyRow>, mapping: FieldMapping, mappings: FieldMappings, ids: IdForm) {
    this.#table = table
    this.#mapping = mapping
    this.#mappings = mappings
    this.#rewrite = mappedRewrite(mapping, mappings, ids)
    this.#ids = ids
  }

  get plan(): TablePlan {
    return this.#table.plan
  }

  insert(rows: readonly AnyRow[]): Promise<void> {
    return this.#written(this.#table.insert(this.#stored(rows)))
  }

  insertNew(rows: readonly AnyRow[]): Promise<number> {
    return this.#table.insertNew(this.#stored(rows))
  }

  async insertIfAbsent(row: AnyRow, columns: readonly string[]): Promise<AnyRow> {
    const standing = this.#table.insertIfAbsent(this.#mapping.into(row), this.#mapping.columns(columns))
    return this.#mapping.out(await this.#written(standing))
  }

  async put(row: AnyRow, { guard, keep, max, change, by }: PutOptions<AnyRow> = {}): Promise<AnyRow | null> {
    const options = {
      ...(change !== undefined && { change: this.#change(change) }),
      ...(by !== undefined && { by: this.#mapping.columns(by) }),
      ...(guard !== undefined && { guard: this.#where(guard) }),
      ...(keep !== undefined && { keep: keep.map(this.#column) }),
      ...(max !== undefined && { max: max.map(this.#column) })
    }
    return this.#shown(await this.#written(this.#table.put(this.#mapping.into(row), options)))
  }

  async merge(rows: readonly AnyRow[], merge: Merge<AnyRow>): Promise<AnyRow[]> {
    const { by, take, change, held = [], guard = [], insert } = merge
    if (this.#mapping.key !== null && by.includes('id')) return mergeInSteps<AnyRow>(this, rows, merge)
    const mapped = {
      by: by.map(this.#column),
      take: take.map(this.#column),
      held: held.map(this.#column),
      guard: this.#where(guard),
      ...(change !== undefined && { change: this.#change(change) }),
      insert
    }
    const merged = await this.#written(mergeRows(this.#table, this.#stored(rows), mapped))
    return this.#rows(merged)
  }

  async find(where: Where<AnyRow>, selection: Selection<AnyRow> = {}): Promise<AnyRow[]> {
    const { order, without, each, counted } = selection
    const rows = await this.#table.find(this.#where(where), {
      ...selection,
      ...(order !== undefined && { order: rewriteOrder(order, this.#rewrite) }),
      ...(without !== undefined && { without: this.#unread(without) }),
      ...(counted !== undefined && { counted: rewriteCounted(counted, this.#rewrite) }),
      ...(each !== undefined && {
        each: {
          ...each,
          column: this.#column(each.column),
          values: each.values.map((value) => this.#mapping.value(each.column, value))
        }
      })
    })
    if (this.#mapping.isSame) {
      const isReached = order?.some(({ by }) => by !== undefined) === true
      return isReached ? rows.map((row) => Object.assign(row, carriedFields(row, order, this.#mappings))) : rows
    }
    return rows.map((row) => ({
      ...this.#mapping.out(row, without),
      ...carriedFields(row, order ?? [], this.#mappings),
      ...(counted !== undefined && { counts: row.counts })
    }))
  }

  /** What an id is made of is read with it. */
  #unread(without: readonly string[]): readonly string[] {
    const { key } = this.#mapping
    const left = key === null ? without : without.filter((name) => name !== 'id' && !key.names.includes(name))
    return left.map(this.#column)
  }

  async findOne(where: Where<AnyRow>): Promise<AnyRow | null> {
    return this.#shown(await this.#table.findOne(this.#where(where)))
  }

  count(where: Where<AnyRow>): Promise<number> {
    return this.#table.count(this.#where(where))
  }

  exists(where: Where<AnyRow>): Promise<boolean> {
    return this.#table.exists(this.#where(where))
  }

  counts<Name extends string>(where: Where<AnyRow>, parts: Readonly<Record<Name, Where<AnyRow>>>) {
    const mapped = Object.entries<Where<AnyRow>>(parts).map(([name, part]) => [name, this.#where(part)])
    return this.#table.counts<Name>(this.#where(where), Object.fromEntries(mapped))
  }

  /** Measures and parts get names that no column has. */
  async group(where: Where<AnyRow>, grouping: Grouping): Promise<Group[]> {
    const { by, parts, reached = {}, measures, having, order, unordered = false, limit } = grouping
    const reaching = reachedNames(reached)
    const computed = [...Object.keys(parts ?? {}), ...Object.keys(reached), ...Object.keys(measures)]
    const names = new Map(computed.map((name, place) => [name, `of ${place}`]))
    const inTable = (name: string) => names.get(name) ?? this.#column(name)
    const column = <Part extends { readonly column: string }>(part: Part) => ({
      ...part,
      column: this.#column(part.column)
    })
    const ofGroups: Rewrite = {
      ...this.#rewrite,
      column: inTable,
      value: (name, value) => {
        const by = Object.hasOwn(reached, name) ? reached[name] : undefined
        if (by !== undefined)
          return this.#mappings.get((by.steps.at(-1) as Step).table)?.value(by.column, value) ?? value
        return names.has(name) ? value : this.#mapping.value(name, value)
      }
    }
    const named = <Part>(given: Readonly<Record<string, Part>>, map: (part: Part) => Part) =>
      Object.fromEntries(Object.entries(given).map(([name, part]) => [inTable(name), map(part)]))
    const groups = await this.#table.group(this.#where(where), {
      by: by.map(inTable),
      ...(parts !== undefined && { parts: named(parts, column) }),
      ...(reaching.length > 0 && {
        reached: named(reached, (value) => rewriteReached(value, this.#rewrite))
      }),
      measures: named(measures, (measure) => this.#measure(measure)),
      ...(having !== undefined && { having: rewriteConditions(having, ofGroups) }),
      ...(order !== undefined && { order: rewriteOrder(order, ofGroups) }),
      ...(unordered && { unordered }),
      ...(limit !== undefined && { limit })
    })
    const integers = new Set(this.#mapping.fields.filter(({ isInteger }) => isInteger).map(({ field }) => field))
    const shown = [...by, ...names.keys()].map((name) => [name, inTable(name)] as const)
    return groups.map((group) => {
      const values = shown.map(([name, column]) => {
        const value = group[column] ?? null
        return [name, value !== null && !names.has(name) && integers.has(name) ? String(value) : value] as const
      })
      const all = Object.fromEntries(values) as AnyRow & Group
      return { ...all, ...carriedFields(all, reaching, this.#mappings) }
    })
  }

  update(where: Where<AnyRow>, change: Change<AnyRow>): Promise<number> {
    return this.#written(this.#table.update(this.#where(where), this.#change(change)))
  }

  async updateOne(where: Where<AnyRow>, change: Change<AnyRow>): Promise<AnyRow | null> {
    return this.#shown(await this.#written(this.#table.updateOne(this.#where(where), this.#change(change))))
  }

  delete(where: Where<AnyRow>, atMost?: number): Promise<number> {
    return this.#table.delete(this.#where(where), atMost)
  }

  async deleteOne(where: Where<AnyRow>): Promise<AnyRow | null> {
    return this.#shown(await this.#table.deleteOne(this.#where(where)))
  }

  async claim(where: Where<AnyRow>, change: Change<AnyRow>, limit: number, order?: Order): Promise<AnyRow[]> {
    const sorted = order === undefined ? undefined : rewriteOrder(order, this.#rewrite)
    const claimed = this.#table.claim(this.#where(where), this.#change(change), limit, sorted)
    return this.#rows(await this.#written(claimed))
  }

  within(tx: Transaction): MappedTable {
    return new MappedTable(this.#table.within(tx), this.#mapping, this.#mappings, this.#ids)
  }

  /** A violation names fields, as its caller has them. @throws UniqueViolation, ReferenceMissing */
  #written<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      if (error instanceof ReferenceMissing) throw new ReferenceMissing(error.entity, this.#mapping.field(error.field))
      if (!(error instanceof UniqueViolation)) throw error
      throw new UniqueViolation(
        error.entity,
        error.fields.map((column) => this.#mapping.field(column))
      )
    })
  }

  readonly #column = (field: string): string => this.#mapping.column(field)

  #stored(rows: readonly AnyRow[]): readonly AnyRow[] {
    return this.#mapping.isSame ? rows : rows.map((row) => this.#mapping.into(row))
  }

  #rows(stored: AnyRow[]): AnyRow[] {
    return this.#mapping.isSame ? stored : stored.map((row) => this.#mapping.out(row))
  }

  #shown(row: AnyRow | null): AnyRow | null {
    return row === null ? null : this.#mapping.out(row)
  }

  #change(change: Change<AnyRow>): Change<AnyRow> {
    if (this.#mapping.isSame) return change
    return Object.fromEntries(
      Object.entries(change).map(([part, values]) => [part, this.#mapping.into(values as AnyRow)])
    ) as Change<AnyRow>
  }

  #measure(measure: Measure): Measure {
    const { where } = measure
    const among = where === undefined ? {} : { where: this.#where(where) }
    return measure.of === 'count'
      ? { ...measure, ...among }
      : { ...measure, ...among, column: this.#column(measure.column) }
  }

  #where(where: Where<AnyRow>): readonly Condition[] {
    return rewriteConditions(conditionsOf(this.plan, where, this.#ids), this.#rewrite)
  }
}
