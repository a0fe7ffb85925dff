/**
 * The indexes of an entity: declared ones, one per unique field, one per reference; each set of fields once, and once more
 * for each choice of rows. Pure.
 */
import type { Problem } from 'svc-kernel'
import type { CompiledField, CompiledIndex } from './compiled-entity.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { entityProblem, type Placed } from './entity-problem.ts'
import { PRESENT_ROWS, readIndexConditions } from './index-criteria.ts'

export interface CompiledIndexes {
  readonly indexes: readonly CompiledIndex[]
  readonly problems: readonly Problem[]
}

/** @param references names of the fields that relations keep ids in */
export function compileIndexes(
  definition: EntityDefinition,
  place: Placed,
  fields: ReadonlyMap<string, CompiledField>,
  references: readonly string[]
): CompiledIndexes {
  const { name: entity, schema, softDelete = false } = definition
  const faults: string[] = []
  const present = (at: string) => {
    if (!softDelete) faults.push(`${at} is unique among present rows, and ${entity} has no softDelete`)
    return { unique: true, where: PRESENT_ROWS }
  }
  const declared = (definition.indexes ?? []).map(({ fields: names, unique = false, where }): CompiledIndex => {
    faults.push(...names.flatMap((name) => indexFault(name, fields.get(name)) ?? []))
    const of = `an index of ${names.join(', ')}`
    if (unique === 'present' && where !== undefined) faults.push(`${of} has where beside unique: 'present'`)
    if (unique === 'present') return { fields: names, ...present(of) }
    if (where === undefined) return { fields: names, unique }
    return {
      fields: names,
      unique,
      where: readIndexConditions(fields, where, (fault) => faults.push(`${of}: ${fault}`))
    }
  })
  const ofFields = [...fields.values()].flatMap(({ name, unique }): CompiledIndex[] => {
    if (unique) return [{ fields: [name], unique }]
    return schema[name]?.unique === 'present' ? [{ fields: [name], ...present(name) }] : []
  })
  const ofReferences = references.map((name) => ({ fields: [name], unique: false }))
  const problems = faults.map((fault) =>
    entityProblem(place, 'SVC_ENTITY_INDEX', `${entity}: ${fault}`, {
      fix: 'correct the index; npx svc docs declaring-entities says what one can have'
    })
  )
  return { indexes: distinct([...ofFields, ...declared, ...ofReferences]), problems }
}

function indexFault(name: string, field: CompiledField | undefined): string | null {
  if (field === undefined) return `an index names ${name}, which is not a field`
  return field.array || !field.fieldType.can.compare ? `an index names ${name}, which is a list, json or bytes` : null
}

/** A unique index serves the queries of a plain one. */
function distinct(indexes: readonly CompiledIndex[]): readonly CompiledIndex[] {
  const known = new Map<string, CompiledIndex>()
  for (const index of indexes) {
    const { fields, where } = index
    const key = JSON.stringify([fields, where])
    if (!known.get(key)?.unique) known.set(key, Object.freeze({ ...index, fields: Object.freeze([...fields]) }))
  }
  return [...known.values()]
}
