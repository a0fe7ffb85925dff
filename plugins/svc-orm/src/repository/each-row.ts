/** What `updateEach` is given: for each row its id, new values, and the version that was read. Pure. */
import { type Change, type IdForm, isRecord } from 'svc-stores/table'
import { isArithmetic } from '../criteria/arithmetic.ts'
import { type GivenChanges, readChanges, readVersion } from '../criteria/changes.ts'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { idFormOf } from '../entities/existing-table.ts'
import { rowValueOf } from '../entities/field-values.ts'
import { fieldReader } from '../entities/new-row.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidValue } from '../errors.ts'
import { RowProblems } from './refused-rows.ts'

export interface GivenRow {
  readonly id: string
  /** With the id. */
  readonly changes: GivenChanges
  /** The version that was read; `null` where the row names none. */
  readonly expected: number | null
}

/** Values that a row takes, and what becomes of it besides. */
export interface TakenValues {
  readonly values: Readonly<Record<string, unknown>>
  readonly change: Change<AnyRow>
}

/** The same of rows that give the same fields. */
interface TakenShape {
  readonly given: readonly string[]
  readonly fields: readonly {
    readonly name: string
    readonly field: CompiledField
    read(given: unknown): unknown
  }[]
  readonly take: readonly string[]
  readonly change: Change<AnyRow>
}

/** @throws InvalidValue, RowsRefused */
export function readEachRow(entity: CompiledEntity, given: unknown, ids: IdForm): readonly GivenRow[] {
  if (!Array.isArray(given)) throw new InvalidValue(entity.name, 'a list of rows, each with its id and new values')
  const problems = new RowProblems(entity)
  const form = idFormOf(entity.id, ids)
  const seen = new Set<string>()
  const rows = problems.each(Array.from(given as unknown[]), (row) => {
    if (!isRecord(row)) throw new InvalidValue(entity.name, 'an object with the id of a row and new values')
    const { id } = row
    if (typeof id !== 'string' || !form.accepts(id)) throw new InvalidValue('id', form.description)
    if (seen.has(id)) throw new InvalidValue('id', 'an id that no other row of the list has')
    seen.add(id)
    return { id, changes: row, expected: readVersion(entity, row) }
  })
  problems.assertNone()
  return rows
}

/**
 * Reads one row after the other: what a field does with its value is decided once for rows that give the same fields.
 *
 * @param now epoch ms
 */
export function takenReader(
  entity: CompiledEntity,
  ids: IdForm,
  now: number
): (changes: GivenChanges) => TakenValues & Pick<TakenShape, 'take'> {
  let shape: TakenShape | null = null
  return (changes) => {
    const given = Object.keys(changes)
    const alike = shape !== null && isSameList(given, shape.given) ? valuesAs(shape, changes) : null
    if (shape !== null && alike !== null) return { values: alike, take: shape.take, change: shape.change }
    const { values, change } = readTaken(entity, changes, ids, now)
    const take = Object.keys(values)
    if (isPlain(changes, given)) {
      const fields = take.flatMap((name) => {
        const field = entity.fields.get(name)
        return field === undefined ? [] : [{ name, field, read: fieldReader(field, ids) }]
      })
      shape = { given, fields, take, change }
    }
    return { values, take, change }
  }
}

/** Of a row with the fields of the shape; `null` where it says more than values. @throws InvalidValue */
function valuesAs({ fields }: TakenShape, changes: GivenChanges): Record<string, unknown> | null {
  const values: Record<string, unknown> = {}
  for (const { name, field, read } of fields) {
    const given = changes[name]
    if (given === undefined || isArithmetic(field, given)) return null
    values[name] = read(given)
  }
  return values
}

/** Whether it says the same with other values: what an operator says differs from row to row. */
export function isPlain(changes: GivenChanges, names: readonly string[]): boolean {
  return names.every((name) => !name.startsWith('$') && changes[name] !== undefined)
}

export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, place) => name === b[place])
}

/** @param now epoch ms @throws InvalidValue for what is computed on the row */
export function readTaken(entity: CompiledEntity, changes: unknown, ids: IdForm, now: number): TakenValues {
  const { change } = readChanges(entity, changes, ids, now)
  const { set = {}, add = {}, ...computed } = change ?? {}
  const names = [add, ...Object.values(computed)].flatMap((part) => Object.keys(part ?? {}))
  const operated = names.find((name) => entity.fields.get(name)?.managed !== true)
  if (operated !== undefined) throw new InvalidValue(operated, 'a plain value, because each row has its own')
  const given = Object.entries(set).filter(([name]) => entity.fields.get(name)?.managed !== true)
  const stamped = Object.entries(set).filter(([name]) => entity.fields.get(name)?.managed === true)
  const values = given.map(([name, value]) => {
    const field = entity.fields.get(name)
    return [name, field === undefined ? value : rowValueOf(field, value)] as const
  })
  const besides = {
    ...(stamped.length > 0 && { set: Object.fromEntries(stamped) }),
    ...(Object.keys(add).length > 0 && { add })
  }
  return { values: Object.fromEntries(values), change: besides as Change<AnyRow> }
}
