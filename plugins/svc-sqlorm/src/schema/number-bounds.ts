/** What is read is a safe integer or a finite number, whoever wrote it, and whatever was added to it. */
import { type RawBuilder, sql } from 'kysely'
import type { ColumnDefinition, ColumnType } from './table-definition.ts'

const BOUNDS: Partial<Record<ColumnType, number>> = { integer: Number.MAX_SAFE_INTEGER, float: Number.MAX_VALUE }

export function numberCheck({ name, type }: ColumnDefinition): RawBuilder<unknown> {
  const most = BOUNDS[type]
  return most === undefined ? sql`` : columnBetween(name, -most, most)
}

export function columnBetween(name: string, least: number, most: number): RawBuilder<unknown> {
  return sql` check (${sql.ref(name)} between ${sql.lit(least)} and ${sql.lit(most)})`
}
