/**
 * The key of an `upsert`: plain values of `id`, of a unique field, or of the
 * fields of a unique index. Only then can a database settle a race by itself. Pure.
 */
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import { fieldOf } from '../entity/field-of.ts'
import { InvalidCriteria } from '../errors.ts'
import { isRecord } from '../values/is-record.ts'

/** @returns names of the key's fields @throws UnknownCriteriaField, InvalidCriteria */
export function parseKey(entity: CompiledEntity, criteria: unknown): readonly string[] {
  if (!isRecord(criteria)) throw new InvalidCriteria(entity.name, 'the values of a unique key')
  const names = Object.keys(criteria).map((name) => fieldOf(entity, name).name)
  for (const name of names) {
    if (!isPlainValue(criteria[name])) throw new InvalidCriteria(name, 'a plain value, as it is part of a key')
  }
  if (isUniqueKey(entity, names)) return names
  throw new InvalidCriteria(names.join(', ') || entity.name, `a unique key of ${entity.name}: ${listKeys(entity)}`)
}

function isPlainValue(value: unknown): boolean {
  return value !== null && value !== undefined && (typeof value !== 'object' || value instanceof Date)
}

function isUniqueKey(entity: CompiledEntity, names: readonly string[]): boolean {
  return uniqueKeys(entity).some((key) => key.length === names.length && key.every((name) => names.includes(name)))
}

function uniqueKeys(entity: CompiledEntity): (readonly string[])[] {
  return [['id'], ...entity.indexes.filter(({ unique }) => unique).map(({ fields }) => fields)]
}

function listKeys(entity: CompiledEntity): string {
  return uniqueKeys(entity)
    .map((key) => key.join(' + '))
    .join(', ')
}
