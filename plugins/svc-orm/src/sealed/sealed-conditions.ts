/**
 * Conditions on sealed columns: equality is asked of the hash, null of the column itself, and nothing else can be asked.
 * What this file does not know of is refused.
 */
import type { Condition, ConditionValue, MeasuredCondition, RelatedCondition, TablePlan } from 'svc-stores/table'
import { InvalidCriteria } from '../errors.ts'
import type { SealedEntities, SealedEntity } from './sealed-entities.ts'

export interface SealedQuestion {
  readonly conditions: readonly Condition[]
  /** Hashes that were asked for. */
  readonly hashes: readonly (readonly [entity: SealedEntity, field: string])[]
}

export function sealedQuestion(
  entities: SealedEntities,
  plan: TablePlan,
  conditions: readonly Condition[]
): SealedQuestion {
  const hashes: (readonly [SealedEntity, string])[] = []
  const read = (of: TablePlan, each: readonly Condition[]): readonly Condition[] =>
    each.map((condition) => rewritten(entities, of, condition, read, hashes))
  return { conditions: read(plan, conditions), hashes }
}

type Read = (plan: TablePlan, conditions: readonly Condition[]) => readonly Condition[]

function rewritten(
  entities: SealedEntities,
  plan: TablePlan,
  condition: Condition,
  read: Read,
  hashes: (readonly [SealedEntity, string])[]
): Condition {
  switch (condition.operator) {
    case 'any':
      return { ...condition, of: condition.of.map((set) => read(plan, set)) }
    case 'not':
      return { ...condition, of: read(plan, condition.of) }
    case 'related':
    case 'measured':
      return ofOthers(entities, plan, condition, read)
    case 'tree': {
      const { table, from, of } = condition
      return { ...condition, from: read(table, from), of: read(table, of) }
    }
    case 'fields':
      refuseSealed(entities, plan, condition.field)
      refuseSealed(entities, plan, condition.other)
      return condition
    case 'after': {
      const sealed = entities.byPlan.get(plan)
      const named = condition.order.find(({ field }) => sealed?.fields.has(field) === true)
      if (named !== undefined) throw cannot(named.field)
      return condition
    }
    default: {
      const sealed = entities.byPlan.get(plan)
      const field = sealed?.fields.get(condition.field)
      if (sealed === undefined || field === undefined || condition.operator === 'null') return condition
      const hash = sealed.hashes.get(field.name)
      if (hash === undefined) throw cannot(field.name)
      const hashed = (values: readonly ConditionValue[]) =>
        values.flatMap((value) => entities.sealing.hashes(field, value))
      hashes.push([sealed, field.name])
      switch (condition.operator) {
        case 'eq':
        case 'ne':
          return {
            ...{ field: hash, operator: condition.operator === 'eq' ? 'in' : 'nin', orNull: false },
            values: hashed([condition.value])
          }
        case 'in':
        case 'nin':
          return { ...condition, field: hash, values: hashed(condition.values) }
        default:
          throw cannot(field.name)
      }
    }
  }
}

/** What is measured of other rows, what orders them, and what a measure is compared with, is not sealed. */
function ofOthers(
  entities: SealedEntities,
  plan: TablePlan,
  condition: RelatedCondition | MeasuredCondition,
  read: Read
): Condition {
  const { table, of, first } = condition
  if (condition.operator === 'measured' && 'column' in condition.measure) {
    refuseSealed(entities, table, condition.measure.column)
  }
  for (const { field } of first?.order ?? []) refuseSealed(entities, table, field)
  if ('other' in condition) refuseSealed(entities, plan, condition.other)
  const looked = first && { ...first, of: read(table, first.of) }
  return { ...condition, of: read(table, of), ...(looked !== undefined && { first: looked }) }
}

function refuseSealed(entities: SealedEntities, plan: TablePlan, field: string): void {
  if (entities.byPlan.get(plan)?.fields.has(field) === true) throw cannot(field)
}

function cannot(field: string): Error {
  return new InvalidCriteria(field, 'null or $null, or with sealed: "searchable" equality, because the field is sealed')
}
