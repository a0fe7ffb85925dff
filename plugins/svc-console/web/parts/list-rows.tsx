/**
 * A listing as rows, or what to do where there are none; what failed, and how many rows are loaded. "None" is said when
 * the listing was read to its end, and not before.
 */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { List } from '../app/list.ts'
import { ErrorNotice } from './error-notice.tsx'
import { VirtualRows, type VirtualRowsProps } from './virtual-rows.tsx'

/** The label is what the rows are, of many, as in "Users". */
interface ListRowsProps<Row> extends Omit<VirtualRowsProps<Row>, 'rows' | 'hasMore' | 'onEnd'> {
  readonly list: List<Row>
  /** In the place of no rows. */
  readonly empty: ComponentChildren
}

/** A search goes on by itself for so many pages that bring nothing, then asks. */
const MOST_DRY = 10

export function ListRows<Row>({ list, empty, ...table }: ListRowsProps<Row>) {
  const { rows, loading, error, hasMore, dry, reload, more } = list
  const label = table.label.toLowerCase()
  const rests = !loading && error === null
  useEffect(() => {
    if (rests && hasMore && dry > 0 && dry < MOST_DRY) more()
  }, [rests, hasMore, dry])
  const asks = rests && hasMore && dry >= MOST_DRY
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      {rows.length === 0 && rests && !hasMore ? (
        empty
      ) : (
        <VirtualRows {...table} rows={rows} hasMore={hasMore} onEnd={more} />
      )}
      {asks && (
        <p class="notice">
          No {rows.length > 0 ? 'more' : ''} {label} found so far, and older ones are left.{' '}
          <button type="button" onClick={more}>
            Look further
          </button>
        </p>
      )}
      <p class="muted count" role="status">
        {loading ? 'Loading …' : rows.length === 0 && hasMore ? `no ${label} so far` : `${rows.length}${hasMore ? '+' : ''} ${label}`}
      </p>
    </>
  )
}
