/**
 * A repository: the same operations with the same meaning on every driver. Every operation may throw the errors in
 * `errors.ts`.
 */

import type { Transaction, TransactionOptions } from 'svc-stores/table'
import type { Amount } from '../criteria/arithmetic.ts'
import type { Changes, EachRow, NumberField, UpsertManyOptions, UpsertOptions, VersionOf } from '../criteria/changes.ts'
import type { Criteria, FieldName } from '../criteria/criteria.ts'
import type {
  CacheOptions,
  Countable,
  Found,
  Includable,
  Loadable,
  Selectable,
  ShapedOptions,
  Totalled
} from '../criteria/find-options.ts'
import type { Grouped, GroupKey, GroupOptions } from '../criteria/grouping.ts'
import type { Aggregates, Measures } from '../criteria/measures.ts'
import type { AnyRow } from '../entities/row-of.ts'
import type { FoundInTree, ShapedTreeOptions } from '../trees/tree-options.ts'

/** How `deleteOwned` divides what it deletes. */
export interface DeleteOwnedOptions {
  /** How many rows one transaction deletes at most, 1 to 10000. Default 1000. */
  readonly batchSize?: number
}

/** Where a walk continues. */
export interface WalkOptions {
  /** `next` of the previous page; absent for the first page. */
  readonly after?: string | undefined
}

/** One page of a walk, which neither repeats nor skips rows when others are written meanwhile. */
export interface KeysetPage<Row> {
  readonly items: Row[]
  /** The cursor of the next page; `null` on the last. */
  readonly next: string | null
}

