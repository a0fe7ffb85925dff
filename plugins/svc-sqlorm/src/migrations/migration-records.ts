/**
 * What is known of the migrations that ran, beside Kysely's own table of them: the checksum of each file, and what it found
 * in place. That table is made where something was found.
 */
import { type Kysely, sql } from 'kysely'
import type { ExecutedMigration, FoundPart } from 'svc-orm/driver'
import type { SqlEngine } from '../engines/sql-engine.ts'

/** Kysely's own. */
export const RAN = 'svc_migration'
const FILES = 'svc_migration_file'
const FOUND = 'svc_migration_found'

export async function executedOn(
  db: Kysely<unknown>,
  { alteration }: SqlEngine
): Promise<readonly ExecutedMigration[]> {
  if (!(await alteration.hasTable(db, RAN)) || !(await alteration.hasTable(db, FILES))) return []
  const { rows } = await sql<{
    name: string
    timestamp: string
    checksum: string | null
  }>`select ran.name as "name", ran.timestamp as "timestamp", files.checksum as "checksum"
    from ${sql.table(RAN)} as ran left join ${sql.table(FILES)} as files on files.name = ran.name
    order by ran.timestamp, ran.name`.execute(db)
  return rows.map(({ name, timestamp, checksum }) => ({
    name,
    checksum: checksum ?? '',
    executedAt: new Date(timestamp)
  }))
}

/** Two instances may make it at once: on PostgreSQL one of them then fails, with the table there. */
export async function makeFiles(db: Kysely<unknown>, { alteration }: SqlEngine): Promise<void> {
  if (await alteration.hasTable(db, FILES)) return
  try {
    const columns = sql`name varchar(255) not null primary key, checksum varchar(64) not null`
    await sql`create table if not exists ${sql.table(FILES)} (${columns})`.execute(db)
  } catch (error) {
    if (db.isTransaction || !(await alteration.hasTable(db, FILES))) throw error
  }
}

/** That a migration ran; in its transaction. */
export async function note(
  tx: Kysely<unknown>,
  name: string,
  checksum: string,
  found: readonly FoundPart[]
): Promise<void> {
  await sql`insert into ${sql.table(FILES)} (name, checksum) values (${name}, ${checksum})`.execute(tx)
  if (found.length === 0) return
  const columns = sql`name varchar(255) not null primary key, found text not null`
  await sql`create table if not exists ${sql.table(FOUND)} (${columns})`.execute(tx)
  await sql`insert into ${sql.table(FOUND)} (name, found) values (${name}, ${JSON.stringify(found)})`.execute(tx)
}

/** That it was undone. */
export async function forget(tx: Kysely<unknown>, { alteration }: SqlEngine, name: string): Promise<void> {
  await sql`delete from ${sql.table(FILES)} where name = ${name}`.execute(tx)
  if (await alteration.hasTable(tx, FOUND)) await sql`delete from ${sql.table(FOUND)} where name = ${name}`.execute(tx)
}

/** What a migration found when it ran. */
export async function foundBy(
  tx: Kysely<unknown>,
  { alteration }: SqlEngine,
  name: string
): Promise<readonly FoundPart[]> {
  if (!(await alteration.hasTable(tx, FOUND))) return []
  const { rows } = await sql<{ found: string }>`select found from ${sql.table(FOUND)} where name = ${name}`.execute(tx)
  return rows[0] === undefined ? [] : (JSON.parse(rows[0].found) as readonly FoundPart[])
}
