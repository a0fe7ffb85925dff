/** The steps of a migration on tables in memory: each makes another map of tables. */
import assert from 'node:assert/strict'
import { columnName, indexColumns, UuidIds } from 'svc-stores/table'
import type { AnyRow } from '../../src/entities/row-of.ts'
import { columnConversion, filledValue, isConverted, refusedValues } from '../../src/migrations/convert-value.ts'
import type {
  ColumnData,
  ConversionData,
  MigratedColumn,
  MigratedIndex,
  MigratedReference,
  MigrationContext,
  StoredRow,
  TableShape
} from '../../src/migrations/migration.ts'
import type { MigrationRun } from '../../src/migrations/migration-port.ts'
import { danglingRows, missingData } from '../../src/migrations/migration-problem.ts'

const ids = new UuidIds({ now: () => 0 })

export interface KeptTable {
  readonly columns: readonly MigratedColumn[]
  readonly indexes: readonly MigratedIndex[]
  readonly rows: readonly AnyRow[]
  readonly references?: readonly MigratedReference[]
}

type Run = Pick<MigrationRun, 'preview' | 'losing'>

export class MemoryMigration implements MigrationContext {
  readonly vendor = 'memory'
  readonly #tables: Map<string, KeptTable>
  readonly #run: Run

  constructor(tables: ReadonlyMap<string, KeptTable>, run: Run) {
    this.#tables = new Map(tables)
    this.#run = run
  }

  get tables(): ReadonlyMap<string, KeptTable> {
    return this.#tables
  }

  async createTable(entity: string, { columns, indexes = [] }: TableShape): Promise<void> {
    assert.ok(!this.#tables.has(entity), `${entity} is not there yet`)
    this.#said(`create ${entity}`)
    this.#tables.set(entity, { columns, indexes, rows: [] })
  }

  async dropTable(entity: string): Promise<void> {
    const { rows } = this.#table(entity)
    if (rows.length > 0) this.#run.losing?.({ entity, column: null, rows: rows.length })
    this.#said(`drop ${entity}`)
    this.#tables.delete(entity)
  }

  async renameTable(from: string, to: string): Promise<void> {
    assert.ok(!this.#tables.has(to), `${to} is not there yet`)
    this.#tables.set(to, this.#table(from))
    this.#tables.delete(from)
  }

  async addColumn(entity: string, column: MigratedColumn, { fill }: ColumnData = {}): Promise<void> {
    const { columns } = this.#table(entity)
    assert.ok(!columns.some(({ name }) => name === column.name), `${entity}.${column.name} is not there yet`)
    this.#change(entity, { columns: [...columns, column] })
    this.#rows(entity, (row) => ({ ...row, [column.name]: null }))
    this.#fill(entity, column, fill)
    const { folds, type } = column
    if (folds === undefined) return
    const copied = (text?: string | null) => (type === 'words' ? wordsOf(text) : text?.toLowerCase()) ?? null
    this.#rows(entity, (row) => ({ ...row, [column.name]: copied(row[folds]) }))
  }

  async dropColumn(entity: string, column: string): Promise<void> {
    const { columns, rows } = this.#table(entity)
    this.#column(entity, column)
    const held = rows.filter((row) => row[column] !== null).length
    if (held > 0) this.#run.losing?.({ entity, column, rows: held })
    this.#change(entity, { columns: columns.filter(({ name }) => name !== column) })
    this.#rows(entity, ({ [column]: _, ...row }) => row as AnyRow)
  }

  async renameColumn(entity: string, from: string, to: string): Promise<void> {
    const { columns, indexes } = this.#table(entity)
    this.#column(entity, from)
    assert.ok(!columns.some(({ name }) => name === to), `${entity}.${to} is not there yet`)
    assert.ok(!indexes.some((index) => indexColumns(index).includes(from)), `no index has ${from}`)
    this.#change(entity, { columns: columns.map((each) => (each.name === from ? { ...each, name: to } : each)) })
    this.#rows(entity, ({ [from]: value, ...row }) => ({ ...row, [to]: value }) as unknown as AnyRow)
  }

  async changeColumn(
    entity: string,
    from: MigratedColumn,
    to: MigratedColumn,
    data: ConversionData = {}
  ): Promise<void> {
    assert.equal(from.name, to.name)
    const standing = this.#column(entity, from.name)
    assert.deepEqual([standing.type, standing.list ?? false], [from.type, from.list ?? false], 'it is as the step says')
    const kept = (column: MigratedColumn) => JSON.stringify([column.type, column.list ?? false, column.scale ?? 0])
    const isIndexed = this.#table(entity).indexes.some((index) => indexColumns(index).includes(to.name))
    assert.ok(kept(from) === kept(to) || !isIndexed, `no index has ${to.name} while it gets another type`)
    const isChanged = isConverted(from, to) || data.convert !== undefined
    const convert = isChanged ? columnConversion(from, to, data, ids) : (value: unknown) => value
    const refused: string[] = []
    this.#rows(entity, (row) => {
      const value: unknown = row[from.name]
      const converted = value === null ? null : convert(value)
      if (converted === undefined) refused.push(row.id)
      return { ...row, [to.name]: converted }
    })
    if (refused.length > 0) throw refusedValues(`${entity}.${to.name}`, from, to, refused)
    const { columns } = this.#table(entity)
    this.#change(entity, { columns: columns.map((each) => (each.name === to.name ? to : each)) })
    if (to.nullable !== true || data.fill !== undefined) this.#fill(entity, to, data.fill)
  }

