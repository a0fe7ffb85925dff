/**
 * How many entries of tables and indexes a statement reads, its subqueries included.
 *
 * PostgreSQL counts them itself: rows that a scan gave and that it filtered out, as often as it ran, and one for a look that
 * found nothing; planned for its own values and for any values, of which the worse counts. SQLite tells no such number: a
 * function at the head of each `where` is called once for each entry, before anything else is asked of it; that the plan
 * stays what it was is looked at as well.
 */
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, type Kysely } from 'kysely'
import { LiveConnection } from '../../src/connection/live-connection.ts'
import { atPath } from '../../src/engines/sqlite/at-path.ts'
import { AT_PATH } from '../../src/engines/sqlite/sqlite-path.ts'
import { SqlTransaction } from '../../src/transactions/sql-transaction.ts'

export type EntriesRead = (query: CompiledQuery) => Promise<number>

/** The statements that some work asks for, inside of transactions too. @param sends whether they are run; else each is answered with no rows */
export async function queriesOf(work: () => Promise<unknown>, sends: boolean): Promise<readonly CompiledQuery[]> {
  const sent: CompiledQuery[] = []
  const [outside, inside] = [LiveConnection.prototype, SqlTransaction.prototype]
  const { execute } = outside
  const { read, write } = inside
  const answer = (query: CompiledQuery, send: () => ReturnType<typeof execute>) => {
    sent.push(query)
    return sends ? send() : Promise.resolve({ rows: [], numAffectedRows: 0n })
  }
  outside.execute = function (query) {
    return answer(query, () => execute.call(this, query))
  }
  inside.read = function (query) {
    return answer(query, () => read.call(this, query))
  }
  inside.write = function (query) {
    return answer(query, () => write.call(this, query))
  }
  try {
    await work()
  } finally {
    Object.assign(outside, { execute })
    Object.assign(inside, { read, write })
  }
  return sent
}

/** @param file of the database; what a statement changes is undone */
export function readOnSqlite(file: string): { readonly entriesRead: EntriesRead; close(): void } {
  const database = new DatabaseSync(file)
  let seen = 0
  database.function('svc_seen', () => {
    seen += 1
    return 1
  })
  database.function('svc_product', { varargs: true }, (held) => held ?? null)
  database.function('svc_fold', (text) => String(text).toLowerCase())
  database.function(AT_PATH, { deterministic: true }, atPath)
  const planOf = (text: string) =>
    database
      .prepare(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ')
  return {
    async entriesRead({ sql, parameters }) {
      const counting = countingText(sql)
      const [plan, counted] = [planOf(sql), planOf(counting)]
      if (plan !== counted) throw new Error(`counting changes the plan of ${sql}: ${plan}; now ${counted}`)
      seen = 0
      database.exec('begin')
      try {
        database.prepare(counting).all(...(parameters as never[]))
      } finally {
        database.exec('rollback')
      }
      return seen
    },
    close: () => database.close()
  }
}

function countingText(sql: string): string {
  if (sql.includes(' where ')) return sql.replaceAll(' where ', ' where svc_seen() and ')
  // What meets an insert is looked up by the index that it names.
  if (sql.startsWith('insert ')) return sql
  return sql.replace(/(?= (?:group by|order by|limit) |$)/, ' where svc_seen()')
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Scans of what is not stored. */
const DERIVED = ['Bitmap Index Scan', 'CTE Scan', 'Subquery Scan', 'Function Scan', 'Values Scan', 'WorkTable Scan']

/**
 * An index may pass over entries that are in no count: then more pages were looked at than it takes to find each entry that
 * is, and each of these pages has entries enough.
 */
const PAGES_OF_AN_ENTRY = 5
const ENTRIES_OF_A_PAGE = 25

/** @param settings of the session @param db what a statement changes is undone */
export function readOnPostgres(db: Kysely<unknown>, settings: Readonly<Record<string, string>>): EntriesRead {
  return ({ sql, parameters }) =>
    db.connection().execute(async (connection) => {
      const run = async (text: string) => (await connection.executeQuery<object>(CompiledQuery.raw(text))).rows
      const all = { max_parallel_workers_per_gather: '0', jit: 'off', statement_timeout: '60s', ...settings }
      for (const [name, value] of Object.entries(all)) await run(`set ${name} = '${value}'`)
      await run(`prepare looked_at as ${sql}`)
      const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join()})`
      const read: number[] = []
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await run(`set plan_cache_mode = ${mode}`)
        await run('begin')
        const [explained] = await run(`explain (analyze, buffers, timing off, format json) execute looked_at${values}`)
        await run('rollback')
        const [{ Plan: plan }] = (explained as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN']
        read.push(entriesOf(plan))
      }
      await run('deallocate looked_at')
      return Math.max(...read)
    })
}

function entriesOf(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, each) => sum + entriesOf(each), 0)
  const type = node['Node Type']
  if (!type.endsWith('Scan') || DERIVED.includes(type)) return below
  const passed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const entries = Math.max(1, node['Actual Rows'] + passed) * node['Actual Loops']
  const isComplete = pagesOf(node) <= PAGES_OF_AN_ENTRY * entries + ENTRIES_OF_A_PAGE
  return below + (isComplete ? entries : pagesOf(node) * ENTRIES_OF_A_PAGE)
}

/** Those of a scan, with the indexes that it combines. */
function pagesOf(node: PlanNode): number {
  const others = (node.Plans ?? []).filter(({ 'Node Type': type }) => !type.startsWith('Bitmap'))
  return others.reduce((pages, each) => pages - touched(each), touched(node))
}

/** With all below it. */
function touched(node: PlanNode): number {
  return (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  const text = Array.isArray(value) ? `{${value.map(itemText).join()}}` : textOf(value)
  return `'${text.replaceAll("'", "''")}'`
}

function itemText(item: unknown): string {
  return item === null ? 'null' : JSON.stringify(textOf(item))
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}
