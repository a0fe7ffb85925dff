/** All entities of one connector, checked together: all that is wrong is reported at once, each with its place. Pure. */
import type { Problem } from 'svc-kernel'
import { checkOptions } from 'svc-kernel/plugin'
import { isRecord } from 'svc-stores/table'
import { isOwnFieldType } from '../fields/define-field-type.ts'
import { compileFields, snakeCase } from './compile-fields.ts'
import { compileIndexes } from './compile-indexes.ts'
import { compileReferences, type KeptReferences, type KnownEntities } from './compile-references.ts'
import { compileRelations } from './compile-relations.ts'
import { compileTree } from './compile-tree.ts'
import type { CompiledEntity } from './compiled-entity.ts'
import { definitionSchema } from './definition-schema.ts'
import { type EntityDefinition, HOOK_NAMES } from './entity-definition.ts'
import { keyProblems } from './entity-key.ts'
import { entityProblem, type Placed } from './entity-problem.ts'
import { existingProblems, idOf } from './existing-table.ts'
import { scopeOf } from './scope-field.ts'
import { compileSearch } from './searched-fields.ts'

export interface PlacedDefinition extends Placed {
  readonly definition: EntityDefinition
}

export interface EntitiesOutcome {
  readonly entities: readonly CompiledEntity[]
  /** Where there are any, `entities` is not to be used. */
  readonly problems: readonly Problem[]
}

/** @param connector its name, for messages */
export function compileEntities(given: readonly PlacedDefinition[], connector: string): EntitiesOutcome {
  const formal = new Map(given.map((each) => [each, formProblems(each)]))
  const sound = given.filter((each) => formal.get(each)?.length === 0)
  const known: KnownEntities = new Map<string, EntityDefinition | null>([
    ...given.map(({ definition }): [string, null] => [nameOf(definition), null]),
    ...sound.map(({ definition }): [string, EntityDefinition] => [definition.name, definition])
  ])
  const kept = compileReferences(known)
  const compiled = sound.map((each) => compileEntity(each, known, kept))
  return {
    entities: compiled.map(({ entity }) => entity),
    problems: [
      ...[...formal.values()].flat(),
      ...duplicateProblems(sound, connector),
      ...formerNameProblems(sound),
      ...typeNameProblems(sound),
      ...compiled.flatMap(({ problems }) => problems)
    ]
  }
}

function formProblems(each: PlacedDefinition): readonly Problem[] {
  const name = nameOf(each.definition)
  const { hooks: _, ...data } = each.definition
  const { problems } = checkOptions(name, definitionSchema, withNamedTypes(data))
  return problems.map(({ message, at, got, expected, fix }) =>
    entityProblem(each, 'SVC_ENTITY_INVALID', `${at ?? name}: ${message}`, { got, expected, fix })
  )
}

/** A type of the application's own was checked when it was defined, and is no data. */
function withNamedTypes(data: object): object {
  const { schema } = data as { readonly schema?: unknown }
  if (!isRecord(schema)) return data
  const fields = Object.entries(schema).map(([name, field]) => [
    name,
    isRecord(field) && typeof field.type === 'object' ? { ...field, type: named(field.type) } : field
  ])
  return { ...data, schema: Object.fromEntries(fields) }
}

function named(type: object | null): string {
  return isOwnFieldType(type) ? 'string' : 'an object that defineFieldType did not return'
}

function nameOf(definition: { readonly name?: unknown }): string {
  return typeof definition.name === 'string' ? definition.name : 'entity'
}

