/** What may be told of a statement: its kind and its table. Never its text, which a program may have put values into. */
import type { Statement } from 'svc-kernel'

const KIND = /^\s*([a-z]+)/i
/** The first table that is read or written. Builders quote names; text by hand may not. */
const TABLE = /\b(?:from|into|update|join|table)\s+(?:only\s+|if\s+(?:not\s+)?exists\s+)?"?([a-z_][\w$]*)"?/i

/** Longer text is not read to its end for the name of a table. */
const READ = 2000

export function statementFacts(connector: string, sql: string): Pick<Statement, 'connector' | 'kind' | 'table'> {
  const text = sql.length > READ ? sql.slice(0, READ) : sql
  return { connector, kind: KIND.exec(text)?.[1]?.toLowerCase() ?? 'other', table: TABLE.exec(text)?.[1] ?? null }
}
