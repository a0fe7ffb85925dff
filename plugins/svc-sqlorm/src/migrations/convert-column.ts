/**
 * The values of a column that is to hold something else: each is converted in JavaScript, and one that does not become a
 * value of the new column stops the migration, whose transaction then keeps nothing.
 */
import { isDeepStrictEqual } from 'node:util'
import { type ConversionData, columnConversion, type MigratedColumn, refusedValues } from 'svc-orm/driver'
import type { IdForm } from 'svc-stores/table'
import { changeRows, type RowDataParts } from './row-data.ts'

export interface ColumnConversion {
  readonly rows: RowDataParts
  readonly from: MigratedColumn
  readonly to: MigratedColumn
  /** The column that takes the new values. Where it is the old one, only what is spelt otherwise is written. */
  readonly target: string
  readonly data: ConversionData
  readonly ids: IdForm
}

/** @throws BootError SVC_ORM_MIGRATION_DATA */
export async function convertColumn({ rows, from, to, target, data, ids }: ColumnConversion): Promise<void> {
  const converted = columnConversion(from, to, data, ids)
  const isInPlace = target === from.name
  const refused: string[] = []
  await changeRows(rows, [from], [{ ...to, name: target }], (row) => {
    const value = row[from.name]
    if (value === null) return null
    const result = converted(value)
    if (result === undefined) refused.push(row.id)
    return result === undefined || (isInPlace && isDeepStrictEqual(result, value)) ? null : { [target]: result }
  })
  if (refused.length > 0) throw refusedValues(`${rows.table}.${to.name}`, from, to, refused)
}
