/** Rows that wait above a list which is scrolled away from its head, and the way to them. */
import type { LiveHead } from '../app/live-head.ts'

interface NewsProps {
  readonly live: LiveHead
  /** What a row is. */
  readonly one: string
  readonly many: string
}

export function News({ live: { waiting, waitingMore, show }, one, many }: NewsProps) {
  if (waiting === 0 && !waitingMore) return null
  return (
    <button type="button" class="primary news" onClick={show}>
      {waiting}
      {waitingMore ? '+' : ''} new {waiting === 1 && !waitingMore ? one : many}
    </button>
  )
}
