/** The order of rows: by their own fields, by fields of rows that they refer to, by how many refer to them. Pure. */
import type { SortKey, SortValue, Step } from 'svc-stores/table'
import type { CompiledEntity, CompiledField, CompiledRelation } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { InvalidFindOptions } from '../errors.ts'
import type { FindScope } from './find-scope.ts'
import { isJson, parsePath } from './json-path.ts'
import { COUNT, deletedIn, reach } from './reached-field.ts'
import { RANK, rankedValue } from './search-criteria.ts'

const PAIRS = 'a list of [field, direction] pairs'

/** What decides between rows that an order leaves level. */
export const TIES: Readonly<Record<SortKey['direction'], SortKey>> = {
  ASC: { field: 'id', direction: 'ASC' },
  DESC: { field: 'id', direction: 'DESC' }
}

/**
 * Ends with `id`.
 *
 * @param walked in the direction of the last key, so that an index has the whole order, and each page begins within it; by
 * what is never null
 * @throws InvalidFindOptions, UnknownCriteriaField
 */
export function readOrder(
  entity: CompiledEntity,
  given: unknown,
  scope: FindScope,
  walked = false
): readonly SortKey[] {
  if (!Array.isArray(given)) throw new InvalidFindOptions('order', PAIRS)
  const keys = Array.from(given as unknown[], (pair) => readKey(entity, pair, scope, walked))
  const names = keys.map(({ field }) => field)
  if (new Set(names).size < names.length) {
    throw new InvalidFindOptions('order', 'a list without repeated fields')
  }
  return names.includes('id') ? keys : [...keys, TIES[(walked && keys.at(-1)?.direction) || 'ASC']]
}

/** The field that a key sorts by, of the entity or of one that it reaches. @throws UnknownCriteriaField */
export function sortedField(entity: CompiledEntity, name: string, scope: FindScope): CompiledField {
  return reach(entity, name, scope, 'order of').field
}

function readKey(entity: CompiledEntity, pair: unknown, scope: FindScope, walked: boolean): SortKey {
  const [name, direction] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
  if (typeof name !== 'string') throw new InvalidFindOptions('order', PAIRS)
  const by = name === RANK ? rankedValue(entity, scope, walked) : sortValue(entity, name, scope, walked)
  if (direction !== 'ASC' && direction !== 'DESC') throw new InvalidFindOptions(`order of ${name}`, 'ASC or DESC')
  return by === null ? { field: name, direction } : { field: name, direction, by }
}

/** @returns `null` for a field of the entity itself */
function sortValue(entity: CompiledEntity, name: string, scope: FindScope, walked: boolean): SortValue | null {
  const [head = '', ...rest] = name.split('.')
  const relation = entity.relations.get(head)
  const field = relation === undefined && rest.length > 0 ? entity.fields.get(head) : undefined
  if (field !== undefined && isJson(field)) {
    if (field.sealed !== undefined) throw new InvalidFindOptions(`order of ${name}`, 'a field that is not sealed')
    if (walked) throw new NullInPages(name)
    return { kind: 'path', column: head, path: parsePath(name.slice(head.length + 1), `order of ${name}`) }
  }
  if (relation !== undefined && rest.length === 1 && rest[0] === COUNT) {
    if (walked) throw new InvalidFindOptions(`order of ${name}`, 'a field, because it orders the pages')
    return { kind: 'counted', ...rowsOf(relation, scope) }
  }
  const { steps, field: sorted, isHeld } = reach(entity, name, scope, 'order of')
  if (sorted.array || sorted.sealed !== undefined || !sorted.fieldType.can.compare) {
    throw new InvalidFindOptions(`order of ${name}`, 'a field whose values have an order')
  }
  if (walked && !isHeld) throw new NullInPages(name)
  if (steps.length === 0) return null
  // A row whose reference leads to none has no place between two others.
  return { kind: 'reached', steps, column: sorted.name, ...(walked && { required: true }) }
}

/** @throws InvalidFindOptions for a relation to one row */
function rowsOf({ name, type, target: of, field }: CompiledRelation, scope: FindScope): Step {
  if (type !== 'one-to-many') throw new InvalidFindOptions(`order of ${name}.${COUNT}`, 'a one-to-many relation')
  const target = scope.entityOf(of)
  return { field: 'id', table: entityPlan(target), column: field, ...deletedIn(target, scope) }
}

class NullInPages extends InvalidFindOptions {
  constructor(name: string) {
    super(`order of ${name}`, 'a field that is never null, because it orders the pages')
  }
}
