/** One operator on one field to one condition. Pure. */
import type { IdForm } from 'svc-stores/table'
import type { CompiledField } from '../entity/compiled-entity.ts'
import { InvalidCriteria } from '../errors.ts'
import { expectedScalar, isStorableText, readScalar, type ScalarType } from '../values/read-scalar.ts'
import type { Condition, ConditionValue, ValueCondition } from './condition.ts'

/** More values than this are no criterion any more but a join: each is a parameter of the query. */
const MAX_LIST = 10_000

const COMPARISONS: Readonly<Record<string, ValueCondition['operator']>> = {
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte'
}

const KNOWN = '$eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $like or $null'

/** @throws InvalidCriteria */
export function parseOperator(field: CompiledField, operator: string, given: unknown, ids: IdForm): Condition {
  const at = `${field.name} ${operator}`
  if (operator === '$null') {
    if (typeof given !== 'boolean') throw new InvalidCriteria(at, 'true or false')
    return { field: field.name, operator: 'null', value: given }
  }
  const comparison = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined
  if (comparison !== undefined) return compare(field, comparison, given, at, ids)
  switch (operator) {
    case '$eq':
    case '$ne':
      return equals(field, operator === '$eq', given, at, ids)
    case '$in':
    case '$nin':
      return isOneOf(field, operator === '$in', given, at, ids)
    case '$like':
      return like(field, given, at)
    default:
      throw new InvalidCriteria(at, KNOWN)
  }
}

function equals(field: CompiledField, wanted: boolean, given: unknown, at: string, ids: IdForm): Condition {
  if (given === null) return { field: field.name, operator: 'null', value: wanted }
  const value = readValue(field, given, at, ids)
  if (field.array || value === null) return listCondition(field, wanted, value === null ? [] : [value], false)
  return { field: field.name, operator: wanted ? 'eq' : 'ne', value }
}

function isOneOf(field: CompiledField, wanted: boolean, given: unknown, at: string, ids: IdForm): Condition {
  if (!Array.isArray(given) || given.length > MAX_LIST) {
    throw new InvalidCriteria(at, `a list of at most ${MAX_LIST} values`)
  }
  const items = Array.from(given as unknown[])
  const values = items.filter((item) => item !== null).map((item) => readValue(field, item, at, ids))
  const orNull = values.length < items.length
  return listCondition(
    field,
    wanted,
    values.filter((value) => value !== null),
    orNull
  )
}

function listCondition(
  field: CompiledField,
  wanted: boolean,
  values: readonly ConditionValue[],
  orNull: boolean
): Condition {
  const operator = field.array ? (['hasnt', 'has'] as const) : (['nin', 'in'] as const)
  return { field: field.name, operator: operator[wanted ? 1 : 0], values, orNull }
}

function compare(
  field: CompiledField,
  operator: ValueCondition['operator'],
  given: unknown,
  at: string,
  ids: IdForm
): Condition {
  if (field.array || field.type === 'boolean') throw new InvalidCriteria(at, 'a field whose values have an order')
  const value = readValue(field, given, at, ids)
  return value === null ? listCondition(field, true, [], false) : { field: field.name, operator, value }
}

function like(field: CompiledField, given: unknown, at: string): Condition {
  const isText = (field.type === 'string' || field.type === 'text') && !field.array
  if (!isText || typeof given !== 'string' || !isStorableText(given)) {
    throw new InvalidCriteria(at, 'a pattern, on a text field')
  }
  if (/(?<!\\)(?:\\\\)*\\$/.test(given)) throw new InvalidCriteria(at, 'a pattern that does not end in a lone \\')
  return { field: field.name, operator: 'like', pattern: given }
}

/** @returns `null` for an id that no row can have: it finds nothing, and is no mistake */
function readValue(field: CompiledField, given: unknown, at: string, ids: IdForm): ConditionValue | null {
  const { type } = field
  if (type === 'json') throw new InvalidCriteria(at, 'null or $null, all that can be asked of a json field')
  if (type === 'id') return readId(given, at, ids)
  const value = readScalar(type as ScalarType, given)
  if (value === undefined) throw new InvalidCriteria(at, expectedScalar(type as ScalarType))
  return value
}

function readId(given: unknown, at: string, ids: IdForm): string | null {
  if (typeof given === 'string') return ids.accepts(given) ? given : null
  if (typeof given === 'number' || typeof given === 'boolean') return null
  throw new InvalidCriteria(at, 'an id')
}
