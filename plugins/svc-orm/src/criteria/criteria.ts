/** Criteria as an application writes them: fields are ANDed, and so are the operators of one field. */
import type { AnyRow, RelatedRow } from '../entities/row-of.ts'
import type { JsonValue } from '../fields/json.ts'

/**
 * Operators on one field. `$ne` and `$nin` match null, comparisons never do; `$like` takes `%`, `_` and the escape `\`,
 * is anchored and case-sensitive; `$contains` and `$startsWith` take every character for itself, in any case; `$null: true` matches null and absent alike.
 */
export interface Operators<Value, Name extends string = string> {
  readonly $eq?: Value | null
  /** Equal in any case, in every alphabet. For a field that an index folds. */
  readonly $ieq?: string
  readonly $ne?: Value | null
  readonly $gt?: Value
  readonly $gte?: Value
  readonly $lt?: Value
  readonly $lte?: Value
  /** An empty list matches nothing; null in the list matches null. */
  readonly $in?: readonly (Value | null)[]
  readonly $nin?: readonly (Value | null)[]
  readonly $like?: string
  /** Text with this part, in any case. */
  readonly $contains?: string
  /** Text that begins so, in any case. */
  readonly $startsWith?: string
  readonly $null?: boolean
  /** Another field of the same row: `{ $lt: 'total' }`. Null in either matches nothing, and so `$ne` finds it. */
  readonly $field?: { readonly [Operator in '$eq' | '$ne' | '$gt' | '$gte' | '$lt' | '$lte']?: Name }
}

type Comparable<Value> = Value extends Date ? Date | string : Value extends Uint8Array ? never : Value

type Item<Held> = NonNullable<Held> extends readonly (infer Each)[] ? Comparable<Each> : Comparable<NonNullable<Held>>

/**
 * On a scalar field: a value, `null`, a list (any of them) or operators. On a list field: a value it holds, a list of
 * which it holds one, or operators that mean the same.
 */
export type Criterion<Held, Name extends string = string> =
  | Item<Held>
  | null
  | readonly (Item<Held> | null)[]
  | Operators<Item<Held>, Name>

/** Names of the fields that hold such values. */
type FieldOfSuch<Row, Held> = {
  [Name in FieldName<Row>]: [NonNullable<Row[Name]>] extends [NonNullable<Held>]
    ? Name
    : [NonNullable<Held>] extends [NonNullable<Row[Name]>]
      ? Name
      : never
}[FieldName<Row>]

type IsRelation<Held> = NonNullable<Held> extends RelatedRow | RelatedRow[] ? true : false

/** Names of the row's own fields, without its relations. */
export type FieldName<Row> = {
  [Name in keyof Row & string]-?: IsRelation<Row[Name]> extends true ? never : Name
}[keyof Row & string]

/** Names of the relations of a row. */
export type RelationName<Row> = Exclude<keyof Row & string, FieldName<Row>>

/** Names of the relations that reach several rows. */
export type ManyName<Row> = {
  [Name in RelationName<Row>]: NonNullable<Row[Name]> extends readonly unknown[] ? Name : never
}[RelationName<Row>]

/** Names of the fields that hold any JSON. */
export type JsonName<Row> = {
  [Name in FieldName<Row>]: [JsonValue] extends [Row[Name] | null] ? Name : never
}[FieldName<Row>]

/** A row that a relation loads: the one, or each of the many. */
export type RelatedOf<Held> = NonNullable<Held> extends readonly (infer Each)[] ? Each : NonNullable<Held>

/**
 * A related row meets these: the one that is referred to, or at least one of the many. `$exists: false`: none does; `null`:
 * there is none at all.
 */
export type RelationCriterion<Related, Row = AnyRow> =
  | (Criteria<Related> &
      MeasureCriteria<Related, Row> & { readonly $exists?: boolean; readonly $latest?: Latest<Related> })
  | null

/** Only the first so many of the related rows are looked at, in this order. */
export interface Latest<Related> {
  readonly order: readonly (readonly [field: FieldName<Related>, direction: 'ASC' | 'DESC'])[]
  /** 1 to 1000. */
  readonly limit: number
}

