/**
 * The rows of one table as an operation changes them. They are copied at the first change: whoever reads goes on with
 * those of before, and an operation that fails leaves nothing behind.
 */
import { UniqueViolation } from 'svc-stores'
import { copyRow, holdsRow, keyOf, recordOf, type TablePlan, uniqueIndexOf, valuesText } from 'svc-stores/table'

export type Row = Readonly<Record<string, unknown>>
export type Rows = ReadonlyMap<string, Row>

export class RowsDraft {
  rows: Rows
  readonly tables: ReadonlyMap<string, Rows>
  /** Of other tables, for conditions on them. */
  readonly rowsOf = ({ name }: TablePlan) => this.tables.get(name)?.values() ?? []
  readonly #plan: TablePlan
  #own: Map<string, Row> | null = null

  /** @param tables all of them, as they are before */
  constructor(plan: TablePlan, rows: Rows, tables: ReadonlyMap<string, Rows>) {
    this.rows = rows
    this.tables = tables
    this.#plan = plan
  }

  /** The row with the same key. */
  get(row: Row): Row | undefined {
    return this.rows.get(keyText(this.#plan, row))
  }

  /** The row with the same values in the columns of a unique index, among the rows of that index. */
  holder(row: Row, columns: readonly string[]): Row | undefined {
    const index = uniqueIndexOf(this.#plan, columns, row) ?? {}
    const isSame = (held: Row) => columns.every((name) => held[name] !== null && held[name] === row[name])
    return [...this.rows.values()].find((held) => holdsRow(index, held) && isSame(held))
  }

  /** @throws UniqueViolation */
  insert(row: Row): void {
    if (this.get(row) !== undefined) throw new UniqueViolation(recordOf(this.#plan), keyOf(this.#plan))
    this.put(row)
  }

  /** Inserts a row, or replaces the one with its key. @throws UniqueViolation */
  put(row: Row): void {
    const key = keyText(this.#plan, row)
    const values = uniqueValues(this.#plan, row)
    for (const [other, held] of values.size === 0 ? [] : this.rows) {
      const shared = [...uniqueValues(this.#plan, held).keys()].find((value) => values.has(value))
      if (other === key || shared === undefined) continue
      throw new UniqueViolation(recordOf(this.#plan), values.get(shared) ?? [])
    }
    this.#changed().set(key, copyRow(row))
  }

  remove(row: Row): void {
    this.#changed().delete(keyText(this.#plan, row))
  }

  #changed(): Map<string, Row> {
    this.#own ??= new Map(this.rows)
    this.rows = this.#own
    return this.#own
  }
}

/** The key of a row as text. */
export function keyText(plan: TablePlan, row: Row): string {
  return JSON.stringify(keyOf(plan).map((name) => row[name]))
}

/** What no other row may hold, with its columns: values of unique columns, items of unique lists. Null never collides. */
function uniqueValues({ indexes = [], itemIndexes = [] }: TablePlan, row: Row): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const index of indexes.filter((each) => each.unique && holdsRow(each, row))) {
    const columns = index.columns.map((each) => (typeof each === 'string' ? each : each[0]))
    const values = columns.map((name) => row[name] ?? null)
    if (!values.includes(null)) found.set(valuesText([String(columns), ...values]), columns)
  }
  for (const { column, fields } of itemIndexes.filter(({ unique }) => unique)) {
    for (const item of (row[column] ?? []) as readonly Row[]) {
      found.set(JSON.stringify([column, fields?.map((name) => item[name]) ?? item]), [column])
    }
  }
  return found
}
