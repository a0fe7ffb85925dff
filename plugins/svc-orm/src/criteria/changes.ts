/**
 * Changes of a row: as an application writes them, and read into those of the storage port. Unknown fields are dropped,
 * the id and the timestamps are ignored; a field is changed in one way only; each change is a new version. Pure.
 */
import { type Change, type Condition, type IdForm, isRecord } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { readField } from '../entities/field-values.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidValue } from '../errors.ts'
import type { ExactNumber, IsExact } from '../fields/exact-number.ts'
import { rowValue } from '../fields/field-type.ts'
import type { FieldName } from './criteria.ts'

/** As it may be given: a moment as text as well, an exact number as any number. */
type Moment<Held> = Held extends Date ? Date | string : IsExact<Held> extends true ? Amount : Held

/** Text is an exact number's. */
export type Amount = number | bigint | ExactNumber

/** Names of the fields that hold a number. */
export type NumberField<Row> = string extends keyof Row
  ? string
  : {
      [Name in FieldName<Row>]: NonNullable<Row[Name]> extends number
        ? Name
        : IsExact<NonNullable<Row[Name]>> extends true
          ? Name
          : never
    }[FieldName<Row>]

type NumberOrDate<Row> = {
  [Name in FieldName<Row>]: NonNullable<Row[Name]> extends number | Date
    ? Name
    : IsExact<NonNullable<Row[Name]>> extends true
      ? Name
      : never
}[FieldName<Row>]

/**
 * New values by field. `$max` and `$min` keep the greater or the lesser of what is held and given, decided by the
 * database; a field that holds null takes the given value. `id` and the timestamps are ignored, like unknown fields.
 */
export type Changes<Row> = string extends keyof Row
  ? { readonly [Name: string]: unknown }
  : { readonly [Name in FieldName<Row>]?: Moment<Row[Name]> } & {
      readonly $max?: { readonly [Name in NumberOrDate<Row>]?: Moment<NonNullable<Row[Name]>> }
      readonly $min?: { readonly [Name in NumberOrDate<Row>]?: Moment<NonNullable<Row[Name]>> }
    }

/** As they come; what they say is checked. */
export type GivenChanges = Readonly<Record<string, unknown>>

const BOUNDS = ['$max', '$min'] as const

type Bounds = Record<string, number | bigint | Date>

const NEXT_VERSION = Object.freeze({ version: 1 })

/** @param now epoch ms @returns `null` when nothing is to be changed @throws InvalidValue */
export function readChanges(entity: CompiledEntity, changes: unknown, ids: IdForm, now: number): Change<AnyRow> | null {
  if (!isRecord(changes)) throw new InvalidValue(entity.name, 'an object with the changes of a row')
  const set: Record<string, unknown> = {}
  const bounds: Record<(typeof BOUNDS)[number], Bounds> = { $max: {}, $min: {} }
  for (const [name, given] of Object.entries(changes)) {
    if (given === undefined) continue
    const operator = BOUNDS.find((each) => each === name)
    if (operator !== undefined) readBounds(entity, operator, given, ids, bounds[operator])
    else if (name.startsWith('$')) throw new InvalidValue(name, 'one of the write operators $max and $min')
    else {
      const field = writable(entity, name)
      if (field !== null) set[name] = readField(field, given, ids)
    }
  }
  const { $max: max, $min: min } = bounds
  const names = [set, max, min].flatMap(Object.keys)
  if (names.length === 0) return null
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new InvalidValue(twice, 'one change per field')
  const change = { set: stamped(entity, set, now), ...(hasKeys(max) && { max }), ...(hasKeys(min) && { min }) }
  return entity.version ? { ...change, add: NEXT_VERSION } : change
}

/** @throws InvalidValue */
export function readIncrement(entity: CompiledEntity, name: string, delta: Amount, now: number): Change<AnyRow> {
  const field = writable(entity, name)
  if (field === null || !canIncrement(field)) {
    throw new InvalidValue(name, `a number field of ${entity.name}`)
  }
  const { fieldType } = field
  const added = fieldType.read(delta, field)
  if (added === undefined) throw new InvalidValue(name, `${fieldType.expected(field)}, to add`)
  return {
    set: stamped(entity, {}, now),
    add: { [name]: added as number | bigint, ...(entity.version && NEXT_VERSION) }
  }
}

