/** Groups by parts of moments, as an application writes them: `{ month: 'placedAt', zone: 'Europe/Berlin' }`. Pure. */
import { TIME_UNITS, type TimePart, type TimeUnit } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { InvalidFindOptions } from '../errors.ts'
import { isZone } from '../fields/zoned-day.ts'
import type { FieldName } from './criteria.ts'
import { fieldOf } from './entity-field.ts'

/** Names of the fields that hold moments, and of text fields, among them those of days. */
type MomentField<Row> = string extends keyof Row
  ? string
  : { [Name in FieldName<Row>]: NonNullable<Row[Name]> extends Date | string ? Name : never }[FieldName<Row>]

/**
 * The year, quarter, month, week, day or hour of a `date` field, or of a `day` field, which has no hours. Groups have it
 * as text: `2026`, `2026-Q4`, `2026-11`, `2026-W48` (ISO 8601), `2026-11-27`, `2026-11-27T14`.
 */
export type GroupedTime<Row> = {
  readonly [Unit in TimeUnit]: { readonly [Only in Unit]: MomentField<Row> } & {
    /** Of a `date` field: whose clocks count, such as `Europe/Berlin`. Default `UTC`. */
    readonly zone?: string
    /** Its name in the answer. Default: that of the unit. */
    readonly as?: string
  }
}[TimeUnit]

/** The name that a part has in the answer. */
export type TimeName<Part> = Part extends { readonly as: infer As extends string } ? As : Extract<keyof Part, TimeUnit>

/** What a group has of it: null where the field may be null. */
export type TimeText<Row, Part> = null extends Row[Extract<Part[Extract<keyof Part, TimeUnit>], keyof Row>]
  ? string | null
  : string

const NAME = /^[A-Za-z]\w{0,59}$/
/** `Intl` takes offsets too, and names in any case; not every database does. */
const ZONE = /^(?:UTC|[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)+)$/

/** @throws InvalidFindOptions, UnknownCriteriaField */
export function readTimePart(
  entity: CompiledEntity,
  given: Readonly<Record<string, unknown>>
): readonly [name: string, part: TimePart] {
  const units = TIME_UNITS.filter((each) => Object.hasOwn(given, each))
  const [unit] = units
  const unknown = Object.keys(given).find((name) => name !== unit && name !== 'zone' && name !== 'as')
  if (unit === undefined || unknown !== undefined) {
    const expected = `a name of a field, or { ${TIME_UNITS.join(' | ')}: field, zone?, as? }`
    throw new InvalidFindOptions(`by ${unknown ?? JSON.stringify(given)}`, expected)
  }
  const { zone, as = unit } = given
  const field = fieldOf(entity, String(given[unit]))
  const isDay = field.type === 'day'
  if (field.array || !(isDay || field.fieldType.storage === 'date')) {
    throw new InvalidFindOptions(`by ${unit}`, 'a field of the type date or day')
  }
  if (isDay && unit === 'hour') throw new InvalidFindOptions('by hour', 'a field of the type date: days have no hours')
  if (isDay && zone !== undefined) throw new InvalidFindOptions('by zone', 'none for a day, which is the same in each')
  if (zone !== undefined && !(typeof zone === 'string' && ZONE.test(zone) && isZone(zone))) {
    throw new InvalidFindOptions('by zone', 'a time zone of the IANA database, such as Europe/Berlin, or UTC')
  }
  if (typeof as !== 'string' || !NAME.test(as)) throw new InvalidFindOptions('by as', 'a name of letters, digits and _')
  return [as, { unit, column: field.name, zone: (zone as string | undefined) ?? 'UTC' }]
}
