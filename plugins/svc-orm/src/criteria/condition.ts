/**
 * Criteria after the parser: what a driver turns into a query. Values have the
 * field's type (`Date` for dates), names are declared fields or `id`, and null
 * stands in flags only, so that no driver needs three-valued logic of its own.
 */

export type ConditionValue = string | number | boolean | Date

/** The field holds such a value; null and absent never match, but for `ne`, which matches them. */
export interface ValueCondition {
  readonly field: string
  readonly operator: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'
  readonly value: ConditionValue
}

/**
 * `in`: one of the values, or null where `orNull`. `nin`: whatever `in` does not match. `has` and `hasnt`: the same of
 * the items of a list field, where `orNull` speaks of the field itself.
 */
export interface ListCondition {
  readonly field: string
  readonly operator: 'in' | 'nin' | 'has' | 'hasnt'
  readonly values: readonly ConditionValue[]
  readonly orNull: boolean
}

/** SQL pattern: `%`, `_`, escape `\`; over the whole text, case-sensitive. Never ends in a lone escape. */
export interface LikeCondition {
  readonly field: string
  readonly operator: 'like'
  readonly pattern: string
}

/** `true`: null or absent. `false`: anything else. */
export interface NullCondition {
  readonly field: string
  readonly operator: 'null'
  readonly value: boolean
}

export type Condition = ValueCondition | ListCondition | LikeCondition | NullCondition
