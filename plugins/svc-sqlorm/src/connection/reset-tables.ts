/** Drops tables, in whichever order they refer to each other. */
import type { SqlConnection } from './sql-connection.ts'

export async function dropTables(
  live: Pick<SqlConnection, 'engine' | 'run' | 'transaction'>,
  tables: readonly string[]
): Promise<void> {
  const { alteration, lockSchema } = live.engine
  await live.run((db) => alteration.begin(db))
  try {
    await live.transaction(async (db) => {
      await lockSchema(db)
      if (tables.length > 0) await alteration.dropTables(db, tables)
    })
  } finally {
    await live.run((db) => alteration.end(db))
  }
}
