/**
 * Criteria on what the rows of a relation come to: `{ payments: { $sum: { amount: { $lt: 100 } } } }`. Criteria beside the
 * measure choose the rows that count. Pure.
 */
import {
  type Comparison,
  type Condition,
  type ConditionValue,
  isRecord,
  type MeasuredCondition,
  type RelatedMeasure,
  type RelatedRows
} from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { InvalidCriteria } from '../errors.ts'
import { fieldOf } from './entity-field.ts'
import { COMPARISONS, isComparable, readNames } from './field-comparison.ts'

const OF = { $sum: 'sum', $avg: 'avg', $min: 'min', $max: 'max' } as const

export const MEASURES: readonly string[] = ['$count', ...Object.keys(OF)]

/** What is measured: values of a field, or the number of rows. */
interface Measured {
  readonly at: string
  readonly measure: RelatedMeasure
  /** `null` for the number of rows. */
  readonly field: CompiledField | null
}

/** @param entity of the row that the related rows belong to @throws InvalidCriteria, UnknownCriteriaField */
export function parseMeasures(
  entity: CompiledEntity,
  target: CompiledEntity,
  rows: RelatedRows,
  name: string,
  measures: Readonly<Record<string, unknown>>
): readonly Condition[] {
  return Object.entries(measures).flatMap(([operator, given]) =>
    readMeasured(target, name, operator, given).flatMap(([measured, criterion]) =>
      parseMeasure(entity, measured, rows, criterion)
    )
  )
}

function readMeasured(
  target: CompiledEntity,
  relation: string,
  operator: string,
  given: unknown
): readonly (readonly [Measured, criterion: unknown])[] {
  const at = `${relation} ${operator}`
  if (operator === '$count') return [[{ at, measure: { of: 'count' }, field: null }, given]]
  const of = OF[operator as keyof typeof OF]
  if (!isRecord(given) || Object.keys(given).length === 0) throw new InvalidCriteria(at, 'criteria by field')
  return Object.entries(given).map(([name, criterion]) => {
    const field = fieldOf(target, name)
    const { can } = field.fieldType
    if (field.array || field.sealed !== undefined || !(of === 'sum' || of === 'avg' ? can.add : can.order)) {
      const kind = of === 'sum' || of === 'avg' ? 'a field that holds a number' : 'a field whose values have an order'
      throw new InvalidCriteria(`${at} ${field.name}`, kind)
    }
    return [{ at: `${at} ${field.name}`, measure: { of, column: field.name }, field }, criterion]
  })
}

function parseMeasure(
  entity: CompiledEntity,
  measured: Measured,
  rows: RelatedRows,
  criterion: unknown
): readonly Condition[] {
  const { at, measure } = measured
  const base = { ...rows, operator: 'measured', measure } as const
  if (!isRecord(criterion)) return [{ ...base, comparison: 'eq', value: readValue(measured, criterion, at) }]
  const operators = Object.entries(criterion)
  if (operators.length === 0) throw new InvalidCriteria(at, 'a value, or operators such as $gt')
  return operators.flatMap(([operator, given]): readonly Condition[] => {
    if (operator === '$null') return [nullTest(base, given, `${at} $null`)]
    if (operator === '$field') {
      return readNames(given, `${at} $field`).map(([compared, name]) =>
        compare(compared, (comparison) => ({ ...base, comparison, other: otherField(entity, measured, name).name }))
      )
    }
    if (!Object.hasOwn(COMPARISONS, operator)) {
      throw new InvalidCriteria(`${at} ${operator}`, `${Object.keys(COMPARISONS).join(', ')}, $null or $field`)
    }
    const value = readValue(measured, given, `${at} ${operator}`)
    return [compare(operator, (comparison) => ({ ...base, comparison, value }))]
  })
}

function compare(operator: string, condition: (comparison: Comparison) => MeasuredCondition): Condition {
  const comparison = COMPARISONS[operator] as Comparison | 'ne'
  return comparison === 'ne' ? { operator: 'not', of: [condition('eq')] } : condition(comparison)
}

function nullTest(base: Omit<MeasuredCondition, 'comparison'>, given: unknown, at: string): Condition {
  if (typeof given !== 'boolean') throw new InvalidCriteria(at, 'true or false')
  const held = { ...base, comparison: 'held' } as MeasuredCondition
  return given ? { operator: 'not', of: [held] } : held
}

/** As the measure is: of exact numbers in units. */
function readValue({ measure, field }: Measured, given: unknown, at: string): ConditionValue {
  if (field === null) {
    if (Number.isSafeInteger(given)) return given as number
    throw new InvalidCriteria(at, 'an integer')
  }
  const isNumber = field.fieldType.storage !== 'bigint' && (measure.of === 'sum' || measure.of === 'avg')
  if (isNumber) {
    if (typeof given === 'number' && Number.isFinite(given)) return given
    throw new InvalidCriteria(at, 'a number')
  }
  const value = field.fieldType.read(given, field) as ConditionValue | undefined
  if (value === undefined) throw new InvalidCriteria(at, field.fieldType.expected(field))
  return measure.of === 'avg' ? Number(value) : value
}

/** A field of the row itself, which holds what the measure is. */
function otherField(entity: CompiledEntity, { at, measure, field }: Measured, name: string): CompiledField {
  const other = fieldOf(entity, name)
  if (canHold(measure, field, other)) return other
  throw new InvalidCriteria(`${at} $field`, `a field of ${entity.name} that holds such a value, unlike ${other.name}`)
}

function canHold(measure: RelatedMeasure, field: CompiledField | null, other: CompiledField): boolean {
  const isNumber = !other.array && ['integer', 'float'].includes(other.fieldType.storage)
  if (field === null) return isNumber
  const isOfNumbers = ['integer', 'float'].includes(field.fieldType.storage)
  return isOfNumbers && (measure.of === 'sum' || measure.of === 'avg') ? isNumber : isComparable(field, other)
}