function compileEntity(
  each: PlacedDefinition,
  known: KnownEntities,
  kept: KeptReferences
): { entity: CompiledEntity; problems: Problem[] } {
  const { definition, place } = each
  const idTypeOf = (entity: string) => known.get(entity)?.existing?.id
  const { fields, retired, problems: ofFields } = compileFields(definition, each, idTypeOf)
  const { relations, problems: ofRelations } = compileRelations(definition, each, known, kept)
  const { tree, problems: ofTree } = compileTree(definition, each)
  const references = [...relations.values()].filter(({ mappedBy }) => mappedBy === null).map(({ field }) => field)
  const { indexes, problems: ofIndexes } = compileIndexes(definition, each, fields, references)
  const { search, problems: ofSearch } = compileSearch(definition, each, fields)
  const {
    name,
    module = null,
    timestamps = false,
    softDelete = false,
    version = false,
    hooks = {},
    was,
    existing
  } = definition
  const entity = Object.freeze({
    name,
    ...(was !== undefined && { was }),
    module,
    table: tableOf(definition),
    ...(existing !== undefined && { existing }),
    id: idOf(definition, fields),
    fields,
    retired,
    relations,
    indexes,
    ...(search !== undefined && { search: Object.freeze(search) }),
    ...(definition.scope !== undefined && { scope: Object.freeze(scopeOf(definition.scope)) }),
    ...tree,
    ...(isReferredWithin(definition, kept) && { referredWithin: true as const }),
    timestamps,
    softDelete,
    version,
    hooks,
    place
  })
  return {
    entity,
    problems: [
      ...ofFields,
      ...ofRelations,
      ...ofTree,
      ...ofIndexes,
      ...ofSearch,
      ...keyProblems(definition, each, fields),
      ...existingProblems(definition, each, fields),
      ...hookProblems(each)
    ]
  }
}

function isReferredWithin(definition: EntityDefinition, kept: KeptReferences): boolean {
  return [...kept.values()].some(({ table, within }) => within !== undefined && table === tableOf(definition))
}

function tableOf({ name, existing }: EntityDefinition): string {
  return existing === undefined ? snakeCase(name) : existing.name
}

/** Functions are no data: the form of a definition does not know them. */
function hookProblems(each: PlacedDefinition): Problem[] {
  const { name, hooks = {} } = each.definition
  const given = isRecord(hooks) ? Object.entries(hooks) : [['hooks', hooks] as const]
  const wrong = given.filter(([hook, work]) => {
    return !HOOK_NAMES.some((known) => known === hook) || (work !== undefined && typeof work !== 'function')
  })
  return wrong.map(([hook]) => {
    const expected = `a function under one of ${HOOK_NAMES.join(', ')}`
    return entityProblem(each, 'SVC_ENTITY_INVALID', `${name}.hooks.${hook} is not a hook`, { expected })
  })
}

/** An entity and one that it was cannot both be there: they would claim the same rows. */
function formerNameProblems(given: readonly PlacedDefinition[]): Problem[] {
  return given.flatMap((each, index) => {
    const { name, was } = each.definition
    if (was === undefined) return []
    const other = given.find(
      ({ definition }, place) => definition.name === was || (definition.was === was && place < index)
    )
    if (other === undefined) return []
    const message = `${name} was ${was}, which is the current or previous name of ${other.definition.name}`
    return [entityProblem(each, 'SVC_ENTITY_NAME', message, { fix: 'remove was' })]
  })
}

/** Two names that make one table are one name to the database. */
function duplicateProblems(given: readonly PlacedDefinition[], connector: string): Problem[] {
  const tables = given.map(({ definition }) => tableOf(definition))
  return given.flatMap((each, index) => {
    const first = given[tables.indexOf(tables[index] ?? '')]
    if (first === undefined || first === each) return []
    const { name } = each.definition
    const taken = first.definition.name === name ? '' : `, under the name ${first.definition.name}`
    const message = `${name} is declared twice on connector ${connector}${taken}${first.place === null ? '' : `: first at ${first.place}`}`
    return [entityProblem(each, 'SVC_ENTITY_DUPLICATE', message, { fix: 'remove one, or give it another connector' })]
  })
}

/** Migrations have the name alone. */
function typeNameProblems(given: readonly PlacedDefinition[]): Problem[] {
  const byName = new Map<string, unknown>()
  return given.flatMap((each) =>
    Object.entries(each.definition.schema).flatMap(([field, { type }]) => {
      if (!isOwnFieldType(type)) return []
      const first = byName.get(type.name) ?? type
      byName.set(type.name, first)
      if (first === type) return []
      const message = `${each.definition.name}.${field}: two field types are named ${type.name}`
      return [entityProblem(each, 'SVC_ENTITY_TYPE', message, { fix: 'use one object, or rename one' })]
    })
  )
}
