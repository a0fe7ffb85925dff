/**
 * Changes of a row: as an application writes them, and read into those of the storage port. Unknown fields are dropped,
 * the id and the timestamps are ignored; a field is changed in one way only; each change is a new version. Pure.
 */
import { type Change, type IdForm, isRecord } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { readField } from '../entities/field-values.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, InvalidValue } from '../errors.ts'
import type { IsExact } from '../fields/exact-number.ts'
import {
  type Amount,
  type Arithmetic,
  canAdd,
  isArithmetic,
  type KeptBounds,
  type Moment,
  type ReadArithmetic,
  readArithmetic,
  readBound
} from './arithmetic.ts'
import type { FieldName } from './criteria.ts'

/** Names of the fields with a number type. */
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
 * New values by field, or operators that the database applies to the current value: `{ stock: { $add: -2 } }`. `$max` and
 * `$min` beside fields write the greater or the lesser of the current and the given value. Ignores `id`, timestamps and
 * unknown fields.
 */
export type Changes<Row> = string extends keyof Row
  ? { readonly [Name: string]: unknown }
  : { readonly [Name in FieldName<Row>]?: Moment<Row[Name]> | Arithmetic<NonNullable<Row[Name]>> } & {
      readonly $max?: { readonly [Name in NumberOrDate<Row>]?: Moment<NonNullable<Row[Name]>> }
      readonly $min?: { readonly [Name in NumberOrDate<Row>]?: Moment<NonNullable<Row[Name]>> }
    }

/** As they come; what they say is checked. */
export type GivenChanges = Readonly<Record<string, unknown>>

/** Changes in the form of the storage port. */
export interface ReadChanges {
  /** `null` where nothing is to be changed. */
  readonly change: Change<AnyRow> | null
  /** Of the fields that are computed: what keeps them within their bounds. */
  readonly keeps: readonly KeptBounds[]
}

type Parts = Record<'set' | ReadArithmetic['part'], Record<string, unknown>>

const BOUNDS = ['$max', '$min'] as const
const COMPUTED = ['mul', 'max', 'min', 'add'] as const

/** @param now epoch ms @throws InvalidValue */
export function readChanges(entity: CompiledEntity, changes: unknown, ids: IdForm, now: number): ReadChanges {
  if (!isRecord(changes)) throw new InvalidValue(entity.name, 'an object with the changes of a row')
  const parts: Parts = { set: {}, add: {}, mul: {}, max: {}, min: {} }
  const keeps: KeptBounds[] = []
  const compute = ({ name }: CompiledField, { part, value, keeps: kept }: ReadArithmetic) => {
    if (name in parts[part]) throw new InvalidValue(name, 'one change per field')
    parts[part][name] = value
    if (kept !== undefined) keeps.push(kept)
  }
  for (const [name, given] of Object.entries(changes)) {
    if (given === undefined) continue
    const operator = BOUNDS.find((each) => each === name)
    if (operator !== undefined) readBounds(entity, operator, given, ids, compute)
    else if (name.startsWith('$')) throw new InvalidValue(name, 'one of the write operators $max and $min')
    else {
      const field = writable(entity, name)
      if (field === null) continue
      if (isArithmetic(field, given)) compute(field, readArithmetic(field, given, ids))
      else parts.set[name] = readField(field, given, ids)
    }
  }
  return { change: changeOf(entity, parts, now), keeps }
}

function changeOf(entity: CompiledEntity, parts: Parts, now: number): Change<AnyRow> | null {
  const { set, add } = parts
  const names = Object.keys(set)
  const computed: Record<string, object> = {}
  for (const part of COMPUTED) {
    const own = Object.keys(parts[part])
    if (own.length === 0) continue
    names.push(...own)
    computed[part] = parts[part]
  }
  if (names.length === 0) return null
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new InvalidValue(twice, 'one change per field')
  if (entity.version) computed.add = { ...add, version: 1 }
  return { set: entity.timestamps ? { ...set, updatedAt: new Date(now) } : set, ...computed } as Change<AnyRow>
}

/** The changes of an increment. @throws InvalidValue for what is no number field */
export function incrementOf(entity: CompiledEntity, name: string, delta: Amount): GivenChanges {
  const field = writable(entity, name)
  if (field !== null && canAdd(field)) return { [name]: { $add: delta } }
  throw new InvalidValue(name, `a number field of ${entity.name}`)
}

/** What an upsert does to an existing row. */
export interface UpsertOptions<Row> {
  /** `true` writes the given values into the row; changes are applied to it. Default: the row stays as it is. */
  readonly update?: boolean | Changes<Row>
}

/** Of an entity with `version`: the version that was read. An existing row takes values only at this version. */
export type VersionOf<Row> = string extends keyof Row
  ? unknown
  : Row extends { version: number }
    ? { readonly version?: number }
    : unknown

/** How `upsertMany` finds existing rows, and what it does to them. */
export interface UpsertManyOptions<Row> extends UpsertOptions<Row> {
  /** The fields of a unique key. Each row of the list has a value for each. */
  readonly on: readonly FieldName<Row>[]
}

/** A row of `updateEach`: its id, new values by field, and the `version` that was read. */
export type EachRow<Row extends { id: string }> = string extends keyof Row
  ? { readonly id: string; readonly [Name: string]: unknown }
  : { readonly id: string } & {
      readonly [Name in Exclude<FieldName<Row>, 'id'>]?: Moment<Row[Name]>
    }

/** The changes of an upsert. @returns `null` for none @throws InvalidFindOptions */
export function upsertChanges(
  { scope }: CompiledEntity,
  values: GivenChanges,
  key: readonly string[],
  options: unknown = {}
): GivenChanges | null {
  if (!isRecord(options)) throw new InvalidFindOptions('options', 'an object')
  const unknown = Object.keys(options).find((name) => name !== 'update')
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, 'update, the one option of an upsert')
  const { update = false } = options
  if (update === false) return null
  // Neither the key nor the scope of the row changes.
  const isKept = (name: string) => key.includes(name) || name === scope?.field
  if (update === true) return Object.fromEntries(Object.entries(values).filter(([name]) => !isKept(name)))
  if (isRecord(update)) return update
  throw new InvalidFindOptions('update', 'true, or an object with the changes of the row')
}

/** The version that was read, of an entity that has versions. @returns `null` where the changes carry none @throws InvalidValue */
export function readVersion(entity: CompiledEntity, changes: unknown): number | null {
  if (!entity.version || !isRecord(changes) || changes.version === undefined) return null
  if (Number.isSafeInteger(changes.version)) return changes.version as number
  throw new InvalidValue('version', 'the version of the row that you read')
}

function readBounds(
  entity: CompiledEntity,
  operator: (typeof BOUNDS)[number],
  given: unknown,
  ids: IdForm,
  compute: (field: CompiledField, read: ReadArithmetic) => void
): void {
  if (!isRecord(given)) throw new InvalidValue(operator, 'an object with a value per field')
  for (const [name, bound] of Object.entries(given)) {
    const field = writable(entity, name)
    if (field !== null && bound !== undefined) compute(field, readBound(field, operator, bound, ids))
  }
}

function writable(entity: CompiledEntity, name: string): CompiledField | null {
  const field = entity.fields.get(name)
  if (field?.scope) throw new InvalidValue(name, 'no change, because a row stays in its scope')
  if (entity.id.key?.names.includes(name) === true)
    throw new InvalidValue(name, 'no change, because it is part of the key')
  return field === undefined || field.managed ? null : field
}
