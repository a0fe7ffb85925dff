/**
 * Entities over a table that is there already: what their definition must say, how its key is given, and which of its
 * columns holds what. Pure.
 */
import type { Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import { hasOnlyStorableText, type IdForm } from 'svc-stores/table'
import { InvalidValue } from '../errors.ts'
import { type CompiledEntity, type CompiledField, idField } from './compiled-entity.ts'
import { CompositeKey, type KeyPart } from './composite-key.ts'
import type { EntityDefinition, ExistingTable, IdType } from './entity-definition.ts'
import { keyFaults, keyFields } from './entity-key.ts'
import { entityProblem, type Placed } from './entity-problem.ts'
import { scopeOf } from './scope-field.ts'

const INTEGER = /^(?:0|-?[1-9]\d{0,15})$/

/** Whoever made the table knows how its keys are made. */
function generate(): never {
  throw new InvalidValue('id', 'a value, because the table has its own keys')
}

const FORMS: Readonly<Record<IdType, IdForm>> = {
  integer: {
    description: 'a safe integer, as text',
    generate,
    accepts: (id) => INTEGER.test(id) && Number.isSafeInteger(Number(id))
  },
  text: { description: 'text', generate, accepts: (id) => id !== '' && hasOnlyStorableText(id) }
}

/** @param ids of the database */
export function idFormOf({ idType, key }: CompiledField, ids: IdForm): IdForm {
  if (key !== undefined) return key.form
  return idType === undefined ? ids : FORMS[idType]
}

/** The field `id`. */
export function idOf(definition: EntityDefinition, fields: ReadonlyMap<string, CompiledField>): CompiledField {
  const { id } = definition.existing ?? {}
  if (id !== undefined) return Object.freeze({ ...idField, idType: id })
  const parts = (keyFields(definition) ?? []).flatMap((name) => fields.get(name) ?? [])
  return parts.length === 0 ? idField : Object.freeze({ ...idField, key: new CompositeKey(parts.map(keyPart)) })
}

/** The column of a field, as the database names it. */
export function columnOf({ existing }: Pick<CompiledEntity, 'existing'>, field: string): string {
  const { columns = {} } = existing ?? {}
  return Object.hasOwn(columns, field) ? (columns[field] as string) : field
}

export function isReadOnly({ existing }: Pick<CompiledEntity, 'existing'>): boolean {
  return existing !== undefined && existing.writable !== true
}

export function existingProblems(
  { name: entity, existing, was, scope }: EntityDefinition,
  place: Placed,
  fields: ReadonlyMap<string, CompiledField>
): Problem[] {
  if (existing === undefined) return []
  const { key } = existing
  const names = [...(key === undefined ? ['id'] : []), ...fields.keys()]
  const faults: { readonly message: string; readonly fix: string }[] = []
  for (const name of Object.keys(existing.columns ?? {})) {
    if (names.includes(name)) continue
    const near = nearestName(name, names)
    const fix = near === undefined ? `name one of ${names.join(', ')}` : `did you mean ${near}?`
    faults.push({ message: `existing.columns names ${name}, which is not a field`, fix })
  }
  // Databases fold the case of names.
  const columns = names.map((name) => columnOf({ existing }, name).toLowerCase())
  names.forEach((name, index) => {
    const first = columns.indexOf(columns[index] as string)
    if (first < index)
      faults.push({ message: `${name} has the column of ${names[first]}`, fix: 'name a different column for each' })
  })
  for (const { name, sealed } of fields.values()) {
    if (sealed !== 'searchable') continue
    faults.push({ message: `${name} is searchable, but its table has no column for the hash`, fix: 'use sealed: true' })
  }
  faults.push(...existingKeyFaults(existing, fields))
  const kept = scope === undefined ? null : scopeOf(scope).field
  if (kept !== null && !Object.hasOwn(existing.columns ?? {}, kept))
    faults.push({ message: `no column is named for its scope`, fix: `name the column of ${kept} in existing.columns` })
  const renamed = was !== undefined || [...fields.values()].some((field) => field.was !== undefined)
  if (renamed) faults.push({ message: 'migrations do not rename an existing table', fix: 'remove was' })
  return faults.map(({ message, fix }) => entityProblem(place, 'SVC_ENTITY_EXISTING', `${entity}: ${message}`, { fix }))
}

function existingKeyFaults({ id, key }: ExistingTable, fields: ReadonlyMap<string, CompiledField>) {
  if (key === undefined) return []
  const beside = { message: 'existing has id beside key', fix: 'remove id: rows have one that is made of the key' }
  return [...keyFaults('existing.key', key, fields), ...(id === undefined ? [] : [beside])]
}

function keyPart(field: CompiledField): KeyPart {
  const { name, type, fieldType, idType } = field
  const form = idType === undefined ? 'database' : FORMS[idType]
  return {
    name,
    isInteger: fieldType.storage === 'integer',
    read: (given) => fieldType.read(given, field),
    ...(type === 'id' && { form })
  }
}
