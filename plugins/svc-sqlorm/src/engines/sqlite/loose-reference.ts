/**
 * The reference that keeps a transaction of SQLite from its commit: SQLite tells nothing of it, so it is looked for before
 * the transaction is undone, in tables with deferrable foreign keys only. Of a key of two columns the second one tells it.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { FailedConstraint } from '../failure.ts'

const found = new WeakMap<Error, FailedConstraint>()

const LOOSE = `select c."table", f."from" as "column"
  from (select m.name from sqlite_master m where m.type = 'table' and m.sql like '%initially deferred%') m
    join pragma_foreign_key_check(m.name) c
    join pragma_foreign_key_list(m.name) f on f.id = c.fkid
  order by f.seq desc limit 1`

/** @param error of the commit: `looseReferenceOf` answers for it what was found */
export function noteLooseReference(error: Error, database: DatabaseSync): void {
  const row = database.prepare(LOOSE).get() as { readonly table: string; readonly column: string } | undefined
  if (row !== undefined) found.set(error, { table: row.table, name: null, columns: [row.column] })
}

export function looseReferenceOf(error: unknown): FailedConstraint | null {
  return (error instanceof Error ? found.get(error) : undefined) ?? null
}
