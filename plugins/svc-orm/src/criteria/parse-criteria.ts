/**
 * Criteria to conditions: names checked against the entity, values against the
 * type of their field, every rule about null settled here once for all drivers.
 * Pure. Operators are read from plain objects only, one level deep.
 */
import type { IdForm } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entity/compiled-entity.ts'
import { fieldOf } from '../entity/field-of.ts'
import { InvalidCriteria } from '../errors.ts'
import { isRecord } from '../values/is-record.ts'
import type { Condition } from './condition.ts'
import { parseOperator } from './parse-operator.ts'

/** @throws UnknownCriteriaField, InvalidCriteria */
export function parseCriteria(entity: CompiledEntity, criteria: unknown, ids: IdForm): readonly Condition[] {
  if (!isRecord(criteria)) throw new InvalidCriteria(entity.name, 'an object of fields; {} matches every row')
  const conditions: Condition[] = []
  for (const name of Object.keys(criteria)) parseField(fieldOf(entity, name), criteria[name], ids, conditions)
  return conditions
}

function parseField(field: CompiledField, criterion: unknown, ids: IdForm, into: Condition[]): void {
  if (!isRecord(criterion)) {
    into.push(parseOperator(field, Array.isArray(criterion) ? '$in' : '$eq', criterion, ids))
    return
  }
  const operators = Object.keys(criterion)
  if (operators.length === 0) throw new InvalidCriteria(field.name, 'a value, a list, or operators such as $gt')
  for (const operator of operators) into.push(parseOperator(field, operator, criterion[operator], ids))
}
