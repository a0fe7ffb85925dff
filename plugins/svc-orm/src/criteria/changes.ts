/** Changes of a row: as an application writes them, and after the parser. */
import type { FieldName } from './criteria.ts'

type Moment<Held> = Held extends Date ? Date | string : Held

/** Names of the fields that hold a number. */
export type NumberField<Row> = string extends keyof Row
  ? string
  : { [Name in FieldName<Row>]: NonNullable<Row[Name]> extends number ? Name : never }[FieldName<Row>]

type NumberOrDate<Row> = {
  [Name in FieldName<Row>]: NonNullable<Row[Name]> extends number | Date ? Name : never
}[FieldName<Row>]

/**
 * New values by field. `$max` and `$min` keep the greater or the lesser of what is held and given, decided by the
 * database; a field that holds null takes the given value. `id` and the timestamps are ignored, like unknown fields.
 */
export type Changes<Row> = string extends keyof Row
  ? { readonly [Name: string]: unknown }
  : { readonly [Name in FieldName<Row>]?: Moment<Row[Name]> } & {
      readonly $max?: { readonly [Name in NumberOrDate<Row>]?: Moment<NonNullable<Row[Name]>> }
      readonly $min?: { readonly [Name in NumberOrDate<Row>]?: Moment<NonNullable<Row[Name]>> }
    }

/** Parsed: a field stands in one of the maps at most; `updatedAt` is in `set` where the entity has timestamps. */
export interface ParsedChanges {
  readonly set: ReadonlyMap<string, unknown>
  readonly max: ReadonlyMap<string, number | Date>
  readonly min: ReadonlyMap<string, number | Date>
  /** `increment`: added by the database; null counts as 0. */
  readonly add: ReadonlyMap<string, number>
}
