/** Random references of the versions of an entity to another one. */
import fc from 'fast-check'
import type { EntityDefinition, OnDelete } from '../entities/entity-definition.ts'

/** `ownerId`, which may be null. */
export interface Link {
  readonly onDelete: OnDelete
  readonly deferrable: boolean
}

export interface Links {
  readonly before: Link | null
  readonly after: Link | null
  /** The entity that is named has another name in the second version. */
  readonly ownerMoved: boolean
}

export const link: fc.Arbitrary<Link | null> = fc.option(
  fc.record({
    onDelete: fc.constantFrom('restrict', 'cascade', 'setNull', 'none'),
    deferrable: fc.boolean()
  })
)

/** The entity with its reference, and the one that it names. */
export function linked(
  definition: EntityDefinition,
  held: Link | null,
  owner: EntityDefinition
): readonly EntityDefinition[] {
  if (held === null) return [definition, owner]
  const { onDelete, deferrable } = held
  const kept = onDelete === 'none' ? { onDelete } : { onDelete, deferrable }
  const relation = { type: 'many-to-one', target: owner.name, nullable: true, ...kept } as const
  return [{ ...definition, relations: { owner: relation } }, owner]
}

export function ownersOf(name: string, moved: boolean): EntityDefinition {
  const schema = { name: { type: 'string' } } as const
  return moved ? { name: `${name}KeeperMoved`, was: `${name}Keeper`, schema } : { name: `${name}Keeper`, schema }
}
