/**
 * The rows of an index: criteria that every database can index, as conditions. Equal values, comparisons and null, all of
 * which hold together; an index of other rows would exist on some databases only. Pure.
 */
import { type ConditionValue, type IndexCondition, indexValue, isRecord } from 'svc-stores/table'
import { type CompiledEntity, type CompiledField, type CompiledIndex, isShown } from './compiled-entity.ts'
import type { IndexCriteria } from './entity-definition.ts'

/** Of an entity with `softDelete`. */
export const PRESENT_ROWS: readonly IndexCondition[] = Object.freeze([
  Object.freeze({ field: 'deletedAt', operator: 'null', value: true } as const)
])

const EXPECTED = 'a value, null, $gt, $gte, $lt, $lte or $null, which every database can index'

const COMPARISONS: Readonly<Record<string, Exclude<IndexCondition['operator'], 'null'>>> = {
  $eq: 'eq',
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte'
}

/** @param report takes what is wrong */
export function readIndexConditions(
  fields: ReadonlyMap<string, CompiledField>,
  where: IndexCriteria,
  report: (fault: string) => void
): readonly IndexCondition[] {
  const conditions = Object.entries(where).flatMap(([name, criterion]) => {
    const field = fields.get(name)
    if (field === undefined) {
      report(`where names ${name}, which is not a field`)
      return []
    }
    const { found, fault } = read(field, criterion)
    if (fault !== null) report(`where.${name}: ${fault}`)
    return found
  })
  return Object.freeze(conditions)
}

interface Read {
  readonly found: readonly IndexCondition[]
  readonly fault: string | null
}

function read(field: CompiledField, criterion: unknown): Read {
  const none = (fault: string): Read => ({ found: [], fault })
  if (field.array || field.fieldType.storage === 'json') return none('a list or json cannot be a condition of an index')
  const operators = isRecord(criterion) ? Object.entries(criterion) : [['$eq', criterion] as const]
  if (operators.length === 0) return none(`expected ${EXPECTED}`)
  const found: IndexCondition[] = []
  for (const [operator, given] of operators) {
    const condition = readOperator(field, operator, given)
    if (typeof condition === 'string') return none(condition)
    found.push(condition)
  }
  return { found, fault: null }
}

/** @returns what is wrong, in words */
function readOperator(field: CompiledField, operator: string, given: unknown): IndexCondition | string {
  const { name, fieldType } = field
  if (given === null && (operator === '$eq' || operator === '$ne'))
    return { field: name, operator: 'null', value: operator === '$eq' }
  if (operator === '$null' && typeof given === 'boolean') return { field: name, operator: 'null', value: given }
  const comparison = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined
  if (comparison === undefined) return `expected ${EXPECTED}`
  if (field.type === 'id') return 'an id differs from database to database; only null can be asked for'
  const { compare, order } = fieldType.can
  if (!compare || (comparison !== 'eq' && !order)) return `a ${field.type} takes no ${operator}`
  const value = fieldType.read(given, field) as ConditionValue | undefined
  if (value === undefined) return `expected ${fieldType.expected(field)}`
  return { field: name, operator: comparison, type: fieldType.storage, value: indexValue(value) }
}

/** Whether the index holds just the rows that are not deleted, so that what it refuses is all that a find would see. */
export function isOfPresent({ where = [] }: CompiledIndex): boolean {
  const [only] = where
  return where.length === 1 && only?.field === 'deletedAt' && only.operator === 'null' && only.value
}

/** In words, for people: `deletedAt is null and state = "open"`. @param isHidden fields whose values are not shown */
export function indexRowsText(
  where: readonly IndexCondition[],
  isHidden: (field: string) => boolean = () => false
): string {
  return where
    .map(({ field, operator, value }) => {
      if (operator === 'null') return `${field} is ${value ? '' : 'not '}null`
      return `${field} ${SIGNS[operator]} ${isHidden(field) ? '(hidden)' : JSON.stringify(value)}`
    })
    .join(' and ')
}

/** As the admin plane and documents show it: without values of hidden fields. */
export function shownIndexRows({ fields }: CompiledEntity, where: readonly IndexCondition[]): string {
  return indexRowsText(where, (name) => {
    const field = fields.get(name)
    return field !== undefined && !isShown(field)
  })
}

const SIGNS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
