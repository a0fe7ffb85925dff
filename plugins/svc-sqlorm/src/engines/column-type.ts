/** How an engine keeps a column type. Its object says what a new column is, how values pass, and which standing columns are one. */
import { columnBetween, literal } from './schema-text.ts'

export interface SqlColumnType {
  /** For `create table`: SQL, as all of its parts. */
  readonly sql: string
  /** A value as a parameter; absent: as it is. Null is never handed in. */
  readonly encode?: (value: unknown) => unknown
  /** A stored value as JavaScript has it; absent: the driver answers so. Null is never handed in. */
  readonly decode?: (stored: unknown) => unknown
  /** A default as SQL; absent: of the encoded value. */
  readonly preset?: (value: unknown) => string
  /** A constraint of the column, so that what is read is of its type, whoever wrote it. */
  readonly check?: (column: string) => string
  /** What the database calls columns whose values the driver reads, and writes, without a loss. */
  readonly foundAs: readonly string[]
}

export function encoded({ encode }: SqlColumnType, value: unknown): unknown {
  return value === null || encode === undefined ? value : encode(value)
}

export function presetSql(type: SqlColumnType, value: unknown): string {
  return type.preset?.(value) ?? literal(encoded(type, value))
}

export const json = (value: unknown): string => JSON.stringify(value)

/** What is read is a safe integer or a finite number, whoever wrote it, and whatever was added to it. */
export const safeInteger = (column: string) => columnBetween(column, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
export const finite = (column: string) => columnBetween(column, -Number.MAX_VALUE, Number.MAX_VALUE)
