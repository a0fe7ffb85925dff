/** Options of `find` as an application writes them, and the rows that they make of a row. */
import type { RowLock } from 'svc-stores/table'
import type { ExactNumber, IsExact } from '../fields/exact-number.ts'
import type { NumberField } from './changes.ts'
import type { Criteria, FieldName, JsonName, ManyName, RelatedOf, RelationName } from './criteria.ts'

/** Ascending or descending; null is the lowest value. */
export type Direction = 'ASC' | 'DESC'

/**
 * What rows are sorted by: a field, `customer.name` of the row that is referred to, `lines.$count` of those that refer to
 * it, `attributes.watts` within JSON, `$rank` of what `$search` finds, which is greater for rows that fit better.
 */
export type SortName<Row> = string extends keyof Row
  ? string
  : FieldName<Row> | ReachedName<Row> | `${ManyName<Row>}.$count` | '$rank' | `${JsonName<Row>}.${string}`

/** `customer.name`: a field of the row that is referred to. */
export type ReachedName<Row> = {
  [Name in Exclude<RelationName<Row>, ManyName<Row>>]: `${Name}.${FieldName<RelatedOf<Row[Name]>>}`
}[Exclude<RelationName<Row>, ManyName<Row>>]

/** What it holds; null where no row is referred to. */
export type ReachedType<Row, Name> = Name extends `${infer Relation extends keyof Row & string}.${infer Field}`
  ? Field extends keyof RelatedOf<Row[Relation]>
    ? RelatedOf<Row[Relation]>[Field] | null
    : unknown
  : never

/** What rows are sorted by, with directions, the first one first. */
export type OrderBy<Row> = readonly (readonly [field: SortName<Row>, direction: Direction])[]

/** What is read of rows: a field, `customer.name` of rows that a relation reaches, or their `$rank`, where it orders them. */
export type SelectName<Row> = string extends keyof Row
  ? string
  :
      | FieldName<Row>
      | '$rank'
      | { [Name in RelationName<Row>]: `${Name}.${FieldName<RelatedOf<Row[Name]>>}` }[RelationName<Row>]

/** Relations to load, each in one statement for all rows: as they are, or some of their rows, with their own relations. */
export type Include<Row> = string extends keyof Row
  ? { readonly [Name: string]: true | IncludeOptions<Row> }
  : { readonly [Name in RelationName<Row>]?: true | IncludeOptions<RelatedOf<Row[Name]>> }

/** Which related rows are loaded, and what is read of them. */
export interface IncludeOptions<Row> {
  /** A reference to a row that does not meet them loads as null. */
  readonly where?: Criteria<Row>
  /** Of `one-to-many`. Default: by `id`. */
  readonly order?: OrderBy<Row>
  /** Of `one-to-many`: at most so many rows of each, the first in the order. Default: all. */
  readonly limit?: number
  /** Fields to read, beside `id`, and `customer.name` of related rows, which it includes. Default: all. */
  readonly select?: readonly SelectName<Row>[]
  readonly include?: Include<Row>
  readonly counts?: RelationCounts<Row>
  /** Of `one-to-many`: within the related rows of each. */
  readonly running?: RunningTotals<Row>
}

/** Numbers of related rows, in `counts` of each row; each is one statement for all rows. */
export type RelationCounts<Row> = { readonly [Name: string]: true | CountedRelation<Row> }

/** Which related rows are counted. */
export type CountedRelation<Row> = string extends keyof Row
  ? { readonly relation: string; readonly where?: Criteria<Row> }
  : { readonly [Name in ManyName<Row>]: CountedRows<Name, RelatedOf<Row[Name]>> }[ManyName<Row>]

interface CountedRows<Name, Related> {
  readonly relation: Name
  readonly where?: Criteria<Related>
}

/** Sums so far, in `running` of each row. */
export type RunningTotals<Row> = { readonly [Name: string]: RunningSum<Row> }

/** A sum of the rows of the whole list up to this one, in its order; rows before a page count as well. */
export interface RunningSum<Row> {
  /** Null until a row holds a number. */
  readonly sum: NumberField<Row>
  /** Fields whose values the rows of one sum share. Default: none, all rows have one. */
  readonly by?: readonly FieldName<Row>[]
  /** `last`: a list with the newest first has the sum up to each. Default `first`. */
  readonly from?: 'first' | 'last'
}

/** What leaves the shape of a row as it is. */
export interface PageOptions<Row> {
  /** At most so many rows; default all. */
  readonly limit?: number
  /** Rows left out first. Default 0. */
  readonly offset?: number
  /** Null sorts lowest, text by code point; ties, and rows without an order, by `id` ascending. */
  readonly order?: OrderBy<Row>
  /**
   * Inside a transaction: the rows stay as they are read until it ends. `update` is for one at a time, `share` for
   * several that only read them, and `skipLocked` passes over those that another one has.
   */
  readonly lock?: RowLock
}

/** `request`: what this request has read of the row already, else the database; `refresh`: the database, for reads to come. */
export type ReadCache = 'request' | 'refresh'

/** For criteria that are the plain values of a unique key; with `relations` and `include`, and nothing else. */
export interface CacheOptions {
  /**
   * Inside one HTTP request, outside of transactions, and until the request changes any row by a repository. Default: each
   * read asks the database.
   */
  readonly cache?: ReadCache
}

/** Which rows a find returns, in which order, and what it reads of them. */
export interface FindOptions<Row> extends PageOptions<Row> {
  /** Relations to load as they are: short for `include`. */
  readonly relations?: readonly (string extends keyof Row ? string : RelationName<Row>)[]
  readonly include?: Include<Row>
  /** Fields to read, beside `id`, and `customer.name` of related rows, which it includes. Default: all. */
  readonly select?: readonly SelectName<Row>[]
  readonly counts?: RelationCounts<Row>
  /** For an order by fields of the row that are never null. */
  readonly running?: RunningTotals<Row>
}

/** Options whose shape decides that of the rows. */
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

/** A row as it is found: the fields that were selected, and with the relations that were asked for. */
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
