/** A field of an entity, or of one that references lead to: `customer.country`. Pure. */
import type { Step } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { InvalidFindOptions } from '../errors.ts'
import { fieldOf } from './entity-field.ts'
import type { FindScope } from './find-scope.ts'

export const COUNT = '$count'

export interface Reached {
  readonly steps: readonly Step[]
  readonly field: CompiledField
  /** Neither the field nor a reference on the way is ever null. */
  readonly isHeld: boolean
}

/** @param at what names the field, for errors @throws UnknownCriteriaField, InvalidFindOptions */
export function reach(entity: CompiledEntity, name: string, scope: FindScope, at: 'order of' | 'by'): Reached {
  const dot = name.indexOf('.')
  const relation = dot === -1 ? undefined : entity.relations.get(name.slice(0, dot))
  if (relation === undefined) {
    const field = fieldOf(entity, name)
    return { steps: [], field, isHeld: !field.nullable }
  }
  const target = scope.entityOf(relation.target)
  if (relation.type === 'one-to-many') {
    const count = at === 'by' ? '' : `, or ${relation.name}.${COUNT}`
    throw new InvalidFindOptions(`${at} ${name}`, `a relation to one row${count}`)
  }
  const { steps, field, isHeld } = reach(target, name.slice(dot + 1), scope, at)
  const unless = deletedIn(target, scope)
  const step = { field: relation.field, table: entityPlan(target), column: 'id', ...unless }
  const isThere = entity.fields.get(relation.field)?.nullable !== true && unless === null
  return { steps: [step, ...steps], field, isHeld: isHeld && isThere }
}

/** What marks rows that do not count. */
export function deletedIn(
  { softDelete }: CompiledEntity,
  { withDeleted }: FindScope
): { readonly unless: string } | null {
  return softDelete && !withDeleted ? { unless: 'deletedAt' } : null
}
