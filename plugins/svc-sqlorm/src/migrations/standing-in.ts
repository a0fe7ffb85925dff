/** Looks at a database for a first migration: its catalogue, and the values of columns of which the catalogue says too little. */
import { type Kysely, sql } from 'kysely'
import type { StandingTable } from 'svc-orm/driver'
import type { TablePlan } from 'svc-stores/table'
import type { LiveConnection } from '../connection/live-connection.ts'
import { standingTables, textOrJson } from './standing-tables.ts'

/** @throws ConnectionUnavailable */
export function standingIn(live: LiveConnection, plans: readonly TablePlan[]): Promise<readonly StandingTable[]> {
  return live.unopened(async (db) => {
    const schema = await live.engine.existingSchema(db)
    const held = new Map<string, 'text' | 'json' | null>()
    for (const [table, column] of textOrJson(schema, plans))
      held.set(`${table}.${column}`, await heldAs(db, table, column))
    const references = await live.engine.alteration.references(db)
    return standingTables(schema, plans, (table, column) => held.get(`${table}.${column}`) ?? null, references)
  })
}

/** Only SQLite has such columns. Text that is JSON throughout, and of which some could be nothing else, is JSON. */
async function heldAs(db: Kysely<unknown>, table: string, column: string): Promise<'text' | 'json' | null> {
  const value = sql.ref(column)
  const { rows } = await sql<{ valid: number | null; marked: number | null }>`
    select min(json_valid(${value})) as "valid", max(substr(ltrim(${value}), 1, 1) in ('"', '{', '[')) as "marked"
    from ${sql.table(table)} where ${value} is not null`.execute(db)
  const { valid = null, marked = null } = rows[0] ?? {}
  if (valid === null) return null
  if (valid === 0) return 'text'
  return marked === 1 ? 'json' : null
}
