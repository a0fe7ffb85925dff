/** What holds the references of entities together: their rules, and who carries them out. Pure. */
import { snakeCase } from './compile-fields.ts'
import type { CompiledReference } from './compiled-entity.ts'
import type { EntityDefinition, HookName, OnDelete, RelationDefinition } from './entity-definition.ts'
import { keyFields } from './entity-key.ts'
import { columnOf } from './existing-table.ts'
import { scopeOf } from './scope-field.ts'

/** The definitions of a connector by name; `null` where one is so wrong that nothing can be said of it. */
export type KnownEntities = ReadonlyMap<string, EntityDefinition | null>

interface Fault {
  readonly message: string
  readonly fix?: string
}

/** By `Entity.relation`. */
export type KeptReferences = ReadonlyMap<string, CompiledReference>

const DELETING: readonly HookName[] = ['beforeDelete', 'afterDelete']
const UPDATING: readonly HookName[] = ['beforeUpdate', 'afterUpdate']

interface Kept {
  readonly name: string
  readonly owner: EntityDefinition
  readonly relation: RelationDefinition
  readonly onDelete: Exclude<OnDelete, 'none'>
  readonly within?: string
}

/** Of all entities of a connector: what one cascade does is known from what lies behind it. */
export function compileReferences(known: KnownEntities): KeptReferences {
  const kept = [...known.values()].flatMap((definition) => (definition === null ? [] : keptBy(definition, known)))
  const byRepository = new Set(kept.filter(hasOwnPart))
  // A cascade of the database would stop at rows that the repository has to delete.
  for (let size = -1; size !== byRepository.size; ) {
    size = byRepository.size
    const stopped = [...byRepository]
      .filter(({ onDelete }) => onDelete !== 'restrict')
      .map(({ relation }) => relation.target)
    for (const each of kept)
      if (each.onDelete === 'cascade' && stopped.includes(each.owner.name)) byRepository.add(each)
  }
  return new Map(
    kept.map((each) => [
      each.name,
      Object.freeze({
        ...namedIn(each.relation, known),
        ...(each.within !== undefined && { within: each.within }),
        onDelete: each.onDelete,
        deferrable: each.relation.deferrable ?? false,
        byRepository: byRepository.has(each)
      })
    ])
  )
}

function namedIn({ target }: RelationDefinition, known: KnownEntities): Pick<CompiledReference, 'table' | 'key'> {
  const existing = known.get(target)?.existing
  return { table: existing?.name ?? snakeCase(target), key: columnOf({ ...(existing && { existing }) }, 'id') }
}

/** The rule of a relation that keeps a reference. */
export function ruleOf(owner: EntityDefinition, relation: RelationDefinition, known: KnownEntities): OnDelete {
  const { onDelete, target } = relation
  if (onDelete !== undefined) return onDelete
  return owner.existing !== undefined || known.get(target)?.existing !== undefined ? 'none' : 'restrict'
}

export function referenceFaults(owner: EntityDefinition, relation: RelationDefinition, known: KnownEntities): Fault[] {
  const { onDelete, deferrable, nullable = false, target } = relation
  const rule = ruleOf(owner, relation, known)
  const key = keyFields(known.get(target) ?? {})
  const faults: (Fault | false)[] = [
    key !== undefined && {
      message: `${target} has a key of several columns, which no reference names`,
      fix: `declare fields for ${key.join(' and ')}, and find rows of ${target} by them`
    },
    onDelete === 'setNull' &&
      !nullable && { message: 'onDelete: setNull needs a reference that may be null', fix: 'add nullable: true' },
    deferrable !== undefined &&
      rule === 'none' && { message: 'deferrable has no effect on onDelete: none', fix: 'remove deferrable' },
    owner.existing !== undefined &&
      rule !== 'none' && {
        message: `${owner.name} maps an existing table, whose references svc does not keep`,
        fix: 'remove onDelete'
      },
    rule === 'cascade' &&
      owner.softDelete === true &&
      known.get(target)?.softDelete !== true && {
        message: `a row of ${owner.name} that is only marked as deleted would refer to a row of ${target} that is gone`,
        fix: `add softDelete: true to ${target}, or use onDelete: 'restrict'${nullable ? " or 'setNull'" : ''}`
      }
  ]
  return faults.filter((fault) => fault !== false)
}

function keptBy(owner: EntityDefinition, known: KnownEntities): Kept[] {
  return Object.entries(owner.relations ?? {}).flatMap(([relationName, relation]) => {
    const onDelete = relation.type === 'one-to-many' ? 'none' : ruleOf(owner, relation, known)
    if (onDelete === 'none') return []
    const within = commonScope(owner, known.get(relation.target))
    return [{ name: `${owner.name}.${relationName}`, owner, relation, onDelete, ...(within !== null && { within }) }]
  })
}

/** The field that keeps the scope of both. An existing table has no index for it. */
function commonScope(owner: EntityDefinition, target: EntityDefinition | null | undefined): string | null {
  const { scope } = owner
  const isCommon = scope !== undefined && scope === target?.scope && target.existing === undefined
  return isCommon ? scopeOf(scope).field : null
}

/**
 * The rows have hooks, marks, versions or times that a database knows nothing of; or their scope would become null with
 * their reference.
 */
function hasOwnPart({ owner, onDelete, within }: Kept): boolean {
  const { hooks, softDelete = false, version = false, timestamps = false } = owner
  const has = (names: readonly HookName[]) => names.some((name) => hooks?.[name] !== undefined)
  if (onDelete === 'cascade') return softDelete || has(DELETING)
  return onDelete === 'setNull' && (within !== undefined || version || timestamps || has(UPDATING))
}
