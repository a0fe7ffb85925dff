/**
 * Conditions on sealed columns: equality is asked of the hash, null of the column itself, and nothing else can be asked.
 * What this file does not know of is refused.
 */
import type { Condition, ConditionValue, TablePlan } from 'svc-stores/table'
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
      return { ...condition, of: read(condition.table, condition.of) }
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

function cannot(field: string): Error {
  return new InvalidCriteria(field, 'null or $null, or with sealed: "searchable" equality, because the field is sealed')
}
