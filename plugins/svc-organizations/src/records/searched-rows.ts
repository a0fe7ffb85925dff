/** Rows that a listing of a provisioning system asks for: those that meet a filter, in an order, a page of them; and how many meet it. */
import { all, type SortKey, type Table, type Where } from 'svc-stores/table'

export interface RowQuery<Row> {
  /** Absent: every row of the organisation. */
  readonly where?: Where<Row>
  /** Default: in order of creation. */
  readonly order?: SortKey
  /** 0: none, and their number. */
  readonly limit: number
  readonly offset: number
}

export interface FoundRows<Row> {
  readonly items: readonly Row[]
  readonly total: number
}

/** What rows have that are searched so. */
interface SearchedRow {
  readonly id: string
  readonly organizationId: string
  readonly createdAt: number
}

export async function searchedRows<Row extends SearchedRow>(
  table: Table<Row>,
  organizationId: string,
  { where, order = { field: 'createdAt', direction: 'ASC' }, limit, offset }: RowQuery<Row>
): Promise<FoundRows<Row>> {
  const own = { organizationId } as Where<Row>
  const met = where === undefined ? own : all<Row>(own, where)
  const total = await table.count(met)
  if (limit === 0 || offset >= total) return { items: [], total }
  // The id makes pages whole where values are equal.
  const items = await table.find(met, { order: [order, { field: 'id', direction: order.direction }], limit, offset })
  return { items, total }
}
