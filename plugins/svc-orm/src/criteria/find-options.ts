/** Options of `find` as an application writes them, and the rows that they make of a row. */
import type { RowLock } from 'svc-stores/table'
import type { ExactNumber, IsExact } from '../fields/exact-number.ts'
import type { NumberField } from './changes.ts'
import type { Criteria, FieldName, JsonName, ManyName, RelatedOf, RelationName } from './criteria.ts'

/** Ascending or descending; null is the lowest value. */
export type Direction = 'ASC' | 'DESC'

/**
 * A key that rows are sorted by: a field; `customer.name`, a field of a related row; `lines.$count`, the number of related
 * rows; `attributes.watts`, a path within JSON; `$rank` with `$search`, which is greater for rows that match better.
 */
export type SortName<Row> = string extends keyof Row
  ? string
  : FieldName<Row> | ReachedName<Row> | `${ManyName<Row>}.$count` | '$rank' | `${JsonName<Row>}.${string}`

/** `customer.name`: a field of the row that a reference names. */
export type ReachedName<Row> = {
  [Name in Exclude<RelationName<Row>, ManyName<Row>>]: `${Name}.${FieldName<RelatedOf<Row[Name]>>}`
}[Exclude<RelationName<Row>, ManyName<Row>>]

/** The type of that field, or null if the reference is null. */
export type ReachedType<Row, Name> = Name extends `${infer Relation extends keyof Row & string}.${infer Field}`
  ? Field extends keyof RelatedOf<Row[Relation]>
    ? RelatedOf<Row[Relation]>[Field] | null
    : unknown
  : never

/** Sort keys with their directions, the most significant first. */
export type OrderBy<Row> = readonly (readonly [field: SortName<Row>, direction: Direction])[]

/** A field to read, `customer.name` of related rows, or `$rank` if it is in the order. */
export type SelectName<Row> = string extends keyof Row
  ? string
  :
      | FieldName<Row>
      | '$rank'
      | { [Name in RelationName<Row>]: `${Name}.${FieldName<RelatedOf<Row[Name]>>}` }[RelationName<Row>]

/** Relations to load, each in one statement for all rows: `true` for whole rows, or options that filter and shape them. */
export type Include<Row> = string extends keyof Row
  ? { readonly [Name: string]: true | IncludeOptions<Row> }
  : { readonly [Name in RelationName<Row>]?: true | IncludeOptions<RelatedOf<Row[Name]>> }

/** Which related rows to load, and which of their fields. */
export interface IncludeOptions<Row> {
  /** Criteria of the related rows. A reference to a row that does not match loads as null. */
  readonly where?: Criteria<Row>
  /** For `one-to-many`: the order of the related rows. Default: by `id`. */
  readonly order?: OrderBy<Row>
  /** For `one-to-many`: the maximum number of related rows per row, the first in the order. Default: all. */
  readonly limit?: number
  /** Fields to read besides `id`. `customer.name` also loads the relation `customer`. Default: all fields. */
  readonly select?: readonly SelectName<Row>[]
  readonly include?: Include<Row>
  readonly counts?: RelationCounts<Row>
  /** For `one-to-many`: running totals within the related rows of each row. */
  readonly running?: RunningTotals<Row>
}

/** Counts of related rows. Each row has them in `counts`; each count takes one statement for all rows. */
export type RelationCounts<Row> = { readonly [Name: string]: true | CountedRelation<Row> }

/** Which related rows to count. */
export type CountedRelation<Row> = string extends keyof Row
  ? { readonly relation: string; readonly where?: Criteria<Row> }
  : { readonly [Name in ManyName<Row>]: CountedRows<Name, RelatedOf<Row[Name]>> }[ManyName<Row>]

interface CountedRows<Name, Related> {
  readonly relation: Name
  readonly where?: Criteria<Related>
}

/** Running totals. Each row has them in `running`. */
export type RunningTotals<Row> = { readonly [Name: string]: RunningSum<Row> }

/** The sum of a field over all rows of the list up to and including this row. On a page, rows of earlier pages count too. */
export interface RunningSum<Row> {
  /** The field to sum. The total is null until a row has a number. */
  readonly sum: NumberField<Row>
  /** Fields that partition the rows: each combination of values has its own total. Default: one total for all rows. */
  readonly by?: readonly FieldName<Row>[]
  /** Where the total begins. With `last`, a list sorted newest first has the total up to each row. Default `first`. */
  readonly from?: 'first' | 'last'
}

/** Options that do not change which fields a row has. */
export interface PageOptions<Row> {
  /** The maximum number of rows. Default: all. */
  readonly limit?: number
  /** The number of rows to skip. Default 0. */
  readonly offset?: number
  /** Null sorts lowest, text by code point. Ties are sorted by `id` ascending, and so are rows without an order. */
  readonly order?: OrderBy<Row>
  /**
   * Locks the rows until the transaction ends. `update`: one transaction at a time has them. `share`: several may read
   * them, none may change them. `skipLocked` leaves out rows that another transaction has locked.
   */
  readonly lock?: RowLock
}

