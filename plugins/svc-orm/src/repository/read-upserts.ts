/** What `upsertMany` is given: the rows, the unique key that names each, and what becomes of those that are there. Pure. */
import { type Change, type Condition, type IdForm, isRecord, keyText } from 'svc-stores/table'
import type { KeptBounds } from '../criteria/arithmetic.ts'
import { type GivenChanges, readChanges, readVersion, upsertChanges } from '../criteria/changes.ts'
import { parseKey, type UniqueKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { readField, readNewRow, rowValueOf } from '../entities/field-values.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, InvalidValue } from '../errors.ts'
import { readTaken } from './each-row.ts'
import { assertHeld } from './held-row.ts'
import { type ReadUpsert, readUpsert } from './read-upsert.ts'
import { RowProblems } from './refused-rows.ts'

export interface UpsertedRow extends Omit<ReadUpsert, 'key'> {
  /** The values of its key, as text. */
  readonly text: string
}

export interface UpsertedRows {
  readonly key: UniqueKey
  readonly rows: readonly UpsertedRow[]
  /** Of every row that is there; `null`: each takes the values of its own row, or nothing. */
  readonly update: GivenChanges | null
}

/** A new row, and what the existing one of its key takes of it and becomes besides. */
export interface NewRow {
  readonly row: AnyRow
  readonly take: readonly string[]
  readonly change: Change<AnyRow>
}

/** @throws InvalidFindOptions, InvalidValue, InvalidCriteria, RowsRefused */
export function readUpserts(entity: CompiledEntity, given: unknown, options: unknown, ids: IdForm): UpsertedRows {
  if (!Array.isArray(given)) throw new InvalidValue(entity.name, 'a list of the values of rows')
  const { on, update, ...others } = isRecord(options) ? options : {}
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, 'on or update, the options of upsertMany')
  if (!Array.isArray(on) || on.length === 0 || !on.every((name) => typeof name === 'string')) {
    throw new InvalidFindOptions('on', 'a list of the names of a unique key')
  }
  const key = parseKey(entity, Object.fromEntries((on as string[]).map((name) => [name, ''])))
  const how = update === undefined ? {} : { update }
  upsertChanges(entity, {}, key.fields, how)
  const problems = new RowProblems(entity)
  const seen = new Set<string>()
  const rows = problems.each(Array.from(given as unknown[]), (values): UpsertedRow => {
    if (!isRecord(values)) throw new InvalidValue(entity.name, 'an object with the values of a row')
    const criteria = Object.fromEntries((on as string[]).map((name) => [name, values[name]]))
    const { key: _, ...read } = readUpsert(entity, criteria, values, how, ids)
    if (readVersion(entity, read.changes) !== null) {
      throw new InvalidValue('version', 'no version, because upsertMany compares none; updateEach does')
    }
    const text = textOf(entity, key, values, ids)
    if (seen.has(text)) throw new InvalidValue(key.fields.join(' + '), 'values that no other row of the list has')
    seen.add(text)
    return { ...read, text }
  })
  problems.assertNone()
  return { key, rows, update: isRecord(update) ? update : null }
}

/** @param now epoch ms @throws RowsRefused, InvalidValue */
export function newRows(
  entity: CompiledEntity,
  { key, rows, update }: UpsertedRows,
  ids: IdForm,
  now: number
): { readonly rows: readonly NewRow[]; readonly keeps: readonly KeptBounds[] } {
  const shared = update === null ? null : readChanges(entity, update, ids, now)
  const problems = new RowProblems(entity)
  const read = problems.each(rows, ({ values, changes }): NewRow => {
    const row = readNewRow(entity, values, ids, now)
    assertHeld(entity, row, key)
    if (shared !== null) return { row, take: [], change: shared.change ?? {} }
    if (changes === null) return { row, take: [], change: {} }
    const taken = readTaken(entity, changes, ids, now)
    return { row, take: Object.keys(taken.values), change: taken.change }
  })
  problems.assertNone()
  return { rows: read, keeps: shared?.keeps ?? [] }
}

/** The conditions that name the rows. */
export function namedRows({ rows }: UpsertedRows): readonly Condition[] {
  return [{ operator: 'any', of: rows.map(({ where }) => where()) }]
}

/** As `text` of the row that it belongs to: in a scope, and across scopes. */
export function textsOf({ scope }: CompiledEntity, { fields }: UniqueKey, row: AnyRow): readonly string[] {
  return scope === undefined ? [keyText(row, fields)] : [keyText(row, fields), keyText(row, [scope.field, ...fields])]
}

function textOf(
  entity: CompiledEntity,
  { fields }: UniqueKey,
  values: Readonly<Record<string, unknown>>,
  ids: IdForm
): string {
  const { scope } = entity
  const names = scope === undefined || values[scope.field] === undefined ? fields : [scope.field, ...fields]
  const read = names.map((name) => {
    const field = entity.fields.get(name)
    return [name, field === undefined ? values[name] : rowValueOf(field, readField(field, values[name], ids))] as const
  })
  return keyText(Object.fromEntries(read), names)
}
