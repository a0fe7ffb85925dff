/** What PostgreSQL keeps a column as. Text compares by code point. */
import type { ColumnType } from '../../schema/table-definition.ts'
import { finite, json, type SqlColumnType, safeInteger } from '../column-type.ts'
import { digits } from '../schema-text.ts'
import { vectorText } from './postgres-words.ts'

export interface PostgresType extends SqlColumnType {
  /** For casts: without collation and precision. Absent: as a new column. */
  readonly cast?: string
}

/** Found by the server's own names. The driver answers every type but `bigint` as JavaScript has it. */
export const POSTGRES_TYPES: Readonly<Record<ColumnType, PostgresType>> = {
  text: { sql: 'text collate "C"', cast: 'text', foundAs: ['text', 'character varying', 'character', 'uuid'] },
  integer: { sql: 'bigint', check: safeInteger, foundAs: ['bigint', 'integer', 'smallint'] },
  bigint: { sql: 'bigint', decode: (stored) => BigInt(stored as string), preset: digits, foundAs: ['bigint'] },
  float: { sql: 'double precision', check: finite, foundAs: ['double precision'] },
  boolean: { sql: 'boolean', foundAs: ['boolean'] },
  date: { sql: 'timestamptz(3)', cast: 'timestamptz', foundAs: ['timestamp with time zone'] },
  bytes: { sql: 'bytea', foundAs: ['bytea'] },
  json: { sql: 'jsonb', encode: json, foundAs: ['jsonb'] },
  'json-text': { sql: 'json', encode: json, foundAs: ['json'] },
  words: { sql: 'tsvector', encode: (words) => vectorText(words as string), foundAs: ['tsvector'] }
}

/** The types that a standing column can be. @param name as the server has it */
export function fittingTypes(name: string): readonly ColumnType[] {
  const types = Object.entries(POSTGRES_TYPES) as [ColumnType, PostgresType][]
  return types.filter(([, { foundAs }]) => foundAs.includes(name)).map(([type]) => type)
}
