/** What PostgreSQL keeps a column as. Text compares by code point. */
import type { ColumnType } from '../../schema/table-definition.ts'

export const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text collate "C"',
  integer: 'bigint',
  bigint: 'bigint',
  float: 'double precision',
  boolean: 'boolean',
  date: 'timestamptz(3)',
  bytes: 'bytea',
  json: 'jsonb',
  'json-text': 'json'
}

/** Without collations, for casts. */
export const ELEMENTS: Readonly<Record<ColumnType, string>> = { ...TYPES, text: 'text', date: 'timestamptz' }