/** `request` answers from what this request has read, else from the database. `refresh` reads the database, and later reads use the result. */
export type ReadCache = 'request' | 'refresh'

/** For criteria that are plain values of a unique key. Allows `relations` and `include`, and no other option. */
export interface CacheOptions {
  /**
   * Works inside an HTTP request and outside of transactions, until a repository changes a row in the request. Default:
   * each read asks the database.
   */
  readonly cache?: ReadCache
}

/** Options of a find: order, page, fields and relations. */
export interface FindOptions<Row> extends PageOptions<Row> {
  /** Relations to load whole: short for `include`. */
  readonly relations?: readonly (string extends keyof Row ? string : RelationName<Row>)[]
  readonly include?: Include<Row>
  /** Fields to read, beside `id`, and `customer.name` of related rows, which it includes. Default: all. */
  readonly select?: readonly SelectName<Row>[]
  readonly counts?: RelationCounts<Row>
  /** Needs an order by fields of the row that are never null. */
  readonly running?: RunningTotals<Row>
}

/** Options that decide the type of the rows. */
export type ShapedOptions<
  Row,
  Select,
  Relations,
  Included,
  Counted = undefined,
  Running = undefined
> = PageOptions<Row> & {
  readonly select?: Select
  readonly relations?: Relations
  readonly include?: Included & { readonly [Name in Exclude<keyof Included, keyof Include<Row>>]: never }
  readonly counts?: Counted & { readonly [Name in UnknownCount<Row, Counted>]: never }
  readonly running?: Running
}

/** Names that are counted as they are, and are no relation to several rows. */
type UnknownCount<Row, Counted> = string extends keyof Row
  ? never
  : { [Name in keyof Counted]: Counted[Name] extends true ? Exclude<Name, ManyName<Row>> : never }[keyof Counted]

export type Selectable<Row> = readonly SelectName<Row>[] | undefined
export type Loadable<Row> = readonly (string extends keyof Row ? string : RelationName<Row>)[] | undefined
export type Includable<Row> = Include<Row> | undefined
export type Countable<Row> = RelationCounts<Row> | undefined
export type Totalled<Row> = RunningTotals<Row> | undefined

type RunningValue<Row, Total> = Total extends { readonly sum: infer Name extends keyof Row }
  ? (IsExact<NonNullable<Row[Name]>> extends true ? ExactNumber : number) | null
  : never

type Loaded<Held, Value> = NonNullable<Held> extends readonly unknown[] ? Value[] : Value | null

type IncludedAs<Row, Options> = Options extends { readonly [Key in keyof IncludeOptions<Row>]?: unknown }
  ? Found<
      Row,
      Options extends { readonly select: infer Select } ? Select : undefined,
      undefined,
      Options extends { readonly include: infer Included } ? Included : undefined,
      Options extends { readonly counts: infer Counted } ? Counted : undefined,
      Options extends { readonly running: infer Running } ? Running : undefined
    >
  : Row

type Flat<T> = { [K in keyof T]: T[K] }

/** The type of a found row: the selected fields and the loaded relations. */
export type Found<Row, Select, Relations, Included, Counted = undefined, Running = undefined> = string extends keyof Row
  ? Row
  : [Select, Relations, Included, Counted, Running] extends [undefined, undefined, undefined, undefined, undefined]
    ? Row
    : Flat<
        (Select extends readonly (infer Field)[]
          ? Pick<Row, Extract<Field | 'id', keyof Row>>
          : Omit<Row, LoadedNames<Relations, Included>>) & {
          [Name in LoadedNames<Relations, Included> & RelationName<Row>]: Loaded<
            Row[Name],
            IncludedAs<RelatedOf<Row[Name]>, Name extends keyof Included ? Included[Name] : undefined>
          >
        } & {
          [Name in SelectedRelation<Select> & RelationName<Row>]: Loaded<
            Row[Name],
            Pick<RelatedOf<Row[Name]>, Extract<SelectedThrough<Select, Name> | 'id', keyof RelatedOf<Row[Name]>>>
          >
        } & (Select extends readonly (infer Field)[]
            ? '$rank' extends Field
              ? { $rank: number }
              : unknown
            : unknown) &
          (Counted extends object ? { counts: { -readonly [Name in keyof Counted]: number } } : unknown) &
          (Running extends object
            ? { running: { -readonly [Name in keyof Running]: RunningValue<Row, Running[Name]> } }
            : unknown)
      >

type SelectedRelation<Select> = Select extends readonly (infer Path)[]
  ? Path extends `${infer Name}.${string}`
    ? Name
    : never
  : never

type SelectedThrough<Select, Name extends string> = Select extends readonly (infer Path)[]
  ? Path extends `${Name}.${infer Field}`
    ? Field
    : never
  : never

type LoadedNames<Relations, Included> =
  | (Relations extends readonly (infer Name extends string)[] ? Name : never)
  | (Included extends object ? keyof Included & string : never)
