/** An upsert that changes the row that is there, in one atomic step. What it must not change is found out afterwards. */
import { TransactionConflict } from 'svc-stores'
import type { Condition, Table } from 'svc-stores/table'
import type { ReadChanges } from '../criteria/changes.ts'
import { presentRows } from '../criteria/presence.ts'
import type { UniqueKey } from '../criteria/unique-key.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { UniqueViolation, VersionConflict } from '../errors.ts'
import { brokenBounds, conditionsOf, refusal } from './bounded-updates.ts'
import { assertHeld } from './held-row.ts'

type Where = readonly Condition[]

export interface ChangingUpsert {
  readonly entity: CompiledEntity
  /** To be created where there is none. */
  readonly row: AnyRow
  /** What names the row, and the conditions that say so. */
  readonly key: UniqueKey
  where(): Where
  readonly read: ReadChanges
  /** The version that the caller read; `null` where it does not say. */
  readonly expected: number | null
  readonly seesDeleted: boolean
}

/** A refused row may be gone by the time that it is looked at. */
const ATTEMPTS = 5

/** @throws UniqueViolation for a deleted row, VersionConflict, InvalidValue */
export async function changingUpsert(table: Table<AnyRow>, upsert: ChangingUpsert): Promise<AnyRow> {
  const { entity, row, key, read, expected, seesDeleted } = upsert
  const present = seesDeleted ? [] : presentRows(entity)
  const asRead: Where = expected === null ? [] : [{ field: 'version', operator: 'eq', value: expected }]
  const guard: Where = [...present, ...asRead, ...conditionsOf(read.keeps)]
  assertHeld(entity, row, key)
  const options = { by: key.fields, change: read.change ?? {}, ...(guard.length > 0 && { guard }) }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const after = await table.put(row, options)
    if (after !== null) return after
    const where = upsert.where()
    const held = await table.findOne(where)
    if (held === null) continue
    if (present.length > 0 && held.deletedAt !== null) throw new UniqueViolation(entity.name, key.fields)
    if (expected !== null && held.version !== expected) throw new VersionConflict(entity.name)
    const broken = await brokenBounds(table, where, read.keeps)
    if (broken !== undefined) throw refusal(broken)
  }
  throw new TransactionConflict()
}
