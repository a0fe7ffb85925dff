/** The rows of a table while a migration changes their values: read in batches by id, converted in JavaScript, written back. */
import { type Kysely, sql } from 'kysely'
import { missingData, type StoredRow } from 'svc-orm/driver'
import type { ColumnPlan } from 'svc-stores/table'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'
import { readRow, selected, tableColumns } from '../table/table-columns.ts'

const BATCH = 1000

const ID: ColumnPlan = { name: 'id', type: 'id' }

export interface RowDataParts {
  readonly db: Kysely<unknown>
  readonly engine: SqlEngine
  readonly table: string
  /** Rows done so far. */
  readonly progress: (rows: number) => void
}

/** @param columns without the id @param written of those that `change` answers: the columns to be set */
export async function changeRows(
  { db, engine, table, progress }: RowDataParts,
  columns: readonly ColumnPlan[],
  written: readonly ColumnPlan[],
  change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
): Promise<void> {
  const sets = new Map(tableColumns({ name: table, columns: written }, engine).map((column) => [column.name, column]))
  const key = await engine.alteration.primaryKey(db.withoutPlugins(), table)
  const [keys, order] = [key.map((name) => sql.ref(`${table}.${name}`)), sql.join(key.map((name) => sql.ref(name)))]
  const isId = key.length === 1
  const read = tableColumns({ name: table, columns: isId ? [ID, ...columns] : columns }, engine)
  const own = isId
    ? sql``
    : sql`, ${sql.join(keys.map((column, place) => sql`${column} as ${sql.ref(keyName(place))}`))}`
  const keyOf = (row: StoredRecord): readonly unknown[] =>
    isId ? [row.id] : key.map((_, place) => row[keyName(place)])
  const names = selected(read)
  let last: readonly unknown[] | null = null
  let done = 0
  for (;;) {
    const after = last === null ? sql`` : sql` where (${order}) > (${sql.join(last)})`
    const statement = sql<StoredRecord>`select ${names}${own} from ${sql.table(table)}${after} order by ${order} limit ${sql.lit(BATCH)}`
    const { rows } = await statement.execute(db)
    if (rows.length === 0) return
    const changes = new Map<string, unknown[][]>()
    for (const stored of rows) {
      const keyValues = keyOf(stored)
      const id = keyValues.map((value) => (isId ? String(value) : encodeURIComponent(String(value)))).join(',')
      const row: StoredRow = { ...readRow(stored, read), id }
      const changed = Object.entries(change(row) ?? {})
      if (changed.length === 0) continue
      const values = changed.map(([name, value]) => encoded(sets.get(name), name, value))
      const set = changed.map(([name]) => name).join('\n')
      const list = changes.get(set) ?? []
      list.push([...keyValues, ...values])
      changes.set(set, list)
    }
    for (const [changed, values] of changes) {
      const set = changed.split('\n').flatMap((name) => sets.get(name) ?? [])
      await engine.alteration.updateRows(db, { table, key }, set, values)
    }
    last = keyOf(rows.at(-1) as StoredRecord)
    done += rows.length
    progress(done)
    if (rows.length < BATCH) return
  }
}

/** Beside the columns, whose values are read as rows have them. */
function keyName(place: number): string {
  return `svc_key_${place}`
}

type Column = ReturnType<typeof tableColumns>[number]

function encoded(column: Column | undefined, name: string, value: unknown): unknown {
  if (column === undefined)
    throw missingData(`a change sets ${name}, which is not among its columns`, `name ${name} there`)
  return value === null || value === undefined ? null : column.encode(value)
}

/** @param column its values are counted; `null`: rows */
export async function countRows(db: Kysely<unknown>, table: string, column: string | null): Promise<number> {
  const held = column === null ? sql`` : sql` where ${sql.ref(column)} is not null`
  const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(table)}${held}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
