/** The fields of an entity: those of its schema, the references of its relations, the timestamps. Pure. */
import type { Problem } from 'svc-kernel'
import { isSecretField } from 'svc-kernel/plugin'
import type { IdForm } from 'svc-stores/table'
import { dateType } from '../fields/date.ts'
import { isOwnFieldType } from '../fields/define-field-type.ts'
import type { FieldTypeDefinition, Setting } from '../fields/field-type.ts'
import { BUILT_IN, takersOf } from '../fields/field-types.ts'
import { idType as id } from '../fields/id.ts'
import { integerType } from '../fields/integer.ts'
import { stringType } from '../fields/string.ts'
import type { CompiledField } from './compiled-entity.ts'
import type { EntityDefinition, FieldDefinition, IdType, RelationDefinition } from './entity-definition.ts'
import { entityProblem, type Placed } from './entity-problem.ts'
import { readField } from './field-values.ts'
import { foldedName, foldedNames } from './folded-fields.ts'
import { hashColumn } from './hash-column.ts'
import { scopeOf } from './scope-field.ts'
import { compileRule } from './value-rule.ts'

const TIMESTAMPS = ['createdAt', 'updatedAt']

/** No id can be a default: every row would point to the same one. */
const NO_IDS: IdForm = { description: 'no default, because it is an id', generate: () => '', accepts: () => false }

export interface CompiledFields {
  readonly fields: ReadonlyMap<string, CompiledField>
  readonly retired: readonly CompiledField[]
  readonly problems: readonly Problem[]
}

/** @param idTypeOf of the entity that a reference names; default: ids of the database's own */
export function compileFields(
  definition: EntityDefinition,
  place: Placed,
  idTypeOf: (entity: string) => IdType | undefined = () => undefined
): CompiledFields {
  const { name: entity, schema, relations = {} } = definition
  const declared = Object.entries(schema).map(([name, field]) => schemaField(name, field))
  const faults = declared.flatMap(({ field, faults }) =>
    fieldFaults(field, schema[field.name], faults).map((fault) => ({ name: field.name, fault }))
  )
  const references = Object.entries(relations)
    .filter(([, { type }]) => type !== 'one-to-many')
    .map(([name, relation]) => ({
      ...heldId(referenceField(name, relation), idTypeOf(relation.target)),
      nullable: relation.nullable ?? false,
      unique: relation.type === 'one-to-one',
      ...(relation.was !== undefined && { was: relation.was })
    }))
  const all: CompiledField[] = [...declared.map(({ field }) => field), ...references, ...managedFields(definition)]
  const folded = foldedNames(definition.indexes ?? [])
  const withFolded = (field: CompiledField): CompiledField =>
    folded.has(field.name) ? { ...field, folded: foldedName(field.name) } : field
  const isRetired = ({ name }: CompiledField) => schema[name]?.retired === true
  return {
    fields: new Map(
      all.filter((field) => !isRetired(field)).map((field) => [field.name, Object.freeze(withFolded(field))])
    ),
    retired: all.filter(isRetired),
    problems: [
      ...nameFaults(all, Object.keys(relations)).map((fault) =>
        entityProblem(place, 'SVC_ENTITY_NAME', `${entity}.${fault}`, { fix: 'rename the field' })
      ),
      ...formerNameFaults(all).map((fault) =>
        entityProblem(place, 'SVC_ENTITY_NAME', `${entity}.${fault}`, { fix: 'remove was' })
      ),
      ...faults.map(({ name, fault }) =>
        entityProblem(place, 'SVC_ENTITY_FIELD', `${entity}.${name}: ${fault}`, {
          fix: 'correct the field; npx svc docs repositories lists the keys'
        })
      )
    ]
  }
}

/** Those that the repository keeps. */
function managedFields(definition: EntityDefinition): CompiledField[] {
  const { scope, timestamps = false, softDelete = false, version = false } = definition
  const fields = [
    ...(scope === undefined ? [] : [{ ...bareField(scopeOf(scope).field, stringType), scope: true as const }]),
    ...(timestamps ? TIMESTAMPS.map((name) => bareField(name, dateType)) : []),
    ...(softDelete ? [{ ...bareField('deletedAt', dateType), nullable: true }] : []),
    ...(version ? [{ ...bareField('version', integerType), default: 1 }] : [])
  ]
  return fields.map((field) => ({ ...field, managed: true }))
}

/** @param idType of the entity whose ids it holds */
function heldId(name: string, idType: IdType | undefined): CompiledField {
  return { ...bareField(name, id), ...(idType !== undefined && { idType }) }
}

function bareField(name: string, fieldType: FieldTypeDefinition): CompiledField {
  return {
    name,
    type: fieldType.name,
    fieldType,
    array: false,
    nullable: false,
    unique: false,
    default: undefined,
    maxLength: null,
    managed: false
  }
}

