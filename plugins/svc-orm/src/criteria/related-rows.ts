/** Rows that a relation reaches, as conditions look at them: all, or the first of them (`$latest`). Pure. */
import { type FirstRows, isRecord, type RelatedRows } from 'svc-stores/table'
import type { CompiledEntity, CompiledRelation } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { InvalidCriteria } from '../errors.ts'
import type { FindScope } from './find-scope.ts'
import { presentRows } from './presence.ts'
import { readOrder } from './read-order.ts'

const MOST_FIRST = 1000

/** Without `of`, which is asked of them. */
export function relatedRows(
  relation: CompiledRelation,
  target: CompiledEntity,
  latest: unknown,
  scope: FindScope
): Omit<RelatedRows, 'of'> {
  const isToMany = relation.type === 'one-to-many'
  return {
    field: isToMany ? 'id' : relation.field,
    table: entityPlan(target),
    column: isToMany ? relation.field : 'id',
    ...(latest !== undefined && { first: readLatest(relation, target, latest, scope) })
  }
}

/** @throws InvalidCriteria, InvalidFindOptions, UnknownCriteriaField */
function readLatest(
  { name, type }: CompiledRelation,
  target: CompiledEntity,
  given: unknown,
  scope: FindScope
): FirstRows {
  const at = `${name} $latest`
  if (type !== 'one-to-many') throw new InvalidCriteria(at, 'a one-to-many relation')
  const isKnown = isRecord(given) && Object.keys(given).every((key) => key === 'order' || key === 'limit')
  if (!isKnown) throw new InvalidCriteria(at, 'an object with order and limit')
  const { limit, order: asked } = given
  if (!(Number.isSafeInteger(limit) && (limit as number) >= 1 && (limit as number) <= MOST_FIRST)) {
    throw new InvalidCriteria(`${at} limit`, `an integer from 1 to ${MOST_FIRST}`)
  }
  const order = readOrder(target, asked, scope)
  if (order.some(({ by }) => by !== undefined)) throw new InvalidCriteria(`${at} order`, `fields of ${target.name}`)
  return { of: scope.withDeleted ? [] : presentRows(target), order, limit: limit as number }
}
