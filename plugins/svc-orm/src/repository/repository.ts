/**
 * The portable repository: the same operations with the same meaning on every
 * driver. Every operation may be refused with the errors of `errors.ts`.
 */

import type { Transaction, TransactionOptions } from 'svc-stores/table'
import type { Amount, Changes, NumberField } from '../criteria/changes.ts'
import type { Criteria, FieldName } from '../criteria/criteria.ts'
import type { CacheOptions, Found, Includable, Loadable, Selectable, ShapedOptions } from '../criteria/find-options.ts'
import type { Aggregates, Grouped, GroupOptions, Measures } from '../criteria/grouping.ts'
import type { AnyRow } from '../entities/row-of.ts'

export interface WalkOptions {
  /** `next` of the page before; absent: the first page. */
  readonly after?: string | undefined
}

export interface KeysetPage<Row> {
  readonly items: Row[]
  /** Where the next page begins; `null` on the last. */
  readonly next: string | null
}

/** @typeParam Key what names one row at most, for `upsert` */
export interface Repository<Row extends { id: string } = AnyRow, New = Partial<Row>, Key = Criteria<Row>> {
  /** All rows that match, in the asked order, else by id. */
  find<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined
  >(
    criteria?: Criteria<Row>,
    options?: ShapedOptions<Row, Select, Relations, Included>
  ): Promise<Found<Row, Select, Relations, Included>[]>
  /** The first row that `find` would answer. */
  findOne<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined
  >(
    criteria: Criteria<Row>,
    options?: Omit<ShapedOptions<Row, Select, Relations, Included>, 'limit'> & CacheOptions
  ): Promise<Found<Row, Select, Relations, Included> | null>
  /**
   * A page of what matches, found by the last row of the page before and not by counting: no row comes twice or is passed
   * over when others come and go. No field of the order may be null.
   */
  page<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined
  >(
    criteria: Criteria<Row>,
    options: Omit<ShapedOptions<Row, Select, Relations, Included>, 'offset' | 'lock'> & WalkOptions
  ): Promise<KeysetPage<Found<Row, Select, Relations, Included>>>
  /**
   * All rows that match, a thousand at a time: the next are read when the ones before were taken. Each row is seen once;
   * of those that are written meanwhile some are. No field of the order may be null.
   */
  stream<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined
  >(
    criteria?: Criteria<Row>,
    options?: Omit<ShapedOptions<Row, Select, Relations, Included>, 'offset' | 'limit'>
  ): AsyncIterableIterator<Found<Row, Select, Relations, Included>>
  /** @throws UniqueViolation, InvalidValue */
  create(values: New): Promise<Row>
  /** Checked whole before anything is written; all or nothing only inside a transaction. Rows come in the given order. */
  createMany(values: readonly New[]): Promise<Row[]>
  /**
   * Finds and updates in one atomic step: of several matches the first by id. The row as it is afterwards.
   *
   * @throws VersionConflict (409) where the changes carry a `version` that the row has no more
   */
  updateOne(criteria: Criteria<Row>, changes: Changes<Row>): Promise<Row | null>
  /**
   * Creates the row unless one matches, in one atomic step, and answers the row that exists then; an existing row is
   * left as it is. `criteria` are plain values of `id`, of a unique field or of the fields of a unique index.
   */
  upsert(criteria: Key, values: Partial<New>): Promise<Row>
  /** Adds to a number in the database; null counts as 0. Of several matches the first by id. @param delta default 1 */
  increment(criteria: Criteria<Row>, field: NumberField<Row>, delta?: Amount): Promise<Row | null>
  /** @returns how many rows matched */
  updateMany(criteria: Criteria<Row>, changes: Changes<Row>): Promise<number>
  /** @returns how many rows are gone */
  delete(criteria: Criteria<Row>): Promise<number>
  /** Deletes the first match by id. */
  deleteOne(criteria: Criteria<Row>): Promise<boolean>
  /** Deletes the first match by id and answers what it was. */
  findOneAndDelete(criteria: Criteria<Row>): Promise<Row | null>
  /** Of an entity with `softDelete`: brings deleted rows back. @returns how many */
  restore(criteria: Criteria<Row>): Promise<number>
  /** Of an entity with `softDelete`: removes deleted rows for good. @returns how many */
  purge(criteria: Criteria<Row>): Promise<number>
  /** The same operations, which see the deleted rows of entities with `softDelete` as well: of this one, and through relations. */
  withDeleted(): Repository<Row, New, Key>
  /**
   * Reads for criteria, orders and selections that callers give: hidden fields are unknown to them, those of related rows
   * included, and no row has any, whatever its type says. @throws UnknownCriteriaField for one that is hidden
   */
  shown(): ShownRows<Row>
  count(criteria?: Criteria<Row>): Promise<number>
  /** What is said of all rows that match: `{ total: { sum: 'price' }, orders: { count: true } }`. */
  aggregate<const M extends Measures<Row>>(criteria: Criteria<Row>, measures: M): Promise<Aggregates<Row, M>>
  /** The rows that match in groups, and what is said of each. */
  groupBy<const By extends readonly FieldName<Row>[], const M extends Measures<Row> = Record<never, never>>(
    criteria: Criteria<Row>,
    options: GroupOptions<By, M>
  ): Promise<Grouped<Row, By, M>[]>
  /** The values that a field holds, each once, ascending; null comes first. */
  distinct<Name extends FieldName<Row>>(field: Name, criteria?: Criteria<Row>): Promise<Row[Name][]>
  exists(criteria: Criteria<Row>): Promise<boolean>
  /** The same operations inside an open transaction of the same connector. */
  withTransaction(tx: Transaction): Repository<Row, New, Key>
  /**
   * Opens a transaction around `work`; it is kept when `work` resolves, undone when it rejects. Where another one came
   * first, `work` runs again.
   */
  withTransaction<T>(
    work: (repository: Repository<Row, New, Key>, tx: Transaction) => Promise<T>,
    options?: TransactionOptions
  ): Promise<T>
}

/** What reads. */
export type ShownRows<Row extends { id: string } = AnyRow> = Pick<
  Repository<Row>,
  'find' | 'findOne' | 'page' | 'stream' | 'count' | 'aggregate' | 'groupBy' | 'distinct' | 'exists'
>
