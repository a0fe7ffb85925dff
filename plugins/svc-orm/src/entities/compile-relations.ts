/** The relations of an entity, checked against the other entities of the connector. Pure. */
import type { Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import { referenceField } from './compile-fields.ts'
import { type KeptReferences, type KnownEntities, referenceFaults } from './compile-references.ts'
import type { CompiledReference, CompiledRelation } from './compiled-entity.ts'
import type { EntityDefinition, RelationDefinition } from './entity-definition.ts'
import { entityProblem, type Placed } from './entity-problem.ts'

export interface CompiledRelations {
  readonly relations: ReadonlyMap<string, CompiledRelation>
  readonly problems: readonly Problem[]
}

interface Fault {
  readonly message: string
  readonly fix?: string
}

export function compileRelations(
  definition: EntityDefinition,
  place: Placed,
  known: KnownEntities,
  references: KeptReferences
): CompiledRelations {
  const relations = new Map<string, CompiledRelation>()
  const problems: Problem[] = []
  for (const [name, relation] of Object.entries(definition.relations ?? {})) {
    const faults = relationFaults(definition, relation, known)
    const said = faults.map(({ message, fix }) =>
      entityProblem(
        place,
        'SVC_ENTITY_RELATION',
        `${definition.name}.${name}: ${message}`,
        fix === undefined ? {} : { fix }
      )
    )
    problems.push(...said)
    if (faults.length === 0) {
      const reference = references.get(`${definition.name}.${name}`)
      relations.set(name, Object.freeze(compileRelation(name, relation, known, reference)))
    }
  }
  return { relations, problems }
}

function compileRelation(
  name: string,
  relation: RelationDefinition,
  known: KnownEntities,
  reference: CompiledReference | undefined
): CompiledRelation {
  const { type, target, mappedBy = null } = relation
  const owning = mappedBy === null ? undefined : known.get(target)?.relations?.[mappedBy]
  const field =
    mappedBy === null || owning === undefined ? referenceField(name, relation) : referenceField(mappedBy, owning)
  return { name, type, target, field, mappedBy, ...(reference !== undefined && { reference }) }
}

function relationFaults(definition: EntityDefinition, relation: RelationDefinition, known: KnownEntities): Fault[] {
  if ((relation.type as string) === 'many-to-many') {
    return [
      {
        message: 'many-to-many relations are not supported',
        fix: `declare an entity for the pair, with a many-to-one to ${definition.name} and one to ${relation.target}`
      }
    ]
  }
  const target = known.get(relation.target)
  if (target === undefined) {
    const near = nearestName(relation.target, [...known.keys()])
    const message = `the connector has no entity ${relation.target}`
    return [near === undefined ? { message } : { message, fix: `did you mean ${near}?` }]
  }
  if (relation.type === 'one-to-many') return childFaults(definition, relation, target)
  if (relation.mappedBy !== undefined) return [{ message: 'mappedBy is for one-to-many', fix: 'remove mappedBy' }]
  return referenceFaults(definition, relation, known)
}

/** The parent of a `one-to-many` keeps nothing: the reference is on the child, and must point back here. */
function childFaults(
  definition: EntityDefinition,
  { target: name, mappedBy, ...given }: RelationDefinition,
  target: EntityDefinition | null
): Fault[] {
  const superfluous = (['field', 'nullable', 'onDelete', 'deferrable', 'was'] as const)
    .filter((key) => given[key] !== undefined)
    .map((key) => ({ message: `${key} belongs to the many-to-one relation on ${name}`, fix: `remove ${key}` }))
  if (superfluous.length > 0) return superfluous
  if (mappedBy === undefined) {
    return [
      { message: 'mappedBy is missing', fix: `name the many-to-one on ${name} that points to ${definition.name}` }
    ]
  }
  if (target === null) return []
  const owning = Object.hasOwn(target.relations ?? {}, mappedBy) ? target.relations?.[mappedBy] : undefined
  if (owning?.type === 'many-to-one' && owning.target === definition.name) return []
  const fix = `add ${mappedBy}: { type: 'many-to-one', target: '${definition.name}' } to the relations of ${name}`
  return [{ message: `${name}.${mappedBy} is not a many-to-one relation to ${definition.name}`, fix }]
}
