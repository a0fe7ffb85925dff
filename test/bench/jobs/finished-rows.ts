/** Jobs that have ended, in any number: copies of one that ran, so that their form is that of the system that stored it. */
import type { Client } from 'pg'

/** A table of jobs of PostgreSQL. */
export interface JobTable {
  readonly schema: string
  readonly table: string
  /** What differs from row to row, by column, in SQL of its number `i`. */
  readonly values: Readonly<Record<string, string>>
}

/** There is one job in the table, and it has ended; afterwards there are `rows`. */
export async function fillWithFinished(
  client: Client,
  { schema, table, values }: JobTable,
  rows: number
): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = $1 and table_name = $2 and is_generated = 'NEVER'`,
    [schema, table]
  )
  const names = columns.map(({ name }) => `"${name}"`).join()
  const selected = columns.map(({ name }) => values[name] ?? `model."${name}"`).join()
  const whole = `"${schema}"."${table}"`
  await client.query(
    `insert into ${whole} (${names}) select ${selected} from generate_series(2, ${rows}) as i, (select * from ${whole} limit 1) as model`
  )
  await client.query(`analyze ${whole}`)
}
