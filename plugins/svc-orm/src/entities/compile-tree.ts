/** The tree of an entity: the relation of its rows to the row above. Pure. */
import type { Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import { referenceField } from './compile-fields.ts'
import type { CompiledEntity } from './compiled-entity.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { entityProblem, type Placed } from './entity-problem.ts'

export interface CompiledTree {
  readonly tree: Pick<CompiledEntity, 'tree'>
  readonly problems: readonly Problem[]
}

export function compileTree({ name, tree, relations = {} }: EntityDefinition, place: Placed): CompiledTree {
  if (tree === undefined) return { tree: {}, problems: [] }
  const relation = Object.hasOwn(relations, tree) ? relations[tree] : undefined
  const refused = (message: string, fix: string): CompiledTree => ({
    tree: {},
    problems: [entityProblem(place, 'SVC_ENTITY_TREE', `${name}.tree: ${message}`, { fix })]
  })
  const declare = `declare ${tree}: { type: 'many-to-one', target: '${name}', nullable: true }`
  if (relation === undefined) {
    const near = nearestName(tree, Object.keys(relations))
    return refused(`${name} has no relation ${tree}`, near === undefined ? declare : `did you mean ${near}?`)
  }
  if (relation.type !== 'many-to-one' || relation.target !== name)
    return refused(`${tree} is not a many-to-one relation to ${name} itself`, declare)
  if (relation.nullable !== true)
    return refused(`${tree} is never null, so that no row could be a root`, `add nullable: true to ${tree}`)
  return { tree: { tree: Object.freeze({ field: referenceField(tree, relation) }) }, problems: [] }
}
