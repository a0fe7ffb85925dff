/** A listing as rows, or what to do where there are none; what failed, and how many rows are loaded. */
import type { ComponentChildren } from 'preact'
import type { List } from '../app/list.ts'
import { ErrorNotice } from './error-notice.tsx'
import { VirtualRows, type VirtualRowsProps } from './virtual-rows.tsx'

/** The label is what the rows are, of many, as in "Users". */
interface ListRowsProps<Row> extends Omit<VirtualRowsProps<Row>, 'rows' | 'hasMore' | 'onEnd'> {
  readonly list: List<Row>
  /** Those of the list that are shown. Default: all that are loaded. */
  readonly rows?: readonly Row[]
  /** In the place of no rows. */
  readonly empty: ComponentChildren
}

export function ListRows<Row>({ list, rows = list.rows, empty, ...table }: ListRowsProps<Row>) {
  const { loading, error, hasMore, reload, more } = list
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      {rows.length === 0 && !loading && error === null ? (
        empty
      ) : (
        <VirtualRows {...table} rows={rows} hasMore={hasMore} onEnd={more} />
      )}
      <p class="muted count" role="status">
        {loading ? 'Loading …' : `${rows.length}${hasMore ? '+' : ''} ${table.label.toLowerCase()}`}
      </p>
    </>
  )
}
