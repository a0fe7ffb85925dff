/** What `updateEach` is given: for each row its id, new values, and the version that was read. Pure. */
import { type Change, type IdForm, isRecord } from 'svc-stores/table'
import { type GivenChanges, readChanges, readVersion } from '../criteria/changes.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { idFormOf } from '../entities/existing-table.ts'
import { rowValueOf } from '../entities/field-values.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidValue } from '../errors.ts'
import { RowProblems } from './refused-rows.ts'

export interface GivenRow {
  readonly id: string
  readonly changes: GivenChanges
  /** The version that was read; `null` where the row names none. */
  readonly expected: number | null
}

/** Values that a row takes, and what becomes of it besides. */
export interface TakenValues {
  readonly values: Readonly<Record<string, unknown>>
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
    const { id, ...changes } = row
    if (typeof id !== 'string' || !form.accepts(id)) throw new InvalidValue('id', form.description)
    if (seen.has(id)) throw new InvalidValue('id', 'an id that no other row of the list has')
    seen.add(id)
    return { id, changes, expected: readVersion(entity, changes) }
  })
  problems.assertNone()
  return rows
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
