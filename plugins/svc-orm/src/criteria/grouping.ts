/** What is said of rows together: measures as an application writes them, read into those of the storage port. Pure. */
import { type Grouping, isRecord, type Measure, type SortKey } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { InvalidFindOptions } from '../errors.ts'
import type { ExactNumber, IsExact } from '../fields/exact-number.ts'
import type { NumberField } from './changes.ts'
import type { FieldName } from './criteria.ts'
import { fieldOf } from './entity-field.ts'
import type { Direction } from './find-options.ts'

/** Names of the fields whose values have a least and a greatest. */
export type OrderedField<Row> = string extends keyof Row
  ? string
  : { [Name in FieldName<Row>]: NonNullable<Row[Name]> extends number | string | Date ? Name : never }[FieldName<Row>]

/** The number of rows; or of the values that a field holds, null passed over, the sum, average, least or greatest. */
export type AggregateMeasure<Row> =
  | { readonly count: true }
  | { readonly sum: NumberField<Row> }
  | { readonly avg: NumberField<Row> }
  | { readonly min: OrderedField<Row> }
  | { readonly max: OrderedField<Row> }

/** By the name that each has in the answer. */
export type Measures<Row> = { readonly [Name: string]: AggregateMeasure<Row> }

type Measured<Row, M> = M extends { readonly count: true }
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

/** What was asked of the rows; all but numbers of rows is null where nothing is held. */
export type Aggregates<Row, M> = { -readonly [Name in keyof M]: Measured<Row, M[Name]> }

/** How rows are grouped, and what is measured in each group. */
export interface GroupOptions<By, M> {
  /** Fields whose values the rows of a group share, null among them. */
  readonly by: By
  readonly measures?: M
  /** By fields of the group and by measures. Default: by the fields of `by`. */
  readonly order?: readonly (readonly [
    name: (By extends readonly (infer Name)[] ? Name : never) | keyof M,
    Direction
  ])[]
  /** At most so many groups; default all. */
  readonly limit?: number
}

/** One group: the values that its rows share, and its measures. */
export type Grouped<Row, By, M> = (By extends readonly (infer Name)[] ? Pick<Row, Extract<Name, keyof Row>> : never) &
  Aggregates<Row, M>

const NAME = /^[A-Za-z]\w{0,59}$/
const KNOWN = ['by', 'measures', 'order', 'limit']
const MEASURES = ['count', 'sum', 'avg', 'min', 'max'] as const

/** @throws InvalidFindOptions, UnknownCriteriaField */
export function readGrouping(entity: CompiledEntity, given: unknown): Grouping {
  if (!isRecord(given)) throw new InvalidFindOptions('options', 'an object')
  const unknown = Object.keys(given).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, `one of ${KNOWN.join(', ')}`)
  const { by, measures = {}, order = [], limit } = given
  if (!Array.isArray(by)) throw new InvalidFindOptions('by', 'a list of names of fields')
  const shared = [...new Set(Array.from(by as unknown[], (name) => sharedField(entity, String(name))))]
  const measured = readMeasures(entity, measures)
  const names = [...shared, ...Object.keys(measured)]
  const taken = shared.find((name) => Object.hasOwn(measured, name))
  if (taken !== undefined)
    throw new InvalidFindOptions(`measures.${taken}`, 'a name that differs from the fields in by')
  if (limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) > 0)) {
    throw new InvalidFindOptions('limit', 'an integer of at least 1')
  }
  return {
    by: shared,
    measures: measured,
    order: readOrder(order, names),
    ...(limit !== undefined && { limit: limit as number })
  }
}

/** @throws InvalidFindOptions, UnknownCriteriaField */
export function readMeasures(entity: CompiledEntity, given: unknown): Readonly<Record<string, Measure>> {
  if (!isRecord(given)) throw new InvalidFindOptions('measures', 'an object with a measure per name')
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => {
      if (!NAME.test(name)) throw new InvalidFindOptions(`measures.${name}`, 'a name of letters, digits and _')
      return [name, readMeasure(entity, name, each)]
    })
  )
}

function readMeasure(entity: CompiledEntity, name: string, given: unknown): Measure {
  const [entry, ...more] = isRecord(given) ? Object.entries(given) : []
  const of = MEASURES.find((each) => each === entry?.[0])
  if (entry === undefined || of === undefined || more.length > 0) {
    throw new InvalidFindOptions(
      `measures.${name}`,
      'one of { count: true }, { sum }, { avg }, { min }, { max } of a field'
    )
  }
  if (of === 'count') {
    if (entry[1] !== true) throw new InvalidFindOptions(`measures.${name}`, '{ count: true }')
    return { of }
  }
  const field = fieldOf(entity, String(entry[1]))
  if (!canMeasure(field, of)) {
    const kind = of === 'sum' || of === 'avg' ? 'a field that holds a number' : 'a field whose values have an order'
    throw new InvalidFindOptions(`measures.${name}`, kind)
  }
  return { of, column: field.name }
}

function canMeasure(field: CompiledField, of: 'sum' | 'avg' | 'min' | 'max'): boolean {
  const { can } = field.fieldType
  return !field.array && (of === 'sum' || of === 'avg' ? can.add : can.order)
}

/** @throws InvalidFindOptions, UnknownCriteriaField */
export function sharedField(entity: CompiledEntity, name: string): string {
  const field = fieldOf(entity, name)
  if (field.array || !field.fieldType.can.compare) {
    throw new InvalidFindOptions(name, 'a field that holds one value, and neither json nor bytes')
  }
  return name
}

function readOrder(given: unknown, names: readonly string[]): readonly SortKey[] {
  if (!Array.isArray(given)) throw new InvalidFindOptions('order', 'a list of [name, direction] pairs')
  const keys = Array.from(given as unknown[], (pair): SortKey => {
    const [field, direction] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
    if (typeof field !== 'string' || !names.includes(field)) {
      throw new InvalidFindOptions('order', `pairs of one of ${names.join(', ')}, and a direction`)
    }
    if (direction !== 'ASC' && direction !== 'DESC') throw new InvalidFindOptions(`order of ${field}`, 'ASC or DESC')
    return { field, direction }
  })
  if (new Set(keys.map(({ field }) => field)).size < keys.length) {
    throw new InvalidFindOptions('order', 'a list without repeated names')
  }
  return keys
}
