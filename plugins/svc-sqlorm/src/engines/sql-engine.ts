/**
 * What differs from engine to engine, by name. Everything above it builds
 * statements with Kysely and never asks which engine it is on.
 */
import type { Expression, Kysely, RawBuilder } from 'kysely'
import type { IndexMethod, PoolState, TimePart } from 'svc-stores/table'
import type { ExistingSchema } from '../schema/existing-schema.ts'
import type { ColumnType } from '../schema/table-definition.ts'
import type { SqlColumnType } from './column-type.ts'
import type { Failure } from './failure.ts'
import type { SchemaAlteration } from './schema-alteration.ts'
import type { WordSearch } from './word-search.ts'

/** A row as a driver answers it. */
export type StoredRecord = Readonly<Record<string, unknown>>

/** Rows of another table, as conditions name them, of which one may hold in a column what this row holds. */
export interface RelatedRows {
  readonly own: Expression<unknown>
  readonly other: Expression<unknown>
  /** The table, under an alias. */
  readonly rows: Expression<unknown>
  /** What they have to meet; `null` for nothing. */
  readonly meet: Expression<unknown> | null
}

/** What a condition looks for within JSON: `held` is anything but null, `present` anything. */
export type PathKind = 'number' | 'string' | 'boolean' | 'held' | 'present'

/** The first rows of each of some values. */
export interface EachRows {
  readonly columns: Expression<unknown>
  readonly table: Expression<unknown>
  readonly name: string
  /** Columns that name a row. */
  readonly key: readonly string[]
  /** What holds the values. */
  readonly column: string
  /** Bound as `encodeList` says. */
  readonly values: Expression<unknown>
  /** `where`, `order by` and `limit` of the rows of one value. */
  readonly rows: (alias: string, value: Expression<unknown>) => RawBuilder<unknown>
  readonly order: Expression<unknown>
}

/** A part of a moment, and what its text binds. */
export interface TimeText {
  readonly text: RawBuilder<unknown>
  readonly parameters: readonly unknown[]
}

/** What differs between SQLite and PostgreSQL: SQL, values, errors and the order of rows. */
export interface SqlEngine {
  readonly name: 'sqlite' | 'postgres'
  /** As the admin plane shows it. */
  readonly vendor: 'sqlite' | 'postgresql'
  /** Package that talks to the database. */
  readonly driver: 'node:sqlite' | 'pg'

  /** Transactions run side by side, and see of each other what their isolation says; else they run one by one. */
  readonly hasIsolation: boolean

  /** A subquery for each row is planned well: related rows are counted by it. */
  readonly countsInFind: boolean

  /** What fails, and what may be said of it; `null` for anything else, such as a mistake in a statement. */
  failure(error: unknown): Failure | null
  version(db: Kysely<unknown>): Promise<string>
  /** The time of its server, epoch ms. */
  now(db: Kysely<unknown>): Promise<number>
  /** Writes some pages, and leaves nothing behind: fails while the database takes no writes. */
  probeWrite(db: Kysely<unknown>): Promise<unknown>
  /** A column that every table has beside its own, by which a row is found without an index. Absent: there is none. */
  readonly rowNumber?: {
    readonly name: string
    /** The tables that lack it. */
    lacking(db: Kysely<unknown>): Promise<ReadonlySet<string>>
  }
  pool(): PoolState | null
  /** A statement that will come again and again: kept prepared where one plan serves all of its values. */
  prepare(text: string): void

  readonly columnTypes: Readonly<Record<ColumnType, SqlColumnType>>
  /** What precedes `primary key`, and a blank; empty for nothing. */
  readonly keyName: string
  /** What follows the parenthesis of `create table`; empty for nothing. */
  readonly tableEnd: string
  /** A foreign key is said with its column, and never later; else it is added once all tables stand. */
  readonly inlineReferences: boolean
  existingSchema(db: Kysely<unknown>): Promise<ExistingSchema>
  /** Changes to tables that stand: migrations only. */
  readonly alteration: SchemaAlteration
  /** Waits until no other instance changes the schema, for the rest of the transaction. */
  lockSchema(db: Kysely<unknown>): Promise<void>
  /** `order by` and index columns: null sorts lowest. */
  readonly nullsLowest: { readonly asc: string; readonly desc: string }

