/** Measures of rows, as an application writes them, read into those of the storage port. Pure. */
import { type Condition, isRecord, type Measure } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { InvalidFindOptions } from '../errors.ts'
import type { ExactNumber, IsExact } from '../fields/exact-number.ts'
import type { NumberField } from './changes.ts'
import type { Criteria, FieldName } from './criteria.ts'
import { fieldOf } from './entity-field.ts'

/** Names of the fields whose values have an order. */
export type OrderedField<Row> = string extends keyof Row
  ? string
  : { [Name in FieldName<Row>]: NonNullable<Row[Name]> extends number | string | Date ? Name : never }[FieldName<Row>]

/**
 * A measure: the number of rows, or a figure of one field, ignoring null: the number of values, the number of distinct
 * values, the sum, the average, the minimum or the maximum.
 */
export type AggregateMeasure<Row> = (
  | { readonly count: true | FieldName<Row> }
  | { readonly countDistinct: FieldName<Row> }
  | { readonly sum: NumberField<Row> }
  | { readonly avg: NumberField<Row> }
  | { readonly min: OrderedField<Row> }
  | { readonly max: OrderedField<Row> }
) & {
  /** Only rows that match count. */
  readonly where?: Criteria<Row>
}

/** Measures by the name that the result gives them. */
export type Measures<Row> = { readonly [Name: string]: AggregateMeasure<Row> }

type Measured<Row, M> = M extends { readonly count: unknown } | { readonly countDistinct: unknown }
  ? number
  : M extends { readonly min: infer Name } | { readonly max: infer Name }
    ? Name extends keyof Row
      ? NonNullable<Row[Name]> | null
      : unknown
    : M extends { readonly sum: infer Name extends keyof Row }
      ? IsExact<NonNullable<Row[Name]>> extends true
        ? ExactNumber | null
        : number | null
      : number | null

/** The results by name. Without values, sums, averages, minima and maxima are null, and counts are 0. */
export type Aggregates<Row, M> = { -readonly [Name in keyof M]: Measured<Row, M[Name]> }

/** Reads criteria of rows. @throws InvalidCriteria, UnknownCriteriaField */
export type ReadWhere = (criteria: unknown) => readonly Condition[]

const NAME = /^[A-Za-z]\w{0,59}$/
const MEASURES = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'] as const

/** @throws InvalidFindOptions, UnknownCriteriaField, InvalidCriteria */
export function readMeasures(
  entity: CompiledEntity,
  given: unknown,
  readWhere: ReadWhere
): Readonly<Record<string, Measure>> {
  if (!isRecord(given)) throw new InvalidFindOptions('measures', 'an object with a measure per name')
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => {
      if (!NAME.test(name)) throw new InvalidFindOptions(`measures.${name}`, 'a name of letters, digits and _')
      return [name, readMeasure(entity, name, each, readWhere)]
    })
  )
}

function readMeasure(entity: CompiledEntity, name: string, given: unknown, readWhere: ReadWhere): Measure {
  const { where, ...measure } = isRecord(given) ? given : {}
  const [entry, ...more] = Object.entries(measure)
  const of = MEASURES.find((each) => each === entry?.[0])
  if (entry === undefined || of === undefined || more.length > 0) {
    throw new InvalidFindOptions(
      `measures.${name}`,
      'one of { count }, { countDistinct }, { sum }, { avg }, { min }, { max } of a field, or { count: true }, and where'
    )
  }
  const among = where === undefined ? [] : readWhere(where)
  const whose = (conditions: readonly Condition[]) => (conditions.length === 0 ? {} : { where: conditions })
  if (of === 'count') return { of, ...whose(entry[1] === true ? among : [...among, heldIn(entity, name, entry[1])]) }
  const field = fieldOf(entity, String(entry[1]))
  if (!canMeasure(field, of)) throw new InvalidFindOptions(`measures.${name}`, EXPECTED[of])
  return { of, column: field.name, ...whose(among) }
}

const EXPECTED = {
  countDistinct: 'a field that holds one value, and neither json nor bytes',
  sum: 'a field that holds a number',
  avg: 'a field that holds a number',
  min: 'a field whose values have an order',
  max: 'a field whose values have an order'
}

/** Values are counted as the rows that hold one. */
function heldIn(entity: CompiledEntity, name: string, given: unknown): Condition {
  if (typeof given !== 'string')
    throw new InvalidFindOptions(`measures.${name}`, '{ count: true }, or { count: field }')
  return { field: fieldOf(entity, given).name, operator: 'null', value: false }
}

function canMeasure(field: CompiledField, of: keyof typeof EXPECTED): boolean {
  const { can } = field.fieldType
  if (field.array) return false
  if (of === 'countDistinct') return can.compare
  return of === 'sum' || of === 'avg' ? can.add : can.order
}
