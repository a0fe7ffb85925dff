/** Criteria as an application writes them: fields are ANDed, and so are the operators of one field. */
import type { RelatedRow } from '../entities/row-of.ts'

/**
 * Operators on one field. `$ne` and `$nin` match null, comparisons never do; `$like` takes `%`, `_` and the escape `\`,
 * is anchored and case-sensitive; `$contains` and `$startsWith` take every character for itself, in any case; `$null: true` matches null and absent alike.
 */
export interface Operators<Value> {
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
}

type Comparable<Value> = Value extends Date ? Date | string : Value extends Uint8Array ? never : Value

type Item<Held> = NonNullable<Held> extends readonly (infer Each)[] ? Comparable<Each> : Comparable<NonNullable<Held>>

/**
 * On a scalar field: a value, `null`, a list (any of them) or operators. On a list field: a value it holds, a list of
 * which it holds one, or operators that mean the same.
 */
export type Criterion<Held> = Item<Held> | null | readonly (Item<Held> | null)[] | Operators<Item<Held>>

type IsRelation<Held> = NonNullable<Held> extends RelatedRow | RelatedRow[] ? true : false

/** Names of the row's own fields, without its relations. */
export type FieldName<Row> = {
  [Name in keyof Row & string]-?: IsRelation<Row[Name]> extends true ? never : Name
}[keyof Row & string]

/** Names of the relations of a row. */
export type RelationName<Row> = Exclude<keyof Row & string, FieldName<Row>>

/** A row that a relation loads: the one, or each of the many. */
export type RelatedOf<Held> = NonNullable<Held> extends readonly (infer Each)[] ? Each : NonNullable<Held>

/**
 * A related row meets these: the one that is referred to, or at least one of the many. `$exists: false`: none does; `null`:
 * there is none at all.
 */
export type RelationCriterion<Related> = (Criteria<Related> & { readonly $exists?: boolean }) | null

/** How criteria of one entity are joined: beside fields, or without any. */
export interface Joins<Row> {
  /** Each of them; those beside it as well. */
  readonly $and?: readonly Criteria<Row>[]
  /** At least one of them; of an empty list none. */
  readonly $or?: readonly Criteria<Row>[]
  /** Not all of it. A row without a value is then found as well. */
  readonly $not?: Criteria<Row>
}

/** `author.name`: a field of a related row. */
type PathsOf<Row, Name extends RelationName<Row>> = `${Name}.${FieldName<RelatedOf<Row[Name]>>}`

/** `undefined` is refused: it would widen the query. */
export type Criteria<Row> = string extends keyof Row
  ? { readonly [Name: string]: unknown }
  : Joins<Row> & {
      readonly [Name in FieldName<Row>]?: Criterion<Row[Name]>
    } & { readonly [Name in RelationName<Row>]?: RelationCriterion<RelatedOf<Row[Name]>> } & {
      readonly [Path in PathsOf<
        Row,
        RelationName<Row>
      >]?: Path extends `${infer Name extends RelationName<Row>}.${infer Field}`
        ? Field extends keyof RelatedOf<Row[Name]>
          ? Criterion<RelatedOf<Row[Name]>[Field]>
          : unknown
        : never
    }
