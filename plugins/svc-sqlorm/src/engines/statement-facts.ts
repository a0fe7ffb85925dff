/** What may be told of a statement: its kind, its table, and its text without values. Texts come again: each is read once. */
import type { Statement } from 'svc-kernel'
import { withoutValues } from './statement-text.ts'

type Facts = Required<Pick<Statement, 'connector' | 'kind' | 'table' | 'text'>>

const KIND = /^\s*([a-z]+)/i
/** The first table that is read or written. Builders quote names; text by hand may not. */
const TABLE = /\b(?:from|into|update|join|table)\s+(?:only\s+|if\s+(?:not\s+)?exists\s+)?"?([a-z_][\w$]*)"?/i

/** Longer text is not read to its end. */
const READ = 2000

/** Text by hand may have values in it, so that it never comes again. */
const MOST_KEPT = 500

const known = new Map<string, Omit<Facts, 'connector'>>()

export function statementFacts(connector: string, sql: string): Facts {
  const facts = known.get(sql) ?? read(sql)
  return { connector, kind: facts.kind, table: facts.table, text: facts.text }
}

function read(sql: string): Omit<Facts, 'connector'> {
  const text = sql.length > READ ? sql.slice(0, READ) : sql
  const facts = {
    kind: KIND.exec(text)?.[1]?.toLowerCase() ?? 'other',
    table: TABLE.exec(text)?.[1] ?? null,
    text: withoutValues(text)
  }
  if (sql.length <= READ) {
    if (known.size === MOST_KEPT) known.clear()
    known.set(sql, facts)
  }
  return facts
}
