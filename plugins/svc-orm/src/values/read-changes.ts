/**
 * Reads the changes of an update. Unknown fields are dropped, the id and the
 * timestamps are ignored; a field may be changed in one way only. Pure.
 */

import type { IdForm } from 'svc-stores/table'
import type { ParsedChanges } from '../criteria/changes.ts'
import type { CompiledEntity, CompiledField } from '../entity/compiled-entity.ts'
import { InvalidValue } from '../errors.ts'
import { isRecord } from './is-record.ts'
import { readField } from './read-field.ts'

const BOUNDS = ['$max', '$min'] as const
const NONE: ReadonlyMap<string, never> = new Map<string, never>()

/** @param now epoch ms @returns `null` when nothing is to be changed @throws InvalidValue */
export function readChanges(entity: CompiledEntity, changes: unknown, ids: IdForm, now: number): ParsedChanges | null {
  if (!isRecord(changes)) throw new InvalidValue(entity.name, 'an object with the changes of a row')
  const set = new Map<string, unknown>()
  const bounds = { $max: new Map<string, number | Date>(), $min: new Map<string, number | Date>() }
  for (const [name, given] of Object.entries(changes)) {
    if (given === undefined) continue
    const operator = BOUNDS.find((each) => each === name)
    if (operator !== undefined) readBounds(entity, operator, given, ids, bounds[operator])
    else if (name.startsWith('$')) throw new InvalidValue(name, 'one of the write operators $max and $min')
    else {
      const field = writable(entity, name)
      if (field !== null) set.set(name, readField(field, given, ids))
    }
  }
  refuseTwice([set, bounds.$max, bounds.$min])
  if (set.size + bounds.$max.size + bounds.$min.size === 0) return null
  return stamped(entity, { set, max: bounds.$max, min: bounds.$min, add: NONE }, now)
}

/** @throws InvalidValue */
export function readIncrement(entity: CompiledEntity, name: string, delta: number, now: number): ParsedChanges {
  const field = writable(entity, name)
  if (field === null || field.array || (field.type !== 'integer' && field.type !== 'float')) {
    throw new InvalidValue(name, `a number field of ${entity.name}`)
  }
  const fits = field.type === 'integer' ? Number.isSafeInteger(delta) : Number.isFinite(delta)
  if (!fits) throw new InvalidValue(name, field.type === 'integer' ? 'a safe integer to add' : 'a finite number to add')
  return stamped(entity, { set: NONE, max: NONE, min: NONE, add: new Map([[name, delta]]) }, now)
}

function readBounds(
  entity: CompiledEntity,
  operator: string,
  given: unknown,
  ids: IdForm,
  into: Map<string, number | Date>
): void {
  if (!isRecord(given)) throw new InvalidValue(operator, 'an object with a value per field')
  for (const [name, bound] of Object.entries(given)) {
    const field = writable(entity, name)
    if (field === null || bound === undefined) continue
    const value = bound === null ? null : readField(field, bound, ids)
    if (typeof value !== 'number' && !(value instanceof Date)) {
      throw new InvalidValue(`${operator}.${name}`, 'a number or a date, of a field that holds one')
    }
    into.set(name, value)
  }
}

function writable(entity: CompiledEntity, name: string): CompiledField | null {
  const field = entity.fields.get(name)
  return field === undefined || field.managed ? null : field
}

function refuseTwice(ways: readonly ReadonlyMap<string, unknown>[]): void {
  const names = ways.flatMap((way) => [...way.keys()])
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new InvalidValue(twice, 'one change of the field, not several')
}

function stamped(entity: CompiledEntity, changes: ParsedChanges, now: number): ParsedChanges {
  if (!entity.timestamps) return changes
  return { ...changes, set: new Map(changes.set).set('updatedAt', new Date(now)) }
}