/** @returns also what is wrong with its checks */
function schemaField(name: string, field: FieldDefinition): { field: CompiledField; faults: readonly string[] } {
  const { array = false, nullable = false, unique = false, maxLength = null, values, was } = field
  const fieldType = fieldTypeOf(field)
  const { name: type } = fieldType
  const scale = type === 'bigint' ? 0 : field.scale
  const hidden = field.hidden ?? (isSecretField(name, type) || undefined)
  const sealed = field.sealed === false ? undefined : field.sealed
  const { rule, faults } = compileRule(field, fieldType)
  const compiled: CompiledField = {
    ...{ name, type, fieldType, array, nullable, default: field.default, maxLength, managed: false },
    // Among all rows; among those that are present it is an index that says so.
    unique: unique === true,
    ...(scale !== undefined && { scale }),
    ...(values !== undefined && { values: Object.freeze([...values]) }),
    ...(rule !== undefined && { rule }),
    ...(hidden !== undefined && { hidden }),
    ...(sealed !== undefined && { sealed }),
    ...(was !== undefined && { was })
  }
  return { field: compiled, faults }
}

/** A name that no type has is reported by the form of the definition. */
function fieldTypeOf({ type }: FieldDefinition): FieldTypeDefinition {
  return isOwnFieldType(type) ? type : (BUILT_IN[type as keyof typeof BUILT_IN] ?? stringType)
}

/** Databases fold the case of names, and columns are snake_case: names that differ only there are one name. */
function nameFaults(fields: readonly CompiledField[], relations: readonly string[]): string[] {
  const hashes = fields.filter(({ sealed }) => sealed === 'searchable').map(({ name }) => hashColumn(name))
  const names = [...fields.map(({ name }) => name), ...relations, ...hashes]
  const folded = names.map(snakeCase)
  return names.flatMap((name, index) => {
    if (name === 'id') return ['id: every row has it already; remove it']
    if (name in Object.prototype) return [`${name}: every JavaScript object has a property of this name`]
    const first = folded.indexOf(folded[index] ?? '')
    return first < index ? [`${name}: the name is taken by ${names[first]}`] : []
  })
}

/** A name before is that of no field now: else two fields would claim the same values. */
function formerNameFaults(fields: readonly CompiledField[]): string[] {
  return fields.flatMap(({ name, was }) => {
    if (was === undefined) return []
    if (was === 'id' || fields.some((other) => other.name === was))
      return [`${name}: was names ${was}, which is a field`]
    return fields.find((other) => other.was === was)?.name === name
      ? []
      : [`${name}: another field also names ${was} in was`]
  })
}

/** How messages name a setting that is missing. */
const NEEDED = { scale: 'a scale', values: 'values' } as const

const article = (word: string): string => (/^[aeiou]/.test(word) ? 'an' : 'a')

function fieldFaults(
  field: CompiledField,
  definition: FieldDefinition | undefined,
  ofChecks: readonly string[]
): string[] {
  const { type, array } = field
  const unique = field.unique || definition?.unique === 'present'
  const { takes, needs, noList, can } = field.fieldType
  const misplaced = (setting: Setting, verb = 'is') =>
    definition?.[setting as keyof FieldDefinition] !== undefined &&
    !takes.includes(setting) &&
    `${setting} ${verb} for ${takersOf(setting)}`
  const faults = [
    array && noList !== undefined && `${noList}; remove array`,
    !can.default && definition?.default !== undefined && `${type} take no default`,
    (!can.compare || array) && unique && 'a list, json or bytes cannot be unique',
    array && definition?.default !== undefined && 'a list takes no default',
    ...sealedFaults(field, unique, definition),
    definition?.retired === true &&
      (unique || definition.default !== undefined) &&
      'retired takes no unique and no default',
    misplaced('maxLength'),
    needs !== undefined && definition?.[needs] === undefined && `${article(type)} ${type} needs ${NEEDED[needs]}`,
    misplaced('scale'),
    misplaced('values', 'are'),
    ...ofChecks
  ].filter((fault) => fault !== false)
  return faults.length > 0 || definition?.default === undefined ? faults : defaultFaults(field, definition.default)
}

/** What a box, which differs for equal values, cannot do. */
function sealedFaults(
  { sealed, array, fieldType }: CompiledField,
  unique: boolean,
  definition: FieldDefinition | undefined
) {
  if (sealed === undefined) return []
  const canSearch = fieldType.can.compare && !array
  return [
    definition?.default !== undefined && 'a sealed field takes no default, because rows that are there would hold it',
    unique && sealed !== 'searchable' && "a sealed field can be unique only with sealed: 'searchable'",
    definition?.unique === 'present' && 'a sealed field is unique among all rows; declare unique: true',
    sealed === 'searchable' && !canSearch && 'a list, json or bytes cannot be searchable; use sealed: true'
  ]
}

function defaultFaults(field: CompiledField, value: unknown): string[] {
  try {
    readField(field, value, NO_IDS)
    return []
  } catch (error) {
    return [`default: ${(error as Error).message}`]
  }
}

/** The field in which a `many-to-one` or `one-to-one` relation keeps the id of the other row. */
export function referenceField(name: string, { field }: RelationDefinition): string {
  return field ?? `${name}Id`
}

/** A name in SQL, as the table of an entity has it: `BlogPost` is `blog_post`, `HTTPServer2` is `http_server2`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}
