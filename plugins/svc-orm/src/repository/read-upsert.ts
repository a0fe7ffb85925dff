/** What an upsert says: the key of a row, the values of a new one, and the changes of the one that is there. Pure. */
import { type Condition, type IdForm, isRecord, rowsOfIndex } from 'svc-stores/table'
import { type GivenChanges, upsertChanges } from '../criteria/changes.ts'
import { parseCriteria } from '../criteria/parse-criteria.ts'
import { parseKey, type UniqueKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { InvalidValue } from '../errors.ts'

export interface ReadUpsert {
  readonly key: UniqueKey
  /** Of the row that would be created. */
  readonly values: Readonly<Record<string, unknown>>
  /** `null`: an existing row stays as it is. */
  readonly changes: GivenChanges | null
  /** What the row with this key meets. */
  where(): readonly Condition[]
}

/** @throws InvalidCriteria, UnknownCriteriaField, InvalidValue, InvalidFindOptions */
export function readUpsert(
  entity: CompiledEntity,
  criteria: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
  options: unknown,
  ids: IdForm
): ReadUpsert {
  const key = parseKey(entity, criteria)
  const values = withKey(criteria, given)
  const changes = upsertChanges(entity, given, key.fields, options)
  return { key, values, changes, where: () => namedConditions(entity, key, criteria, values, ids) }
}

/** What the row with this key meets. @param values of a new row */
export function namedConditions(
  entity: CompiledEntity,
  { of }: UniqueKey,
  criteria: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
  ids: IdForm
): readonly Condition[] {
  return [...parseCriteria(entity, keyInScope(entity, criteria, values), ids), ...rowsOfIndex({ where: of })]
}

/**
 * The values of a row that an upsert would create: those of its key, and the given ones, which must agree with them.
 */
function withKey(key: Readonly<Record<string, unknown>>, values: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(values)) throw new InvalidValue('values', 'an object with the values of a row')
  const other = Object.keys(key).find((name) => {
    const given = Object.hasOwn(values, name) ? values[name] : undefined
    return given !== undefined && !isSame(given, key[name])
  })
  if (other !== undefined) throw new InvalidValue(other, 'the value that the criteria name')
  return { ...values, ...key }
}

/** Across scopes, a key names one row of the scope that the values of its row give. @param values of `withKey` */
function keyInScope(
  { scope }: CompiledEntity,
  key: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> {
  if (scope === undefined || values[scope.field] === undefined) return key
  return { ...key, [scope.field]: values[scope.field] }
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b
}
