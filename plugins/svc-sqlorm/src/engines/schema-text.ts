/** Parts of schema statements, as SQL: names, literals, checks. */
import type { ColumnDefinition, ColumnType } from '../schema/table-definition.ts'

const BOUNDS: Partial<Record<ColumnType, number>> = { integer: Number.MAX_SAFE_INTEGER, float: Number.MAX_VALUE }

/** A name as SQL has it, whatever is in it. */
export function identifier(name: string): string {
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`
}

/** A default as SQL has it. */
export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/** An integer as a literal. @throws SyntaxError for text that is none */
export function digits(value: unknown): string {
  return String(BigInt(value as string))
}

/** What is read is a safe integer or a finite number, whoever wrote it, and whatever was added to it. */
export function numberCheck({ name, type }: ColumnDefinition): string {
  const most = BOUNDS[type]
  return most === undefined ? '' : columnBetween(name, -most, most)
}

export function columnBetween(name: string, least: number, most: number): string {
  return ` check (${identifier(name)} between ${least} and ${most})`
}
