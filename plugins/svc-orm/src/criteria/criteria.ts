/** Criteria as an application writes them: fields are ANDed, and so are the operators of one field. */
import type { AnyRow, RelatedRow } from '../entities/row-of.ts'
import type { JsonValue } from '../fields/json.ts'

/**
 * Operators on one field. `$ne` and `$nin` match null, comparisons do not. `$like` is anchored and case-sensitive; `%`, `_`
 * and the escape `\` have a meaning. `$contains` and `$startsWith` ignore case, and no character has a meaning. `$null: true`
 * matches a null value and an absent one.
 */
export interface Operators<Value, Name extends string = string> {
  readonly $eq?: Value | null
  /** Equal, ignoring case in every alphabet. For a field with `fold` in an index. */
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
  /** Text that contains this part, ignoring case. */
  readonly $contains?: string
  /** Text that begins with this part, ignoring case. */
  readonly $startsWith?: string
  readonly $null?: boolean
  /** Compares with another field of the row: `{ $lt: 'total' }`. If either is null, only `$ne` matches. */
  readonly $field?: { readonly [Operator in '$eq' | '$ne' | '$gt' | '$gte' | '$lt' | '$lte']?: Name }
}

type Comparable<Value> = Value extends Date ? Date | string : Value extends Uint8Array ? never : Value

type Item<Held> = NonNullable<Held> extends readonly (infer Each)[] ? Comparable<Each> : Comparable<NonNullable<Held>>

/**
 * For a scalar field: a value, `null`, a list of alternatives, or operators. For a list field: an item that it has, a list
 * of items of which it has one, or the same as operators.
 */
export type Criterion<Held, Name extends string = string> =
  | Item<Held>
  | null
  | readonly (Item<Held> | null)[]
  | Operators<Item<Held>, Name>

/** Names of the fields with values of this type. */
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

/** Names of the `one-to-many` relations. */
export type ManyName<Row> = {
  [Name in RelationName<Row>]: NonNullable<Row[Name]> extends readonly unknown[] ? Name : never
}[RelationName<Row>]

/** Names of the fields of type `json`. */
export type JsonName<Row> = {
  [Name in FieldName<Row>]: [JsonValue] extends [Row[Name] | null] ? Name : never
}[FieldName<Row>]

/** The type of the rows that a relation loads. */
export type RelatedOf<Held> = NonNullable<Held> extends readonly (infer Each)[] ? Each : NonNullable<Held>

/**
 * Criteria of a related row. Matches if the row of the reference, or at least one row of a `one-to-many`, meets them.
 * `$exists: false` matches if none does, `null` if there is no related row.
 */
export type RelationCriterion<Related, Row = AnyRow> =
  | (Criteria<Related> &
      MeasureCriteria<Related, Row> & { readonly $exists?: boolean; readonly $latest?: Latest<Related> })
  | null

/** Limits the related rows that the criteria look at: the first ones in this order. */
export interface Latest<Related> {
  readonly order: readonly (readonly [field: FieldName<Related>, direction: 'ASC' | 'DESC'])[]
  /** 1 to 1000. */
  readonly limit: number
}

/** Criterion of a measure: a value or operators. `$field` names a field of the row that the measured rows belong to. */
export type MeasureCriterion<Value, Row> =
  | Value
  | (Pick<Operators<Value, FieldName<Row>>, '$eq' | '$ne' | '$gt' | '$gte' | '$lt' | '$lte' | '$null' | '$field'> &
      object)

/** Measures of the related rows. Criteria beside them choose the rows that count. Without such rows, count and sum are 0. */
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

/** Combines criteria of one entity; may stand beside fields. */
export interface Joins<Row> {
  /** All of these match. */
  readonly $and?: readonly Criteria<Row>[]
  /** At least one of these matches. An empty list matches nothing. */
  readonly $or?: readonly Criteria<Row>[]
  /** These do not all match. A null value counts as no match, so such rows are found. */
  readonly $not?: Criteria<Row>
  /**
   * Every word of this text is in one of the fields of the entity's `search`, ignoring case and accents. An `*` at the end
   * finds words that begin with the last one. No other character has a meaning. At most 1000 characters and 32 words.
   */
  readonly $search?: string
}

/** The rows where a walk through a tree begins, and its maximum number of levels, 1 to 100. */
type TreeStart<Row> = Criteria<Row> & { readonly $depth?: number } & object

/** Criteria on the position in a tree, for an entity with `tree`. A walk does not cross deleted rows. */
export interface TreeCriteria<Row> {
  /** The row with this id, or the rows that match, and all rows below. */
  readonly $within?: string | TreeStart<Row>
  /** The row with this id, or the rows that match, and all rows above, up to the root. */
  readonly $pathTo?: string | TreeStart<Row>
}

/** `author.name`: a field of a related row. */
type PathsOf<Row, Name extends RelationName<Row>> = `${Name}.${FieldName<RelatedOf<Row[Name]>>}`

type PathValue = string | number | boolean

/**
 * Criterion of a path within JSON, such as `attributes.watts`. Numbers compare with numbers and text with text; a value of
 * another type matches only `$ne` and `$nin`. `null` matches null and a missing path; `$exists` tells whether the path exists.
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

/** Refuses `undefined`, which would widen the query. */
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
