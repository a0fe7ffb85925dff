/**
 * The key of an `upsert`, and of a find that is cached: plain values of `id`, of a unique field, or of the fields of a unique
 * index. Only then can a database settle a race by itself. Pure.
 */
import { type IndexCondition, isRecord } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { isOfPresent } from '../entities/index-criteria.ts'
import { InvalidCriteria } from '../errors.ts'
import { fieldOf } from './entity-field.ts'

export interface UniqueKey {
  readonly fields: readonly string[]
  /** What the rows meet among which it is unique; none: all rows. */
  readonly of: readonly IndexCondition[]
}

/** @throws UnknownCriteriaField, InvalidCriteria */
export function parseKey(entity: CompiledEntity, criteria: unknown): UniqueKey {
  const names = isRecord(criteria) ? Object.keys(criteria) : []
  const asked = names.join('\n')
  const known = PARSED.get(entity)?.get(asked)
  if (known === undefined) return keep(entity, asked, keyAmong(uniqueKeys(entity), entity, criteria))
  assertPlain(names, criteria as Readonly<Record<string, unknown>>)
  return known
}

/** By the names that criteria give: as many as the fields of a key can be said in another order. */
const PARSED = new WeakMap<CompiledEntity, Map<string, UniqueKey>>()

function keep(entity: CompiledEntity, asked: string, key: UniqueKey): UniqueKey {
  const kept = PARSED.get(entity) ?? new Map<string, UniqueKey>()
  PARSED.set(entity, kept.set(asked, key))
  return key
}

/** One that names a row at most among those that a find sees. @throws UnknownCriteriaField, InvalidCriteria */
export function parseFoundKey(entity: CompiledEntity, criteria: unknown, withDeleted: boolean): UniqueKey {
  const seen = uniqueKeys(entity).filter((key) => key.of.length === 0 || (!withDeleted && key.isOfPresent))
  return keyAmong(seen, entity, criteria)
}

interface KnownKey extends UniqueKey {
  readonly isOfPresent: boolean
}

const KEYS = new WeakMap<CompiledEntity, readonly KnownKey[]>()

function uniqueKeys(entity: CompiledEntity): readonly KnownKey[] {
  const known = KEYS.get(entity) ?? readKeys(entity)
  KEYS.set(entity, known)
  return known
}

function readKeys(entity: CompiledEntity): readonly KnownKey[] {
  const ofIndexes = entity.indexes
    // What a folded one names, plain values do not.
    .filter(({ unique, folded }) => unique && folded === undefined)
    .map((index) => ({
      fields: withoutScope(entity, index.fields),
      of: index.where ?? [],
      isOfPresent: isOfPresent(index)
    }))
  return [{ fields: ['id'], of: [], isOfPresent: false }, ...ofIndexes]
}

function keyAmong(keys: readonly KnownKey[], entity: CompiledEntity, criteria: unknown): UniqueKey {
  if (!isRecord(criteria)) throw new InvalidCriteria(entity.name, 'the values of a unique key')
  const given = Object.keys(criteria).map((name) => fieldOf(entity, name).name)
  assertPlain(given, criteria)
  const names = withoutScope(entity, given)
  const named = keys.filter(
    ({ fields }) => fields.length === names.length && fields.every((name) => names.includes(name))
  )
  const [first, ...others] = named.some(({ of }) => of.length === 0) ? named.filter(({ of }) => of.length === 0) : named
  if (first !== undefined && others.length === 0) return { fields: names, of: first.of }
  const at = names.join(', ') || entity.name
  if (first !== undefined) throw new InvalidCriteria(at, 'a key of one unique index, and several have these fields')
  throw new InvalidCriteria(at, `a unique key of ${entity.name}: ${listKeys(keys)}`)
}

/** @throws InvalidCriteria */
export function assertPlain(names: readonly string[], values: Readonly<Record<string, unknown>>): void {
  const other = names.find((name) => !isPlainValue(values[name]))
  if (other !== undefined) throw new InvalidCriteria(other, 'a plain value, because it is part of a key')
}

/** A key names one row of a scope. */
function withoutScope({ scope }: CompiledEntity, names: readonly string[]): readonly string[] {
  return scope === undefined ? names : names.filter((name) => name !== scope.field)
}

function isPlainValue(value: unknown): boolean {
  return value !== null && value !== undefined && (typeof value !== 'object' || value instanceof Date)
}

function listKeys(keys: readonly KnownKey[]): string {
  return keys.map(({ fields }) => fields.join(' + ')).join(', ')
}
