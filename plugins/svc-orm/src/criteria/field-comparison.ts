/**
 * Criteria that compare a field with another one of the same row: `{ paid: { $field: { $lt: 'total' } } }`. The name stands
 * under an operator of its own, so that a value of a request never becomes the name of a field. Pure.
 */
import { type Comparison, type Condition, isRecord } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { InvalidCriteria } from '../errors.ts'
import { fieldOf } from './entity-field.ts'

/** `$ne` is what `$eq` is not. */
export const COMPARISONS: Readonly<Record<string, Comparison | 'ne'>> = {
  ...{ $eq: 'eq', $ne: 'ne', $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' }
}

/** @throws InvalidCriteria, UnknownCriteriaField */
export function parseFieldComparison(
  entity: CompiledEntity,
  field: CompiledField,
  given: unknown
): readonly Condition[] {
  const at = `${field.name} $field`
  if (field.array || field.sealed !== undefined || !field.fieldType.can.compare) {
    throw new InvalidCriteria(at, 'a field that holds one value, is not sealed, and neither json nor bytes')
  }
  return readNames(given, at).map(([operator, name]) => {
    const other = fieldOf(entity, name)
    if (!isComparable(field, other)) {
      throw new InvalidCriteria(`${at} ${operator}`, `a field of ${entity.name} that holds ${kindOf(field)}`)
    }
    const comparison = COMPARISONS[operator] as Comparison | 'ne'
    if (comparison !== 'eq' && comparison !== 'ne' && !field.fieldType.can.order) {
      throw new InvalidCriteria(`${at} ${operator}`, 'a field whose values have an order')
    }
    const equal = { field: field.name, operator: 'fields', other: other.name } as const
    if (comparison === 'ne') return { operator: 'not', of: [{ ...equal, comparison: 'eq' }] }
    return { ...equal, comparison }
  })
}

/** Names of fields by operator. @throws InvalidCriteria */
export function readNames(given: unknown, at: string): readonly (readonly [operator: string, name: string])[] {
  const named = isRecord(given) ? Object.entries(given) : []
  if (named.length === 0) throw new InvalidCriteria(at, `names of fields by operator, as { $lt: 'total' }`)
  return named.map(([operator, name]) => {
    if (!Object.hasOwn(COMPARISONS, operator)) {
      throw new InvalidCriteria(`${at} ${operator}`, Object.keys(COMPARISONS).join(', '))
    }
    if (typeof name !== 'string') throw new InvalidCriteria(`${at} ${operator}`, 'the name of a field')
    return [operator, name]
  })
}

/** Both are kept in the same way. */
export function isComparable(one: CompiledField, other: CompiledField): boolean {
  return (
    !other.array &&
    other.sealed === undefined &&
    one.fieldType.storage === other.fieldType.storage &&
    (one.scale ?? 0) === (other.scale ?? 0) &&
    one.idType === other.idType &&
    other.fieldType.can.compare
  )
}

function kindOf({ type, scale = 0 }: CompiledField): string {
  return scale === 0 ? `values such as ${type}` : `values such as ${type} of scale ${scale}`
}
