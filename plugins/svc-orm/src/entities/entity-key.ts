/** Keys of several fields: what a definition may name, of a table that svc makes and of an existing one. Pure. */
import type { Problem } from 'svc-kernel'
import type { CompiledField } from './compiled-entity.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { entityProblem, type Placed } from './entity-problem.ts'

/** The fields of a key of several; `undefined` where rows have one that is their `id`. */
export function keyFields({
  key,
  existing
}: Pick<EntityDefinition, 'key' | 'existing'>): readonly string[] | undefined {
  return existing === undefined ? key : existing.key
}

const FIX = 'name fields of text or whole numbers that are never null'

/** Of the key of an entity whose table svc makes. */
export function keyProblems(
  { name: entity, key, existing, scope, search, tree }: EntityDefinition,
  place: Placed,
  fields: ReadonlyMap<string, CompiledField>
): Problem[] {
  if (key === undefined) return []
  const lists = [...fields.values()].filter(({ array }) => array).map(({ name }) => name)
  // What finds rows by one column of their table does not find rows by two.
  const parts = [scope && 'scope', search && 'search', tree && 'tree', lists[0] && `list, such as ${lists[0]}`]
  const faults = [
    ...keyFaults('key', key, fields),
    ...parts.flatMap((part) =>
      part ? [{ message: `key goes with no ${part}`, fix: 'remove one of them, or use id and a unique index' }] : []
    ),
    ...(existing === undefined
      ? []
      : [{ message: 'key is beside existing', fix: 'move it to existing.key, or remove existing' }])
  ]
  return faults.map(({ message, fix }) => entityProblem(place, 'SVC_ENTITY_KEY', `${entity}: ${message}`, { fix }))
}

/** @param at the setting, for messages */
export function keyFaults(at: string, key: readonly string[], fields: ReadonlyMap<string, CompiledField>) {
  return key.flatMap((name) => {
    const fault = keyFault(fields.get(name))
    return fault === null ? [] : [{ message: `${at} names ${name}, which ${fault}`, fix: FIX }]
  })
}

const STORAGES: readonly string[] = ['text', 'integer', 'id']

/** What keeps a field out of a key; `null`: nothing. */
function keyFault(field: CompiledField | undefined): string | null {
  if (field === undefined) return 'is not a field'
  const { fieldType, array, nullable, managed, hidden = false, sealed } = field
  const isPlain = !array && STORAGES.includes(fieldType.storage) && fieldType.fromStored === undefined
  if (!isPlain) return 'is neither text nor a whole number'
  if (nullable) return 'may be null'
  if (managed) return 'the repository writes'
  return hidden !== false || sealed !== undefined ? 'is hidden or sealed' : null
}
