/**
 * `Database` over one JSON file. It is read when the database opens, and replaced as a whole by every operation or
 * transaction that changes something: a process that dies leaves the file of before, or the file of after. For small
 * data of one process.
 *
 * One writer at a time: the work of a transaction writes through `within(tx)` only, as any other write waits for its end.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Clock } from 'svc-kernel'
import { ConnectionUnavailable } from 'svc-stores'
import type { ColumnPlan, Table, TablePlan } from 'svc-stores/table'
import { type ConnectionHealth, type Database, maskTarget, runEffects, runWork, UuidIds } from 'svc-stores/table'
import { FileTable } from './file-table.ts'
import { FileTransaction, type Tables, type TransactionSource } from './file-transaction.ts'
import type { Row } from './rows-draft.ts'

export class FileDatabase implements Database, TransactionSource {
  readonly name = 'default'
  readonly vendor = 'mapfile'
  readonly search = true
  readonly savepoints = true
  readonly cheapTransactions = true
  readonly connection
  readonly ids: UuidIds
  readonly storedAs = ({ name }: TablePlan) => name
  closing = false
  readonly #file: string
  readonly #clock: Pick<Clock, 'now'>
  readonly #declared = new Map<string, FileTable>()
  /** As the file has them; `null` while the database is not open. */
  #tables: Tables | null = null
  #openedAt = 0
  #failures = 0
  #lastWrite: Promise<unknown> = Promise.resolve()

  constructor(file: string, clock: Pick<Clock, 'now'>) {
    this.connection = { driver: 'node:fs', target: maskTarget(file), version: null }
    this.ids = new UuidIds(clock)
    this.#file = file
    this.#clock = clock
  }

  get connected(): boolean {
    return this.#tables !== null
  }

  /** Reads the file; without one, the database is empty. @throws where it cannot be read */
  async open(): Promise<void> {
    const text = await readFile(this.#file, 'utf8').catch((error: { code?: unknown }) => {
      if (error.code === 'ENOENT') return '{}'
      throw error
    })
    const kept = Object.entries(JSON.parse(text) as Record<string, [string, Row][]>)
    this.#tables = new Map(kept.map(([name, rows]) => [name, this.#readRows(name, rows)]))
    this.#openedAt = this.#clock.now()
  }

  async close(): Promise<void> {
    this.closing = true
    await this.#lastWrite
    this.#tables = null
  }

  table<Held extends object>(plan: TablePlan): Table<Held> {
    const table = this.#declared.get(plan.name) ?? new FileTable(plan, this)
    this.#declared.set(plan.name, table)
    return table as unknown as Table<Held>
  }

  snapshot(): FileTransaction {
    if (this.#tables === null) throw new ConnectionUnavailable(this.name)
    return new FileTransaction(this, this.#tables)
  }

  /** Runs `work` when no other writer is at it; what it changed is in the file before anybody sees it. */
  transaction<T>(work: (tx: FileTransaction) => Promise<T>): Promise<T> {
    const run = this.#lastWrite.then(async () => {
      const tx = this.snapshot()
      try {
        const result = await runWork(tx, work)
        if (tx.tables !== this.#tables) await this.#save(tx.tables)
        runEffects(tx)
        return result
      } finally {
        tx.isOver = true
      }
    })
    this.#lastWrite = run.catch(() => undefined)
    return run
  }

  async health(): Promise<ConnectionHealth> {
    const { connected } = this
    const counts = { connectCount: connected ? 1 : 0, reconnectCount: 0, errorCount: this.#failures }
    const lastError = this.#failures === 0 ? null : 'the file could not be written'
    const [connectedSince, pingMs] = connected ? [this.#openedAt, 0] : [null, null]
    return { connected, connectedSince, pingMs, ...counts, lastError, pool: null }
  }

  /** @throws ConnectionUnavailable; the tables stay as they were */
  async #save(tables: Tables): Promise<void> {
    const next = `${this.#file}.next`
    const content = Object.fromEntries([...tables].map(([name, rows]) => [name, [...rows]]))
    try {
      // Password hashes are among the rows.
      const text = JSON.stringify(content, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      await writeFile(next, text, { mode: 0o600, flush: true })
      await rename(next, this.#file)
    } catch {
      this.#failures += 1
      throw new ConnectionUnavailable(this.name)
    }
    this.#tables = tables
  }

  /** JSON has neither dates nor integers of 64 bits, and the rows of before a column lack it. */
  #readRows(table: string, rows: readonly [string, Row][]): Map<string, Row> {
    const columns = this.#declared.get(table)?.plan.columns ?? []
    const readRow = (kept: Row): Row => {
      const read = columns.map(({ name, type, list, default: initial = list ? [] : null }) => {
        const held = kept[name] ?? (name in kept ? null : initial)
        return [name, held === null ? null : typed(type, held)]
      })
      return { ...kept, ...Object.fromEntries(read) }
    }
    return new Map(rows.map(([key, row]) => [key, readRow(row)]))
  }
}

function typed(type: ColumnPlan['type'], held: unknown): unknown {
  if (type !== 'date') return type === 'bigint' ? BigInt(held as string) : held
  return Array.isArray(held) ? held.map((day: string) => new Date(day)) : new Date(held as string)
}
