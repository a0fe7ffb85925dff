/**
 * What a driver turns into a query: conditions in their one form. Values have the column's type, null appears in flags
 * only, so that no driver needs three-valued logic of its own.
 */
import type { SortKey } from './sort-key.ts'
import type { TablePlan } from './table-plan.ts'

export type ConditionValue = string | number | bigint | boolean | Date

/** The column holds such a value. Null and absent never match, but for `ne`, which matches them. */
export interface ValueCondition {
  readonly field: string
  readonly operator: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'
  readonly value: ConditionValue
}

/** How two values compare, in the order of `compareHeld`. */
export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'

/** The column compares so with another column of the same type in the same row. Where either holds null, nothing matches. */
export interface FieldsCondition {
  readonly field: string
  readonly operator: 'fields'
  readonly comparison: Comparison
  readonly other: string
}

/**
 * `in`: one of the values, or null where `orNull`. `nin`: whatever `in` does not match. `has` and `hasnt`: the same of
 * the items of a list column, where `orNull` is about the column itself.
 */
export interface ListCondition {
  readonly field: string
  readonly operator: 'in' | 'nin' | 'has' | 'hasnt'
  readonly values: readonly ConditionValue[]
  readonly orNull: boolean
}

/** A list of objects holds (`holds`), or does not hold (`lacks`), an item with these values. */
export interface ItemCondition {
  readonly field: string
  readonly operator: 'holds' | 'lacks'
  readonly item: Readonly<Record<string, ConditionValue>>
}

/** SQL pattern: `%`, `_`, escape `\`; over the whole text, case-sensitive. Never ends in a lone escape. */
export interface LikeCondition {
  readonly field: string
  readonly operator: 'like'
  readonly pattern: string
}

/** Case-insensitive part or beginning of the text; every character is literal. The text is folded. */
export interface TextCondition {
  readonly field: string
  readonly operator: 'contains' | 'starts'
  readonly text: string
}

/** `true`: null or absent. `false`: anything else. */
export interface NullCondition {
  readonly field: string
  readonly operator: 'null'
  readonly value: boolean
}

/**
 * What JSON of a column has at a path: a value that compares so with one of its own kind, a number, text or boolean;
 * `held`: anything but null; `present`: anything. A list is entered by position alone.
 */
export type PathCondition = {
  readonly field: string
  readonly operator: 'path'
  readonly path: readonly string[]
} & (
  | { readonly comparison: Comparison; readonly value: string | number | boolean }
  | { readonly comparison: 'held' | 'present' }
)

/** One of these sets of conditions, each of which is met as a whole. None: no row matches. */
export interface AnyCondition {
  readonly operator: 'any'
  readonly of: readonly (readonly Condition[])[]
}

/** These are not all met; a row without a value meets what asks for one as little as one with another. */
export interface NotCondition {
  readonly operator: 'not'
  readonly of: readonly Condition[]
}

/** Rows of another table that belong to a row: those that hold in `column` what the row holds in `field`, and meet `of`. */
export interface RelatedRows {
  readonly field: string
  readonly table: TablePlan
  readonly column: string
  readonly of: readonly Condition[]
  /** Only the first so many of those that belong and meet these are looked at. Default: all that belong. */
  readonly first?: FirstRows
}

export interface FirstRows {
  readonly of: readonly Condition[]
  /** Of columns of their table. */
  readonly order: readonly SortKey[]
  readonly limit: number
}

/** What such rows come to. */
export type RelatedMeasure =
  | { readonly of: 'count' }
  | { readonly of: 'sum' | 'avg' | 'min' | 'max'; readonly column: string }

/** Such a row is there. Null belongs to no row. */
export interface RelatedCondition extends RelatedRows {
  readonly operator: 'related'
}

/**
 * A measure of such rows compares so with a value, or with a column of the row; `held`: it is not null. Of no row the number
 * and the sum are 0, and every other measure is null, which meets nothing.
 */
export type MeasuredCondition = RelatedRows & {
  readonly operator: 'measured'
  readonly measure: RelatedMeasure
} & (
    | { readonly comparison: Comparison; readonly value: ConditionValue }
    | { readonly comparison: Comparison; readonly other: string }
    | { readonly comparison: 'held' }
  )

/** The row comes after this one in an order; columns of the order are never null. */
export interface AfterCondition {
  readonly operator: 'after'
  readonly order: readonly SortKey[]
  readonly values: readonly ConditionValue[]
}

export type ColumnCondition =
  | ValueCondition
  | FieldsCondition
  | ListCondition
  | ItemCondition
  | LikeCondition
  | TextCondition
  | NullCondition
  | PathCondition

export type Condition =
  | ColumnCondition
  | AnyCondition
  | NotCondition
  | RelatedCondition
  | MeasuredCondition
  | AfterCondition

/** Matches no row. */
export const NOTHING: AnyCondition = Object.freeze({ operator: 'any', of: Object.freeze([]) })

/** Text as searches compare it; done here, as databases know the capitals of ASCII alone, or those of a locale. */
export function fold(text: string): string {
  return text.toLowerCase()
}
