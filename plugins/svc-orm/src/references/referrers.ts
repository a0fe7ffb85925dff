/** Which relations refer to the rows of an entity, and what a deletion of them has to do itself. Pure. */
import type { Database } from 'svc-stores/table'
import type { CompiledEntity, CompiledReference, CompiledRelation } from '../entities/compiled-entity.ts'

/** A relation whose reference is kept, of the entity that has it. */
export interface Referrer {
  readonly entity: CompiledEntity
  readonly relation: CompiledRelation
  readonly reference: CompiledReference
}

/** `mark`: rows get a time in `deletedAt`. `remove`: they go. */
export type RemovalKind = 'mark' | 'remove'

/** By the name of the entity that they refer to. */
export type Referrers = ReadonlyMap<string, readonly Referrer[]>

export function referrersOf(entities: readonly CompiledEntity[]): Referrers {
  const byTarget = new Map<string, Referrer[]>()
  for (const entity of entities) {
    for (const relation of entity.relations.values()) {
      const { reference, target } = relation
      if (reference === undefined) continue
      byTarget.set(target, [...(byTarget.get(target) ?? []), { entity, relation, reference }])
    }
  }
  return byTarget
}

/**
 * Whether a deletion has to look at the rows itself: the database does not, or knows nothing of their hooks and marks. A
 * row that is only marked stays, and so do references to it, but for rows that are marked with it.
 */
export function isFollowed(
  { entity, reference }: Referrer,
  kind: RemovalKind,
  { references = false }: Pick<Database, 'references'>
): boolean {
  const { onDelete, byRepository } = reference
  if (kind === 'remove') return !references || byRepository
  return onDelete === 'restrict' || (onDelete === 'cascade' && entity.softDelete)
}

export function hasDeleteHooks({ hooks }: CompiledEntity): boolean {
  return hooks.beforeDelete !== undefined || hooks.afterDelete !== undefined
}
