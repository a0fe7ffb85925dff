/**
 * Rows by id in this process's memory. Rows go in checked and come out copied:
 * nobody outside holds a live one. Rows inside are replaced, never changed.
 */
import { DuplicateRecord } from '../errors.ts'
import { compareValues, type SortableValue } from '../paging/compare-values.ts'
import type { Page, PageQuery } from '../paging/page.ts'
import { readPage } from '../paging/read-page.ts'
import type { SortFields } from '../paging/sort-fields.ts'
import { copyJson } from '../records/copy-json.ts'

export class MemoryTable<Row extends { readonly id: string }> {
  readonly #brick: string
  readonly #rows = new Map<string, Row>()

  constructor(brick: string) {
    this.#brick = brick
  }

  /** @throws DuplicateRecord */
  insert(row: Row): void {
    if (this.#rows.has(row.id)) throw new DuplicateRecord(this.#brick, 'id')
    this.#rows.set(row.id, row)
  }

  /** The row itself; it must not leave the store. */
  get(id: string): Row | undefined {
    return this.#rows.get(id)
  }

  /** Replaces parts of a row that is there. */
  change(row: Row, changes: Partial<Row>): Row {
    const next = { ...row, ...changes }
    this.#rows.set(row.id, next)
    return next
  }

  delete(id: string): boolean {
    return this.#rows.delete(id)
  }

  /** Oldest first. Deleting while walking is allowed. */
  where(matches: (row: Row) => boolean): Row[] {
    return [...this.#rows.values()].filter(matches)
  }

  count(matches: (row: Row) => boolean): number {
    let found = 0
    for (const row of this.#rows.values()) if (matches(row)) found += 1
    return found
  }

  /** @returns how many */
  deleteWhere(matches: (row: Row) => boolean): number {
    let deleted = 0
    for (const row of this.#rows.values()) if (matches(row) && this.#rows.delete(row.id)) deleted += 1
    return deleted
  }

  page<Field extends string>(
    matches: (row: Row) => boolean,
    query: PageQuery<Field>,
    fields: SortFields<Field>
  ): Page<Row> {
    const { limit, offset, order } = readPage(query, fields)
    const sorted = this.where(matches).sort((a, b) => {
      for (const [field, direction] of order) {
        const compared = compareValues(sortable(a, field), sortable(b, field))
        if (compared !== 0) return direction === 'ASC' ? compared : -compared
      }
      return 0
    })
    const items = sorted.slice(offset, offset + limit).map(copyOut)
    return { items, limit, offset, hasNext: sorted.length > offset + limit }
  }
}

export function copyOut<Row extends object>(row: Row): Row {
  return copyJson(row, 'record')
}

function sortable(row: object, field: string): SortableValue {
  return (row as Readonly<Record<string, SortableValue>>)[field] as SortableValue
}