  /** Null-safe inequality: true where the column holds null. */
  distinct(column: Expression<unknown>, value: Expression<unknown>): RawBuilder<boolean>
  /** Such a row is there. */
  related(rows: RelatedRows): RawBuilder<boolean>
  /** No such row is there; true where this one holds null. */
  unrelated(rows: RelatedRows): RawBuilder<boolean>
  /** The column holds a value that a query of one column answers: a few, which an index finds. */
  answeredBy(column: Expression<unknown>, query: Expression<unknown>): RawBuilder<boolean>
  /** The column holds one of the values, which are bound as `encodeList` says. */
  oneOf(column: Expression<unknown>, type: ColumnType, values: readonly Expression<unknown>[]): RawBuilder<boolean>
  /**
   * The same of a few values that one row has each, in a column of a table: a planner that knows how many there are would
   * rather read thousands of rows than look each one up. Absent: there is no such planner.
   */
  readonly fewOf?: (
    column: Expression<unknown>,
    table: string,
    name: string,
    list: Expression<unknown>
  ) => RawBuilder<boolean>
  /** As few parameters as the engine allows, so that lists of different lengths share a statement. */
  encodeList(type: ColumnType, values: readonly unknown[]): readonly unknown[]
  /**
   * So many rows of parameters as a part of `from`, under this name: their columns are `column1` and so on, of the types of
   * these columns of a table.
   */
  givenRows(table: string, name: string, columns: readonly string[], count: number): RawBuilder<unknown>
  /** The same as what an `insert` takes. */
  newRows(table: string, columns: readonly string[], count: number): RawBuilder<unknown>
  /** @param values of one row after the other @param width how many values a row has */
  encodeRows(values: readonly unknown[], width: number): readonly unknown[]
  /** How many rows of parameters a statement is given, unless they are wide. */
  readonly rowsAtOnce: number
  /** A `select` that looks up each value by itself, so that it reads no more than it answers where an index has the order. */
  firstOfEach(each: EachRows): RawBuilder<unknown>
  /** What JSON has at a path, if it is of this kind, else null: a number, text or boolean as such, for the others any value. */
  atPath(column: Expression<unknown>, kind: PathKind): RawBuilder<unknown>
  encodeAtPath(path: readonly string[], kind: PathKind): readonly unknown[]
  /** A value as `atPath` has it. */
  encodePathValue(value: string | number | boolean): unknown
  /** What JSON has at a path, in parts that sort one after the other: numbers, texts, booleans; of anything else all are null. */
  pathOrder(column: Expression<unknown>): readonly RawBuilder<unknown>[]
  encodePathOrder(path: readonly string[]): readonly unknown[]
  /** The list in a JSON column, of items of this type, shares one with the list that `encodeItems` made. */
  holdsOneOf(column: Expression<unknown>, type: ColumnType, items: Expression<unknown>): RawBuilder<boolean>
  encodeItems(type: ColumnType, values: readonly unknown[]): unknown
  /** The list in a JSON column holds an object with these names and the values that `encodeItem` bound. */
  holdsItem(column: Expression<unknown>, names: readonly string[]): RawBuilder<boolean>
  /** The list without such items; `names` is `null` for items that are no objects. Null stays null. */
  without(column: Expression<unknown>, names: readonly string[] | null): RawBuilder<unknown>
  encodeItem(item: unknown): readonly unknown[]
  /** The part of a moment as text. @param type `text` for days */
  timePart(column: Expression<unknown>, type: ColumnType, part: TimePart): TimeText
  /** A number times the factor that `encodeFactor` bound: an integer exactly, and rounded half away from zero. */
  multiplied(column: Expression<unknown>, type: ColumnType): RawBuilder<unknown>
  /** @param factor decimal text for integers */
  encodeFactor(type: ColumnType, factor: string | number): readonly unknown[]
  /** The list with one more item, which is bound as JSON. */
  appended(column: Expression<unknown>, item: Expression<unknown>): RawBuilder<unknown>
  /** SQL pattern with `%`, `_` and the escape `\`, anchored and case-sensitive, as `encodePattern` made it. */
  like(column: Expression<unknown>, pattern: Expression<unknown>): RawBuilder<boolean>
  encodePattern(pattern: string): string
  /** Text as searches compare it, as `fold` of svc-stores makes it. */
  folded(column: Expression<unknown>): RawBuilder<string>
  /** Of an index of a kind that its schema says it has: what follows the table. Absent: it has none. @throws BootError */
  methodClause?(db: Kysely<unknown>, method: IndexMethod, column: RawBuilder<unknown>): Promise<RawBuilder<unknown>>
  readonly words: WordSearch
  /** A number of rows, bound: what `limit` and `offset` take. */
  readonly rowCount: RawBuilder<unknown>
  /** Ends a `select` whose rows are locked, as one whose row an `update` around it takes: concurrent ones wait, and look again. */
  readonly lockRow: RawBuilder<unknown>
  /** The same for rows that are to stay as they are: several may hold it. */
  readonly lockShared: RawBuilder<unknown>
  /** The same for rows that are to be claimed: those that a concurrent one holds are left out. */
  readonly lockFree: RawBuilder<unknown>
}
