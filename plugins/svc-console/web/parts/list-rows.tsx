/**
 * A listing as rows, or what to do where there are none; what failed, and how many rows are loaded. "None" is said when
 * the listing was read to its end, and not before.
 */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { List } from '../app/list.ts'
import { counted } from './counted.ts'
import { ErrorNotice } from './error-notice.tsx'
import { VirtualRows, type VirtualRowsProps } from './virtual-rows.tsx'

/** The label is what the rows are, of many, as in "Users". */
interface ListRowsProps<Row> extends Omit<VirtualRowsProps<Row>, 'rows' | 'hasMore' | 'onEnd'> {
  readonly list: List<Row>
  /** What one of them is. */
  readonly one: string
  /** In the place of no rows. */
  readonly empty: ComponentChildren
}

/** A search goes on by itself for so many pages that bring nothing, then asks. */
const MOST_DRY = 10

export function ListRows<Row>({ list, one, empty, ...table }: ListRowsProps<Row>) {
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
        {loading ? 'Loading …' : countOf(list, one, label)}
      </p>
    </>
  )
}

function countOf<Row>({ rows, hasMore, total }: List<Row>, one: string, many: string): string {
  if (!hasMore) return counted(rows.length, one, many)
  if (total !== null) return `${rows.length} of ${counted(total, one, many)}`
  return rows.length === 0 ? `no ${many} so far` : `${rows.length}+ ${many}`
}
