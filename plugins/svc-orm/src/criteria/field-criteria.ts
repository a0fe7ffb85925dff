/**
 * What criteria ask of one field, as conditions: names checked against the entity, values against the type of their
 * field, every rule about null settled here once for all drivers. Pure. Operators are read from plain objects only.
 */
import {
  type Condition,
  type ConditionValue,
  fold,
  hasOnlyStorableText,
  type IdForm,
  isRecord,
  type TextCondition,
  type ValueCondition
} from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { idFormOf } from '../entities/existing-table.ts'
import { InvalidCriteria } from '../errors.ts'
import { parseFieldComparison } from './field-comparison.ts'

const COMPARISONS: Readonly<Record<string, ValueCondition['operator']>> = {
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte'
}

const KNOWN = '$eq, $ieq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $like, $contains, $startsWith, $null or $field'

/** @throws InvalidCriteria, UnknownCriteriaField */
export function parseField(
  entity: CompiledEntity,
  field: CompiledField,
  criterion: unknown,
  ids: IdForm,
  into: Condition[]
): void {
  if (!isRecord(criterion)) {
    into.push(parseOperator(field, Array.isArray(criterion) ? '$in' : '$eq', criterion, ids))
    return
  }
  const operators = Object.keys(criterion)
  if (operators.length === 0) throw new InvalidCriteria(field.name, 'a value, a list, or operators such as $gt')
  for (const operator of operators) {
    const given = criterion[operator]
    if (operator === '$field') into.push(...parseFieldComparison(entity, field, given))
    else into.push(parseOperator(field, operator, given, ids))
  }
}

function parseOperator(field: CompiledField, operator: string, given: unknown, ids: IdForm): Condition {
  const at = `${field.name} ${operator}`
  if (isRecord(given) && Object.hasOwn(given, '$field')) {
    throw new InvalidCriteria(at, `a value; for another field: { ${field.name}: { $field: { ${operator}: 'name' } } }`)
  }
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
    case '$ieq':
      return equalsFolded(field, given, at)
    case '$like':
      return like(field, given, at)
    case '$contains':
    case '$startsWith':
      return search(field, operator === '$contains' ? 'contains' : 'starts', given, at)
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

/** By the column with the folded text: only then does an index find it. */
function equalsFolded({ folded }: CompiledField, given: unknown, at: string): Condition {
  if (folded === undefined)
    throw new InvalidCriteria(at, 'a field that an index folds, as indexes: [{ fields: [{ field, fold: true }] }] says')
  if (typeof given !== 'string' || !hasOnlyStorableText(given)) throw new InvalidCriteria(at, 'text')
  return { field: folded, operator: 'eq', value: fold(given) }
}

function isOneOf(field: CompiledField, wanted: boolean, given: unknown, at: string, ids: IdForm): Condition {
  if (!Array.isArray(given)) throw new InvalidCriteria(at, 'a list of values')
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
  const { order, compare: isCompared } = field.fieldType.can
  if (field.array || (isCompared && !order)) throw new InvalidCriteria(at, 'a field whose values have an order')
  const value = readValue(field, given, at, ids)
  return value === null ? listCondition(field, true, [], false) : { field: field.name, operator, value }
}

/** SQLite reads patterns of up to 50,000 bytes. */
const LONGEST_TERM = 10_000

function search(field: CompiledField, operator: TextCondition['operator'], given: unknown, at: string): Condition {
  if (!isText(field) || typeof given !== 'string' || !hasOnlyStorableText(given)) {
    throw new InvalidCriteria(at, 'text, on a text field')
  }
  const text = fold(given)
  if (text.length > LONGEST_TERM) throw new InvalidCriteria(at, `text of at most ${LONGEST_TERM} characters`)
  return { field: field.name, operator, text }
}

function isText(field: CompiledField): boolean {
  return field.fieldType.can.search && !field.array
}

function like(field: CompiledField, given: unknown, at: string): Condition {
  if (!isText(field) || typeof given !== 'string' || !hasOnlyStorableText(given)) {
    throw new InvalidCriteria(at, 'a pattern, on a text field')
  }
  if (/(?<!\\)(?:\\\\)*\\$/.test(given)) throw new InvalidCriteria(at, 'a pattern that does not end in a single \\')
  return { field: field.name, operator: 'like', pattern: given }
}

/** @returns `null` for an id that no row can have: it finds nothing, and is no mistake */
function readValue(field: CompiledField, given: unknown, at: string, ids: IdForm): ConditionValue | null {
  const { fieldType } = field
  if (!fieldType.can.compare) throw new InvalidCriteria(at, `null or $null, the only criteria of a ${field.type} field`)
  if (field.type === 'id') return readId(given, at, idFormOf(field, ids))
  const value = fieldType.read(given, field) as ConditionValue | undefined
  if (value === undefined) throw new InvalidCriteria(at, fieldType.expected(field))
  return value
}

function readId(given: unknown, at: string, ids: IdForm): string | null {
  if (typeof given === 'string') return ids.accepts(given) ? given : null
  if (typeof given === 'number' || typeof given === 'boolean') return null
  throw new InvalidCriteria(at, 'an id')
}
