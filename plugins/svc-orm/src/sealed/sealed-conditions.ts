/**
 * Questions about sealed columns: equality is a question about the hash, null about the column itself, and every other
 * question is refused.
 */
import { type Condition, type ConditionValue, type Rewrite, rewriteConditions, type TablePlan } from 'svc-stores/table'
import { InvalidCriteria } from '../errors.ts'
import type { SealedEntities, SealedEntity } from './sealed-entities.ts'

type Hash = readonly [entity: SealedEntity, field: string]

export interface SealedQuestion {
  readonly conditions: readonly Condition[]
  /** The hashes that the conditions compare. */
  readonly hashes: readonly Hash[]
}

/** @throws InvalidCriteria */
export function sealedQuestion(
  entities: SealedEntities,
  plan: TablePlan,
  conditions: readonly Condition[]
): SealedQuestion {
  const hashes: Hash[] = []
  return { conditions: rewriteConditions(conditions, sealedRewrite(entities, plan, cannotAsk, hashes)), hashes }
}

/**
 * @param refusal for a sealed field that a question compares, sorts or measures
 * @param hashes gets those that conditions compare
 */
export function sealedRewrite(
  entities: SealedEntities,
  plan: TablePlan,
  refusal: (field: string) => Error,
  hashes: Hash[] = []
): Rewrite {
  const of = (table: TablePlan) => sealedRewrite(entities, table, refusal, hashes)
  const sealed = entities.byPlan.get(plan)
  if (sealed === undefined) return { of }
  return {
    of,
    column: (name) => {
      if (sealed.fields.has(name)) throw refusal(name)
      return name
    },
    condition: (condition) => {
      const field = sealed.fields.get(condition.field)
      if (field === undefined) return null
      if (condition.operator === 'null') return condition
      const hash = sealed.hashes.get(field.name)
      if (hash === undefined) throw refusal(field.name)
      const hashed = (values: readonly ConditionValue[]) => {
        hashes.push([sealed, field.name])
        return values.flatMap((value) => entities.sealing.hashes(field, value))
      }
      switch (condition.operator) {
        case 'eq':
          return { field: hash, operator: 'in', orNull: false, values: hashed([condition.value]) }
        case 'ne':
          return { field: hash, operator: 'nin', orNull: false, values: hashed([condition.value]) }
        case 'in':
        case 'nin':
          return { ...condition, field: hash, values: hashed(condition.values) }
        default:
          throw refusal(field.name)
      }
    }
  }
}

function cannotAsk(field: string): Error {
  return new InvalidCriteria(field, 'null or $null, or with sealed: "searchable" equality, because the field is sealed')
}