  async addIndex(entity: string, index: MigratedIndex): Promise<void> {
    const { indexes } = this.#table(entity)
    assert.ok(!indexes.map(indexKey).includes(indexKey(index)), `${indexKey(index)} is not there yet`)
    this.#change(entity, { indexes: [...indexes, index] })
  }

  async dropIndex(entity: string, index: MigratedIndex): Promise<void> {
    const { indexes } = this.#table(entity)
    const kept = indexes.filter((each) => indexKey(each) !== indexKey(index))
    assert.equal(kept.length, indexes.length - 1, `${indexKey(index)} is there`)
    this.#change(entity, { indexes: kept })
  }

  async addReference(entity: string, reference: MigratedReference): Promise<void> {
    const { references = [], rows } = this.#table(entity)
    const { column, to, within } = reference
    this.#column(entity, column)
    assert.ok(!references.some((each) => each.column === column), `${entity}.${column} is not kept yet`)
    const held = new Set(this.#table(to).rows.map(({ id }) => id))
    const loose = rows.filter((row) => row[column] !== null && !held.has(row[column]))
    if (loose.length > 0) {
      throw danglingRows(
        entity,
        reference,
        loose.length,
        loose.map(({ id }) => id)
      )
    }
    if (within !== undefined) {
      const scopes = new Map(this.#table(to).rows.map((row) => [row.id, row[within]]))
      const crossing = rows.filter((row) => row[column] !== null && scopes.get(row[column] as string) !== row[within])
      const ids = crossing.map(({ id }) => id)
      if (ids.length > 0) throw danglingRows(entity, reference, ids.length, ids, within)
    }
    this.#change(entity, { references: [...references, reference] })
  }

  async dropReference(entity: string, { column }: MigratedReference): Promise<void> {
    const { references = [] } = this.#table(entity)
    const kept = references.filter((each) => each.column !== column)
    assert.equal(kept.length, references.length - 1, `${entity}.${column} is kept`)
    this.#change(entity, { references: kept })
  }

  async eachRow(
    entity: string,
    _columns: readonly MigratedColumn[],
    change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  ): Promise<void> {
    this.#rows(entity, (row) => ({ ...row, ...change(row) }))
  }

  async step(_name: string, work: () => Promise<void>): Promise<void> {
    await work()
  }

  native<Native>(): Native {
    return this.#tables as Native
  }

  #said(statement: string): void {
    this.#run.preview?.(statement)
  }

  #table(entity: string): KeptTable {
    const table = this.#tables.get(entity)
    assert.ok(table, `${entity} is there`)
    return table
  }

  #column(entity: string, name: string): MigratedColumn {
    const column = this.#table(entity).columns.find((each) => each.name === name)
    assert.ok(column, `${entity}.${name} is there`)
    return column
  }

  #change(entity: string, change: Partial<KeptTable>): void {
    this.#tables.set(entity, { ...this.#table(entity), ...change })
  }

  #rows(entity: string, change: (row: AnyRow) => AnyRow): void {
    this.#change(entity, { rows: this.#table(entity).rows.map(change) })
  }

  #fill(entity: string, column: MigratedColumn, fill: unknown): void {
    const value = filledValue(column, fill) ?? null
    const isEmpty = (row: AnyRow) => (row[column.name] ?? null) === null
    const empty = this.#table(entity).rows.filter(isEmpty).length
    if (value === null && column.nullable !== true && empty > 0)
      throw missingData(`${empty} rows of ${entity} have no ${column.name}`, 'give fill')
    this.#rows(entity, (row) => (isEmpty(row) ? { ...row, [column.name]: value } : row))
  }
}

/** By which an index is found. */
export function indexKey({ columns, unique = false, on, where }: MigratedIndex): string {
  assert.ok(columns.length > 0)
  const rows = where === undefined ? '' : ` where ${JSON.stringify(where)}`
  return `${unique ? 'unique ' : ''}${columns.map(columnName).join(' ')}${on === undefined ? '' : ` on ${on}`}${rows}`
}

/** Of the texts that versions have: ASCII alone. */
function wordsOf(text?: string | null): string | undefined {
  return text
    ?.toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join(' ')
}
