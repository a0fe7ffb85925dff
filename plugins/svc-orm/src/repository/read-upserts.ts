/** What `upsertMany` is given: the rows, the unique key that names each, and what becomes of those that are there. Pure. */
import { type Change, type Condition, type IdForm, isRecord, keyText } from 'svc-stores/table'
import type { KeptBounds } from '../criteria/arithmetic.ts'
import { type GivenChanges, readChanges, readVersion, upsertChanges } from '../criteria/changes.ts'
import { assertPlain, parseKey, type UniqueKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { readField, rowValueOf } from '../entities/field-values.ts'
import { readNewRow } from '../entities/new-row.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, InvalidValue } from '../errors.ts'
import { isPlain, isSameList, readTaken } from './each-row.ts'
import { assertHeld } from './held-row.ts'
import { namedConditions } from './read-upsert.ts'
import { RowProblems } from './refused-rows.ts'

type Values = Readonly<Record<string, unknown>>

/** The key of each row, and what becomes of rows that are there. */
interface Asked {
  readonly key: UniqueKey
  /** The names that the caller gives for it: they may include the scope. */
  readonly on: readonly string[]
  /** `true`: each takes the values of its own row; `false`: nothing. */
  readonly update: boolean | GivenChanges
}

export interface UpsertedRow {
  /** Of the row that would be created. */
  readonly values: Values
  /** The values of its key, as text. */
  readonly text: string
  /** The version that an existing row must have; `null` where the caller names none. */
  readonly expected: number | null
}

/** A new row, and what the existing one of its key takes of it and becomes besides. */
export interface NewRow extends UpsertedRow, Taken {
  readonly row: AnyRow
}

export interface UpsertedRows<Row extends UpsertedRow = UpsertedRow> extends Asked {
  readonly rows: readonly Row[]
}

export interface NewRows extends UpsertedRows<NewRow> {
  /** What existing rows must hold, so that they keep the bounds of computed fields. */
  readonly keeps: readonly KeptBounds[]
}

interface Taken {
  readonly take: readonly string[]
  readonly change: Change<AnyRow>
}

/** Rows as hooks get them. @throws InvalidFindOptions, InvalidValue, InvalidCriteria, RowsRefused */
export function readUpserts(entity: CompiledEntity, given: unknown, options: unknown, ids: IdForm): UpsertedRows {
  const asked = readAsked(entity, given, options)
  const problems = new RowProblems(entity)
  const rows = readEach(entity, given as unknown[], asked, problems, (values): UpsertedRow => {
    const text = textOf(entity, asked.key, values, ids)
    return { values, text, expected: expectedOf(entity, asked, values) }
  })
  problems.assertNone()
  return { ...asked, rows }
}

/** Rows as they are written. @param now epoch ms @throws as `readUpserts` */
export function readNewRows(
  entity: CompiledEntity,
  given: unknown,
  options: unknown,
  ids: IdForm,
  now: number
): NewRows {
  const asked = readAsked(entity, given, options)
  const shared = isRecord(asked.update) ? readChanges(entity, asked.update, ids, now) : null
  const same: Taken = { take: [], change: shared?.change ?? {} }
  const takenOf = asked.update === true ? ownValues(entity, asked, ids, now) : () => same
  const problems = new RowProblems(entity)
  const rows = readEach(entity, given as unknown[], asked, problems, (values): NewRow => {
    const row = readNewRow(entity, values, ids, now)
    assertHeld(entity, row, asked.key)
    const { take, change } = takenOf(values)
    const text = keyText(row, keyNames(entity, asked.key, values))
    return { values, text, row, take, change, expected: expectedOf(entity, asked, values) }
  })
  // What is wrong with keys is said before other values.
  if (rows.length < (given as unknown[]).length) readUpserts(entity, given, options, ids)
  problems.assertNone()
  return { ...asked, rows, keeps: shared?.keeps ?? [] }
}

/** The changes of the row that has the key of these values; `null` for none. */
export function changesOf(entity: CompiledEntity, { key, update }: Asked, values: Values): GivenChanges | null {
  return upsertChanges(entity, values, key.fields, { update })
}

/** The conditions that name a row. */
export function namedRow(
  entity: CompiledEntity,
  { key, on }: Asked,
  { values }: UpsertedRow,
  ids: IdForm
): readonly Condition[] {
  const criteria = Object.fromEntries(on.map((name) => [name, values[name]]))
  return namedConditions(entity, key, criteria, values, ids)
}

/** As `text` of the row that it belongs to: in a scope, and across scopes. */
export function textsOf({ scope }: CompiledEntity, { fields }: UniqueKey, row: AnyRow): readonly string[] {
  return scope === undefined ? [keyText(row, fields)] : [keyText(row, fields), keyText(row, [scope.field, ...fields])]
}

/** @throws InvalidValue, InvalidFindOptions, InvalidCriteria */
function readAsked(entity: CompiledEntity, given: unknown, options: unknown): Asked {
  if (!Array.isArray(given)) throw new InvalidValue(entity.name, 'a list of the values of rows')
  const { on, update = false, ...others } = isRecord(options) ? options : {}
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, 'on or update, the options of upsertMany')
  if (!Array.isArray(on) || on.length === 0 || !on.every((name) => typeof name === 'string')) {
    throw new InvalidFindOptions('on', 'a list of the names of a unique key')
  }
  const key = parseKey(entity, Object.fromEntries((on as string[]).map((name) => [name, ''])))
  upsertChanges(entity, {}, key.fields, { update })
  return { key, on: on as string[], update: update as Asked['update'] }
}

/** Each row once. */
function readEach<Row extends UpsertedRow>(
  entity: CompiledEntity,
  given: readonly unknown[],
  asked: Asked,
  problems: RowProblems,
  read: (values: Values) => Row
): readonly Row[] {
  const seen = new Set<string>()
  return problems.each(Array.from(given), (values) => {
    if (!isRecord(values)) throw new InvalidValue(entity.name, 'an object with the values of a row')
    assertPlain(asked.on, values)
    const row = read(values)
    if (seen.has(row.text)) {
      throw new InvalidValue(asked.key.fields.join(' + '), 'values that no other row of the list has')
    }
    seen.add(row.text)
    return row
  })
}

function expectedOf(entity: CompiledEntity, asked: Asked, values: Values): number | null {
  return entity.version ? readVersion(entity, changesOf(entity, asked, values)) : null
}

/** What each existing row takes of its own row, whose values are checked. Rows that give the same fields take the same. */
function ownValues(entity: CompiledEntity, asked: Asked, ids: IdForm, now: number): (values: Values) => Taken {
  let names: readonly string[] = []
  let taken: Taken | null = null
  return (values) => {
    const given = Object.keys(values)
    if (taken !== null && isSameList(given, names) && names.every((name) => values[name] !== undefined)) return taken
    const read = readTaken(entity, changesOf(entity, asked, values), ids, now)
    const own = { take: Object.keys(read.values), change: read.change }
    if (!isPlain(values, given)) return own
    names = given
    taken = own
    return own
  }
}

function textOf(entity: CompiledEntity, key: UniqueKey, values: Values, ids: IdForm): string {
  const names = keyNames(entity, key, values)
  const read = names.map((name) => {
    const field = entity.fields.get(name)
    return [name, field === undefined ? values[name] : rowValueOf(field, readField(field, values[name], ids))] as const
  })
  return keyText(Object.fromEntries(read), names)
}

function keyNames({ scope }: CompiledEntity, { fields }: UniqueKey, values: Values): readonly string[] {
  return scope === undefined || values[scope.field] === undefined ? fields : [scope.field, ...fields]
}
