/** Random references of the versions of an entity to another one. */
import fc from 'fast-check'
import type { EntityDefinition, OnDelete } from '../entities/entity-definition.ts'

/** `ownerId`, which may be null. */
export interface Link {
  readonly onDelete: OnDelete
  readonly deferrable: boolean
  /** Both entities belong to a scope. */
  readonly scoped: boolean
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
    deferrable: fc.boolean(),
    scoped: fc.boolean()
  })
)

/** The entity with its reference, and the one that it names. */
export function linked(
  definition: EntityDefinition,
  held: Link | null,
  owner: EntityDefinition
): readonly EntityDefinition[] {
  if (held === null) return [definition, owner]
  const { onDelete, deferrable, scoped } = held
  const scope = scoped ? { scope: 'organization' } : {}
  const kept = onDelete === 'none' ? { onDelete } : { onDelete, deferrable }
  const relation = { type: 'many-to-one', target: owner.name, nullable: true, ...kept } as const
  return [
    { ...definition, ...scope, relations: { owner: relation } },
    { ...owner, ...scope }
  ]
}

export function ownersOf(name: string, moved: boolean): EntityDefinition {
  const schema = { name: { type: 'string' } } as const
  return moved ? { name: `${name}KeeperMoved`, was: `${name}Keeper`, schema } : { name: `${name}Keeper`, schema }
}

/** Whom a row names: nobody, a row that is there, that one out of another scope, or one that is gone. */
export type Whom = 'nobody' | 'there' | 'crossing' | 'gone'

/** As far as the first version allows it. */
export function whomOf(link: Link | null): readonly Whom[] {
  if (link?.onDelete !== 'none') return ['nobody', 'there']
  return link.scoped ? ['nobody', 'there', 'crossing', 'gone'] : ['nobody', 'there', 'gone']
}
