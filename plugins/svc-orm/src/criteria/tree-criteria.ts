/** `$within` and `$pathTo`: rows of a tree by where they are, below or above others. Pure. */
import { type Condition, isRecord, MOST_TREE_LEVELS, type TreeCondition } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { InvalidCriteria } from '../errors.ts'

const DIRECTIONS: Readonly<Record<string, TreeCondition['direction']>> = { $within: 'down', $pathTo: 'up' }

export const TREE_OPERATORS: readonly string[] = Object.keys(DIRECTIONS)

export interface TreeWalk {
  readonly direction: TreeCondition['direction']
  readonly from: readonly Condition[]
  readonly of: readonly Condition[]
  readonly levels?: number | undefined
  /** The column that holds the key of a row of the tree. Default: the key itself. */
  readonly field?: string
}

/** @param entity one with a tree */
export function treeCondition(
  entity: CompiledEntity,
  { direction, from, of, levels, field = 'id' }: TreeWalk
): TreeCondition {
  const { field: parent } = entity.tree as NonNullable<CompiledEntity['tree']>
  const bound = levels === undefined ? {} : { levels }
  return { operator: 'tree', field, table: entityPlan(entity), key: 'id', parent, direction, from, of, ...bound }
}

/**
 * @param name one of `TREE_OPERATORS` @param of what every row of the walk meets @param parse criteria of the entity
 * @throws InvalidCriteria
 */
export function parseTree(
  entity: CompiledEntity,
  name: string,
  given: unknown,
  walk: Pick<TreeWalk, 'of' | 'field'>,
  parse: (criteria: object) => readonly Condition[]
): TreeCondition {
  if (entity.tree === undefined) throw new InvalidCriteria(name, `an entity with tree, which ${entity.name} is not`)
  if (typeof given !== 'string' && !isRecord(given))
    throw new InvalidCriteria(name, `an id or criteria of ${entity.name}`)
  const { $depth: levels, ...criteria } = typeof given === 'string' ? { id: given } : given
  if (levels !== undefined && !isDepth(levels))
    throw new InvalidCriteria(`${name} $depth`, `an integer from 1 to ${MOST_TREE_LEVELS}`)
  const from = parse(criteria)
  if (from.length === 0) throw new InvalidCriteria(name, 'criteria that are not empty')
  return treeCondition(entity, { ...walk, direction: DIRECTIONS[name] as TreeCondition['direction'], from, levels })
}

export function isDepth(given: unknown): given is number {
  return Number.isInteger(given) && (given as number) >= 1 && (given as number) <= MOST_TREE_LEVELS
}
