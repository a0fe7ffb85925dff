/** The indexes of an entity: declared ones, one per unique field, one per reference; each set of fields once. Pure. */
import type { Problem } from 'svc-kernel'
import type { CompiledField, CompiledIndex } from './compiled-entity.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { entityProblem, type Placed } from './entity-problem.ts'

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
  const declared = (definition.indexes ?? []).map(({ fields, unique = false }) => ({ fields, unique }))
  const problems = declared.flatMap((index) =>
    index.fields
      .map((name) => indexFault(name, fields.get(name)))
      .filter((fault) => fault !== null)
      .map((fault) =>
        entityProblem(place, 'SVC_ENTITY_INDEX', `${definition.name}: an index names ${fault}`, {
          fix: 'name fields of the schema, each once'
        })
      )
  )
  const ofFields = [...fields.values()]
    .filter(({ unique }) => unique)
    .map(({ name }) => ({ fields: [name], unique: true }))
  const ofReferences = references.map((name) => ({ fields: [name], unique: false }))
  return { indexes: distinct([...ofFields, ...declared, ...ofReferences]), problems }
}

function indexFault(name: string, field: CompiledField | undefined): string | null {
  if (field === undefined) return `${name}, which is no field`
  return field.array || field.type === 'json' ? `${name}, which is a list or json` : null
}

/** A unique index serves the queries of a plain one. */
function distinct(indexes: readonly CompiledIndex[]): readonly CompiledIndex[] {
  const byFields = new Map<string, CompiledIndex>()
  for (const { fields, unique } of indexes) {
    const key = fields.join()
    if (!byFields.get(key)?.unique) byFields.set(key, Object.freeze({ fields: Object.freeze([...fields]), unique }))
  }
  return [...byFields.values()]
}
