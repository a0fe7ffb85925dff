/** Updates that compute: a row that would leave the bounds of a field is not changed, and the caller hears of it. */
import type { MaybePromise } from 'svc-kernel'
import type { Change, Condition, Table } from 'svc-stores/table'
import type { KeptBounds } from '../criteria/arithmetic.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidValue } from '../errors.ts'

type Where = readonly Condition[]

/** The statement contains the bounds; only if it changed no row, others find out why. @throws InvalidValue */
export function updateOneWithin(
  table: Table<AnyRow>,
  where: Where,
  change: Change<AnyRow>,
  keeps: readonly KeptBounds[]
): MaybePromise<AnyRow | null> {
  return keeps.length === 0 ? table.updateOne(where, change) : changedOrRefused(table, where, change, keeps)
}

/** All rows keep their bounds, or none is changed. @param table in a transaction @throws InvalidValue */
export async function updateWithin(
  table: Table<AnyRow>,
  where: Where,
  change: Change<AnyRow>,
  keeps: readonly KeptBounds[]
): Promise<number> {
  const broken = await brokenBounds(table, where, keeps)
  if (broken !== undefined) throw refusal(broken)
  return table.update([...where, ...conditionsOf(keeps)], change)
}

/** What rows hold that keep all of these. */
export function conditionsOf(keeps: readonly KeptBounds[]): Where {
  return keeps.flatMap(({ conditions }) => conditions)
}

/** The first bounds that one of the rows would leave. */
export async function brokenBounds(
  table: Table<AnyRow>,
  where: Where,
  keeps: readonly KeptBounds[]
): Promise<KeptBounds | undefined> {
  for (const each of keeps) {
    if (await table.exists([...where, { operator: 'not', of: each.conditions }])) return each
  }
  return undefined
}

export function refusal({ field, expected }: KeptBounds): Error {
  return new InvalidValue(field, expected)
}

async function changedOrRefused(
  table: Table<AnyRow>,
  where: Where,
  change: Change<AnyRow>,
  keeps: readonly KeptBounds[]
): Promise<AnyRow | null> {
  const row = await table.updateOne([...where, ...conditionsOf(keeps)], change)
  if (row !== null || !(await table.exists(where))) return row
  const [only] = keeps as readonly [KeptBounds]
  // Where another caller has changed the row meanwhile, none may be broken any more.
  throw refusal(keeps.length === 1 ? only : ((await brokenBounds(table, where, keeps)) ?? only))
}
