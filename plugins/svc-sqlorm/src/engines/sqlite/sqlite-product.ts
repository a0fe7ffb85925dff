/**
 * Products on SQLite, whose integers become inexact numbers where they pass 64 bits. Within them it computes by itself;
 * beyond, a function of each connection does.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { exactProduct, factorOf } from 'svc-stores/table'
import type { ColumnType } from '../../schema/table-definition.ts'

/** Takes an integer and a factor as text. */
export const PRODUCT = 'svc_product'

const LARGEST = 2n ** 63n - 1n

export function multiplied(column: Expression<unknown>, type: ColumnType): RawBuilder<unknown> {
  const given = sql.val(null)
  // Of negative zero, adding 0 makes zero.
  if (type === 'float') return sql`${column} * ${given} + 0`
  // Division of integers rounds towards zero.
  const product = sql`(${column} * ${given} + sign(${column}) * ${given}) / ${given}`
  return sql`case when ${column} between ${given} and ${given} then ${product} else ${sql.ref(PRODUCT)}(${column}, ${given}) end`
}

export function encodeFactor(type: ColumnType, factor: string | number): readonly unknown[] {
  const read = type === 'float' ? null : factorOf(String(factor))
  if (read === null) return [factor]
  const { digits, scale } = read
  const unit = 10n ** BigInt(scale)
  const half = digits < 0n ? -(unit / 2n) : unit / 2n
  const most = digits === 0n ? LARGEST : (LARGEST - unit / 2n) / (digits < 0n ? -digits : digits)
  return [-most, most, digits, half, unit, String(factor)]
}

/** What passes 64 bits is a float, which no column of integers takes. */
export function product(held: unknown, factor: unknown): bigint | number | null {
  const read = typeof factor === 'string' ? factorOf(factor) : null
  if (typeof held !== 'bigint' || read === null) return null
  const value = exactProduct(held, read)
  return BigInt.asIntN(64, value) === value ? value : Number(value)
}
