/**
 * The indexes of an entity: declared ones, one per unique field, one per reference; each set of fields once, and once more
 * for each choice of rows. Pure.
 */
import type { Problem } from 'svc-kernel'
import type { IndexMethod } from 'svc-stores/table'
import { snakeCase } from './compile-fields.ts'
import type { CompiledField, CompiledIndex } from './compiled-entity.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { keyFields } from './entity-key.ts'
import { entityProblem, type Placed } from './entity-problem.ts'
import { fieldNames, foldedName, foldedNames } from './folded-fields.ts'
import { PRESENT_ROWS, readIndexConditions } from './index-criteria.ts'
import { inScope } from './scope-field.ts'

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
  const declared = (definition.indexes ?? []).map((given): CompiledIndex => {
    const { unique = false, where, method } = given
    const [names, folds] = [fieldNames(given), foldedNames([given])]
    faults.push(...names.flatMap((name) => indexFault(name, fields.get(name), method) ?? []))
    faults.push(...[...folds].flatMap((name) => foldFault(definition, name, fields) ?? []))
    if (method !== undefined && (names.length > 1 || unique !== false || folds.size > 0))
      faults.push(`an index of ${names.join(', ')} with the method ${method} is of one field, without unique and fold`)
    const index = {
      fields: names,
      ...(folds.size > 0 && { folded: [...folds] }),
      ...(method !== undefined && { method })
    }
    const of = `an index of ${names.join(', ')}`
    if (unique === 'present' && where !== undefined) faults.push(`${of} has where beside unique: 'present'`)
    if (unique === 'present') return { ...index, ...present(of) }
    if (where === undefined) return { ...index, unique }
    const rows = readIndexConditions(fields, where, (fault) => faults.push(`${of}: ${fault}`))
    const sealed = rows.find((each) => each.operator !== 'null' && fields.get(each.field)?.sealed !== undefined)
    if (sealed !== undefined) faults.push(`${of}: where asks for a value of ${sealed.field}, which is sealed`)
    return { ...index, unique, where: rows }
  })
  const ofFields = [...fields.values()].flatMap(({ name, unique }): CompiledIndex[] => {
    if (unique) return [{ fields: [name], unique }]
    return schema[name]?.unique === 'present' ? [{ fields: [name], ...present(name) }] : []
  })
  const key = keyFields(definition)
  const ofKey = key === undefined ? [] : [{ fields: key, unique: true }]
  const ofReferences = references.map((name) => ({ fields: [name], unique: false }))
  const problems = faults.map((fault) =>
    entityProblem(place, 'SVC_ENTITY_INDEX', `${entity}: ${fault}`, {
      fix: 'correct the index; npx svc docs declaring-entities says what one can have'
    })
  )
  const indexes = inScope(definition.scope, [...ofKey, ...ofFields, ...declared, ...ofReferences])
  return { indexes: distinct(indexes), problems }
}

function indexFault(name: string, field: CompiledField | undefined, method?: IndexMethod): string | null {
  if (field === undefined) return `an index names ${name}, which is not a field`
  const { array, fieldType, sealed } = field
  if (sealed === true || (sealed !== undefined && method !== undefined))
    return `an index names ${name}, which is sealed${sealed === true ? ' and not searchable' : ''}`
  if (method === 'gin')
    return array || fieldType.storage === 'json'
      ? null
      : `an index with the method gin names ${name}, which is no list or json`
  if (method === 'trigram')
    return !array && fieldType.can.search ? null : `an index with the method trigram names ${name}, which is no text`
  return array || !fieldType.can.compare ? `an index names ${name}, which is a list, json or bytes` : null
}

function foldFault(
  { existing }: EntityDefinition,
  name: string,
  fields: ReadonlyMap<string, CompiledField>
): string | null {
  const field = fields.get(name)
  if (field === undefined) return null
  if (field.sealed !== undefined) return `an index folds ${name}, which is sealed`
  if (existing !== undefined) return `an index folds ${name}, which needs a column that an existing table does not get`
  if (field.array || !field.fieldType.can.search) return `an index folds ${name}, which is no text`
  const taken = [...fields.keys()].find((each) => snakeCase(each) === snakeCase(foldedName(name)))
  return taken === undefined ? null : `an index folds ${name}, and the name of its column is that of the field ${taken}`
}

/** A unique index serves the queries of a plain one. */
function distinct(indexes: readonly CompiledIndex[]): readonly CompiledIndex[] {
  const known = new Map<string, CompiledIndex>()
  for (const index of indexes) {
    const { fields, folded, where, method } = index
    const key = JSON.stringify([fields, folded, where, method])
    if (!known.get(key)?.unique) known.set(key, Object.freeze({ ...index, fields: Object.freeze([...fields]) }))
  }
  return [...known.values()]
}