/** @typeParam Key the criteria that identify at most one row, for `upsert` */
export interface Repository<Row extends { id: string } = AnyRow, New = Partial<Row>, Key = Criteria<Row>> {
  /** All matching rows, in the given order, else by id. */
  find<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined,
    const Counted extends Countable<Row> = undefined,
    const Running extends Totalled<Row> = undefined
  >(
    criteria?: Criteria<Row>,
    options?: ShapedOptions<Row, Select, Relations, Included, Counted, Running>
  ): Promise<Found<Row, Select, Relations, Included, Counted, Running>[]>
  /** The first row of `find`. */
  findOne<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined,
    const Counted extends Countable<Row> = undefined,
    const Running extends Totalled<Row> = undefined
  >(
    criteria: Criteria<Row>,
    options?: Omit<ShapedOptions<Row, Select, Relations, Included, Counted, Running>, 'limit'> & CacheOptions
  ): Promise<Found<Row, Select, Relations, Included, Counted, Running> | null>
  /**
   * A page of matching rows. The cursor names the last row of the previous page, so no row is repeated or skipped if
   * others are added or removed. No field of the order may be null.
   */
  page<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined,
    const Counted extends Countable<Row> = undefined,
    const Running extends Totalled<Row> = undefined
  >(
    criteria: Criteria<Row>,
    options: Omit<ShapedOptions<Row, Select, Relations, Included, Counted, Running>, 'offset' | 'lock'> & WalkOptions
  ): Promise<KeysetPage<Found<Row, Select, Relations, Included, Counted, Running>>>
  /**
   * All matching rows, read a thousand at a time on demand. Each row comes once; rows written meanwhile may be
   * missing. No field of the order may be null.
   */
  stream<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined,
    const Counted extends Countable<Row> = undefined,
    const Running extends Totalled<Row> = undefined
  >(
    criteria?: Criteria<Row>,
    options?: Omit<ShapedOptions<Row, Select, Relations, Included, Counted, Running>, 'offset' | 'limit'>
  ): AsyncIterableIterator<Found<Row, Select, Relations, Included, Counted, Running>>
  /**
   * Of an entity with `tree`: the rows below a row, parents before children, and those of one level in the given order, else
   * by id. Deleted rows are not crossed. @throws TreeTooLarge for more than 10,000 rows
   */
  descendants<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined,
    const Counted extends Countable<Row> = undefined,
    const Depth extends string = never
  >(
    id: string,
    options?: ShapedTreeOptions<Row, Select, Relations, Included, Counted, Depth>
  ): Promise<FoundInTree<Row, Select, Relations, Included, Counted, Depth>[]>
  /** Of an entity with `tree`: the rows above a row, from the root to its parent. */
  ancestors<
    const Select extends Selectable<Row> = undefined,
    const Relations extends Loadable<Row> = undefined,
    const Included extends Includable<Row> = undefined,
    const Counted extends Countable<Row> = undefined,
    const Depth extends string = never
  >(
    id: string,
    options?: Omit<ShapedTreeOptions<Row, Select, Relations, Included, Counted, Depth>, 'order'>
  ): Promise<FoundInTree<Row, Select, Relations, Included, Counted, Depth>[]>
  /** @throws UniqueViolation, InvalidValue */
  create(values: New): Promise<Row>
  /**
   * All values are checked before anything is written; all or nothing only inside a transaction. Rows come in the
   * given order.
   */
  createMany(values: readonly New[]): Promise<Row[]>
  /**
   * Finds and updates a row in one atomic step; of several matches, the first by id. @returns the row afterwards
   *
   * @throws VersionConflict (409) if the changes contain an outdated `version`
   */
  updateOne(criteria: Criteria<Row>, changes: Changes<Row>): Promise<Row | null>
  /**
   * Creates the row unless one matches, in one atomic step, and returns the row in the table; an existing row stays
   * unchanged, or takes the changes of `update`. `criteria` are plain values of `id`, of a unique field or of the fields of
   * a unique index. @returns the row afterwards
   *
   * @throws VersionConflict (409) if the values or changes that an existing row takes contain an outdated `version`
   */
  upsert(criteria: Key, values: Partial<New> & VersionOf<Row>, options?: UpsertOptions<Row>): Promise<Row>
  /**
   * Changes each row of the list to its own values: `[{ id, price: '9.90' }]`, in one statement for rows with the same
   * fields. All rows change, or none. Operators such as `$add` are for `updateOne` and `updateMany`.
   *
   * @returns the rows afterwards, in the order of the list
   * @throws RowsRefused with the problem of each row that is missing (404), invalid (400) or names an outdated `version` (409)
   */
  updateEach(rows: readonly EachRow<Row>[]): Promise<Row[]>
  /**
   * Creates each row of the list unless a row with its unique key exists, in one statement for rows with the same fields.
   * An existing row stays unchanged, or with `update` takes the values of its row or the changes. Writes all rows or none;
   * refuses two rows of the list with the same key.
   *
   * @returns the rows afterwards, in the order of the list
   * @throws RowsRefused with the problem of each row that is invalid (400), names an outdated `version` or has the key of a
   *   deleted row (409)
   */
  upsertMany(rows: readonly (New & VersionOf<Row>)[], options: UpsertManyOptions<Row>): Promise<Row[]>
  /** Short for `updateOne(criteria, { [field]: { $add: delta } })`. @param delta default 1 */
  increment(criteria: Criteria<Row>, field: NumberField<Row>, delta?: Amount): Promise<Row | null>
  /**
   * All rows change, or none: computed values that would leave the bounds of their field are refused. Such an update runs
   * in a transaction. @returns how many rows matched
   */
  updateMany(criteria: Criteria<Row>, changes: Changes<Row>): Promise<number>
  /** @returns how many rows were deleted */
  delete(criteria: Criteria<Row>): Promise<number>
  /** Deletes the first match by id. */
  deleteOne(criteria: Criteria<Row>): Promise<boolean>
  /** Deletes the first match by id. @returns the deleted row */
  findOneAndDelete(criteria: Criteria<Row>): Promise<Row | null>
  /**
   * Deletes matching rows with all rows that cascade from them, on every level. At most `batchSize` rows (default 1000)
   * are deleted in one transaction. With more rows, each batch commits by itself: after an interruption, call it again.
   *
   * @returns how many rows of which entity: `{ Order: 1, OrderLine: 12 }` @throws ReferencedRow
   */
  deleteOwned(criteria: Criteria<Row>, options?: DeleteOwnedOptions): Promise<Readonly<Record<string, number>>>
  /** For an entity with `softDelete`: restores deleted rows. @returns how many */
  restore(criteria: Criteria<Row>): Promise<number>
  /** For an entity with `softDelete`: removes deleted rows permanently. @returns how many */
  purge(criteria: Criteria<Row>): Promise<number>
  /**
   * The same operations, with reads that no replica answers: for what must see the last write of anybody. Without
   * replicas, and after a write of the same request, every read does.
   */
  primary(): Repository<Row, New, Key>
  /** The same operations including deleted rows, of this entity and through relations. */
  withDeleted(): Repository<Row, New, Key>
  /**
   * Reads with criteria, orders and selections from callers: hidden fields are unknown, also those of related rows,
   * and rows do not contain them, whatever their type says. @throws UnknownCriteriaField for a hidden field
   */
  shown(): ShownRows<Row>
  count(criteria?: Criteria<Row>): Promise<number>
  /** Measures of all matching rows: `{ total: { sum: 'price' }, orders: { count: true } }`. */
  aggregate<const M extends Measures<Row>>(criteria: Criteria<Row>, measures: M): Promise<Aggregates<Row, M>>
  /** Groups matching rows by fields and parts of dates, and measures each group. */
  groupBy<const By extends readonly GroupKey<Row>[], const M extends Measures<Row> = Record<never, never>>(
    criteria: Criteria<Row>,
    options: GroupOptions<By, M, Row>
  ): Promise<Grouped<Row, By, M>[]>
  /** The distinct values of a field, ascending; null comes first. */
  distinct<Name extends FieldName<Row>>(field: Name, criteria?: Criteria<Row>): Promise<Row[Name][]>
  exists(criteria: Criteria<Row>): Promise<boolean>
  /** The same operations inside an open transaction of the same connector. */
  withTransaction(tx: Transaction): Repository<Row, New, Key>
  /**
   * Runs `work` in a transaction: commits if `work` resolves, rolls back if it rejects. After a conflict, `work` runs
   * again.
   */
  withTransaction<T>(
    work: (repository: Repository<Row, New, Key>, tx: Transaction) => Promise<T>,
    options?: TransactionOptions
  ): Promise<T>
}

/** The reading operations. */
export type ShownRows<Row extends { id: string } = AnyRow> = Pick<
  Repository<Row>,
  | 'find'
  | 'findOne'
  | 'page'
  | 'stream'
  | 'descendants'
  | 'ancestors'
  | 'count'
  | 'aggregate'
  | 'groupBy'
  | 'distinct'
  | 'exists'
>
