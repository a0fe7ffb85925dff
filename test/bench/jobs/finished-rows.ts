/** Jobs that have ended, in any number: copies of one that ran, so that their form is that of the system that stored it. */
import type { Client } from 'pg'

/** A table of jobs of PostgreSQL. */
export interface JobTable {
  readonly schema: string
  readonly table: string
  /** What differs from row to row, by column, in SQL of its number `i`. */
  readonly values: Readonly<Record<string, string>>
}

/** Of the jobs that are filled in. */
export const KINDS = 20
/** Epoch ms at which the first ended; another one each millisecond. */
export const BEGIN = Date.UTC(2026, 0, 1)

export const OURS: JobTable = {
  schema: 'public',
  table: 'svc_job',
  values: {
    id: `'00000000-0000-7000-8000-' || lpad(i::text, 12, '0')`,
    name: `'kind ' || (i % ${KINDS})`,
    lane: `'kind ' || (i % ${KINDS})`,
    state: `case when i % 100 = 0 then 'failed' when i % 100 = 1 then 'parked' when i % 100 = 2 then 'cancelled' else 'done' end`,
    addedAt: `${BEGIN} + i`,
    endedAt: `${BEGIN} + i`
  }
}

export const PG_BOSS: JobTable = { schema: 'pgboss', table: 'job', values: { id: 'gen_random_uuid()' } }

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