/** What a measure comes to: a value, or operators, whose `$field` names fields of the row that the measured rows belong to. */
export type MeasureCriterion<Value, Row> =
  | Value
  | (Pick<Operators<Value, FieldName<Row>>, '$eq' | '$ne' | '$gt' | '$gte' | '$lt' | '$lte' | '$null' | '$field'> &
      object)

/** What the related rows come to; criteria beside them choose the rows that count. Of none, the number and the sum are 0. */
export interface MeasureCriteria<Related, Row> {
  readonly $count?: MeasureCriterion<number, Row>
  readonly $sum?: {
    readonly [Name in FieldName<Related>]?: MeasureCriterion<Comparable<NonNullable<Related[Name]>>, Row>
  }
  readonly $avg?: {
    readonly [Name in FieldName<Related>]?: MeasureCriterion<Comparable<NonNullable<Related[Name]>> | number, Row>
  }
  readonly $min?: {
    readonly [Name in FieldName<Related>]?: MeasureCriterion<Comparable<NonNullable<Related[Name]>>, Row>
  }
  readonly $max?: {
    readonly [Name in FieldName<Related>]?: MeasureCriterion<Comparable<NonNullable<Related[Name]>>, Row>
  }
}

/** How criteria of one entity are joined: beside fields, or without any. */
export interface Joins<Row> {
  /** Each of them; those beside it as well. */
  readonly $and?: readonly Criteria<Row>[]
  /** At least one of them; of an empty list none. */
  readonly $or?: readonly Criteria<Row>[]
  /** Not all of it. A row without a value is then found as well. */
  readonly $not?: Criteria<Row>
  /**
   * Every word of this text, in any field of the entity's `search`, without regard to case and accents; an `*` at the end finds
   * words that begin with the last one. No other character has a meaning. At most 1000 characters and 32 words.
   */
  readonly $search?: string
}

/** The rows that a walk through a tree begins with, and how many levels it goes from them, 1 to 100. */
type TreeStart<Row> = Criteria<Row> & { readonly $depth?: number } & object

/** Rows of an entity with `tree`, by where they are. A walk does not cross deleted rows. */
export interface TreeCriteria<Row> {
  /** The row with this id, or those that meet criteria, and all rows below. */
  readonly $within?: string | TreeStart<Row>
  /** The row with this id, or those that meet criteria, and all rows above, up to the root. */
  readonly $pathTo?: string | TreeStart<Row>
}

/** `author.name`: a field of a related row. */
type PathsOf<Row, Name extends RelationName<Row>> = `${Name}.${FieldName<RelatedOf<Row[Name]>>}`

type PathValue = string | number | boolean

/**
 * On `attributes.watts`, within JSON: numbers compare with numbers, texts with texts, and any other kind matches nothing but
 * `$ne` and `$nin`. Null matches what is null and what is not there, `$exists` only tells whether it is there.
 */
export type PathCriterion =
  | PathValue
  | null
  | readonly (PathValue | null)[]
  | {
      readonly $eq?: PathValue | null
      readonly $ne?: PathValue | null
      readonly $gt?: string | number
      readonly $gte?: string | number
      readonly $lt?: string | number
      readonly $lte?: string | number
      readonly $in?: readonly (PathValue | null)[]
      readonly $nin?: readonly (PathValue | null)[]
      readonly $null?: boolean
      readonly $exists?: boolean
    }

/** `undefined` is refused: it would widen the query. */
export type Criteria<Row> = string extends keyof Row
  ? { readonly [Name: string]: unknown }
  : Joins<Row> &
      TreeCriteria<Row> & {
        readonly [Name in FieldName<Row>]?: Criterion<Row[Name], FieldOfSuch<Row, Row[Name]>>
      } & { readonly [Name in RelationName<Row>]?: RelationCriterion<RelatedOf<Row[Name]>, Row> } & {
        readonly [Path in PathsOf<
          Row,
          RelationName<Row>
        >]?: Path extends `${infer Name extends RelationName<Row>}.${infer Field}`
          ? Field extends keyof RelatedOf<Row[Name]>
            ? Criterion<RelatedOf<Row[Name]>[Field]>
            : unknown
          : never
      } & { readonly [Path in `${JsonName<Row>}.${string}`]?: PathCriterion }