/** The sum of two values of a narrow type may be none of it. */
function canIncrement({ array, fieldType }: CompiledField): boolean {
  return !array && fieldType.can.add && fieldType.narrow !== true
}

/** The version that was read, of an entity that has versions. @returns `null` where the changes carry none @throws InvalidValue */
export function readVersion(entity: CompiledEntity, changes: unknown): number | null {
  if (!entity.version || !isRecord(changes) || changes.version === undefined) return null
  if (Number.isSafeInteger(changes.version)) return changes.version as number
  throw new InvalidValue('version', 'the version of the row that you read')
}

/** Both as one. @throws InvalidValue for a field that both change */
export function joinChanges(one: Change<AnyRow>, other: Change<AnyRow>): Change<AnyRow> {
  const { version: _, ...added } = one.add ?? {}
  const twice = [other.set, other.max, other.min]
    .flatMap((part) => Object.keys(part ?? {}))
    .find((name) => name in added)
  if (twice !== undefined) throw new InvalidValue(twice, 'one change per field')
  const set = { ...one.set, ...other.set }
  const add = { ...one.add, ...other.add }
  return { ...one, ...other, ...(hasKeys(set) && { set }), ...(hasKeys(add) && { add }) }
}

/** What a field with bounds must hold before, so that it keeps them; one that holds null counts from 0. */
export function incrementBounds(
  entity: CompiledEntity,
  name: string,
  given: Amount
): { readonly conditions: readonly Condition[]; readonly expected: string } | null {
  const field = entity.fields.get(name)
  const { least = null, greatest = null } = field?.rule ?? {}
  if (field === undefined || !canIncrement(field)) return null
  if (least === null && greatest === null) return null
  // Both are numbers, or both are units.
  const delta = field.fieldType.read(given, field) as number
  const before = (bound: number | bigint) => (bound as number) - delta
  const [lowest, highest] = [least ?? Number.NEGATIVE_INFINITY, greatest ?? Number.POSITIVE_INFINITY]
  const held: Condition[] = []
  if (least !== null) held.push({ field: name, operator: 'gte', value: before(least) })
  if (greatest !== null) held.push({ field: name, operator: 'lte', value: before(greatest) })
  const fromNull: Condition = { field: name, operator: 'null', value: true }
  const conditions: readonly Condition[] =
    delta >= lowest && delta <= highest ? [{ operator: 'any', of: [held, [fromNull]] }] : held
  const [from, to] = [lowest, highest].map((bound) => rowValue(field.fieldType, bound, field))
  return { conditions, expected: `a sum from ${from} to ${to}` }
}

function readBounds(entity: CompiledEntity, operator: string, given: unknown, ids: IdForm, into: Bounds): void {
  if (!isRecord(given)) throw new InvalidValue(operator, 'an object with a value per field')
  for (const [name, bound] of Object.entries(given)) {
    const field = writable(entity, name)
    if (field === null || bound === undefined) continue
    const value = bound === null ? null : readField(field, bound, ids)
    if (typeof value !== 'number' && typeof value !== 'bigint' && !(value instanceof Date)) {
      throw new InvalidValue(`${operator}.${name}`, 'a number or a date, of a field that holds one')
    }
    into[name] = value
  }
}

function writable(entity: CompiledEntity, name: string): CompiledField | null {
  const field = entity.fields.get(name)
  if (field?.scope) throw new InvalidValue(name, 'no change, because a row stays in its scope')
  return field === undefined || field.managed ? null : field
}

function hasKeys(part: object): boolean {
  return Object.keys(part).length > 0
}

function stamped(entity: CompiledEntity, set: Record<string, unknown>, now: number): Record<string, unknown> {
  return entity.timestamps ? { ...set, updatedAt: new Date(now) } : set
}
