/** What an engine would do with the statements that some work sends. Their texts stand in the debug log. */
import { CompiledQuery, type Kysely } from 'kysely'
import type { CapturedLog } from './captured-log.ts'

export type Explain = (db: Kysely<unknown>, statement: string) => Promise<string>

/** What begins and ends a transaction. */
const WITHOUT_PLAN = /^(?:start transaction|begin|commit|rollback)\b/i

/** The plan of each statement, one after the other. */
export async function plansOf(
  log: CapturedLog,
  work: () => Promise<unknown>,
  explain: (statement: string) => Promise<string>
) {
  const from = log.lines.length
  await work()
  const statements = log.lines.slice(from).flatMap(({ msg }) => (WITHOUT_PLAN.test(msg) ? [] : [msg]))
  return (await Promise.all(statements.map(explain))).join('\n')
}

export const explainSqlite: Explain = async (db, statement) => {
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`))
  return rows.map(({ detail }) => detail).join('\n')
}

interface PostgresPlanning {
  readonly mode: 'force_generic_plan' | 'force_custom_plan'
  /** Ways that a few thousand rows are read in, and a million are not. */
  readonly without: readonly string[]
  /** A value for a parameter of a type. */
  readonly samples: Readonly<Record<string, string>>
}

/** As the server plans a prepared statement for good, whatever its parameters are. */
export const explainPostgres: Explain = (db, statement) =>
  explainPrepared(db, statement, { mode: 'force_generic_plan', without: ['seqscan'], samples: {} })

/** As the server plans a statement that is sent once: for values like these. */
export const explainPostgresOnce: Explain = (db, statement) =>
  explainPrepared(db, statement, {
    mode: 'force_custom_plan',
    without: ['seqscan', 'bitmapscan', 'sort'],
    samples: { bigint: '50', boolean: 'true', text: "'user 7'" }
  })

function explainPrepared(db: Kysely<unknown>, statement: string, planning: PostgresPlanning): Promise<string> {
  const { mode, without, samples } = planning
  return db.connection().execute(async (connection) => {
    const query = async <Row>(text: string) => (await connection.executeQuery<Row>(CompiledQuery.raw(text))).rows
    await query(`set plan_cache_mode = ${mode}`)
    for (const way of without) await query(`set enable_${way} = off`)
    await query(`prepare looked_at as ${statement}`)
    const types = await query<{ type: string }>(
      `select unnest(parameter_types)::text as type from pg_prepared_statements where name = 'looked_at'`
    )
    const values = types.length === 0 ? '' : `(${types.map(({ type }) => samples[type] ?? 'null').join()})`
    const rows = await query<{ 'QUERY PLAN': string }>(`explain execute looked_at${values}`)
    await query('deallocate looked_at')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}
