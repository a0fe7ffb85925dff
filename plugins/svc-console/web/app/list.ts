/** A listing that is read page by page, as far as it is scrolled. What comes late of an earlier question is dropped. */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  /** `null` on the last page. */
  readonly next: string | null
}

export interface List<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  readonly loading: boolean
  readonly error: unknown
  /** The next page. */
  more(): void
  /** From the beginning. */
  reload(): void
  change(change: (rows: readonly Row[]) => readonly Row[]): void
}

interface State<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
  readonly loading: boolean
  readonly error: unknown
}

/** @param question anew with each other one @param load a page; without a cursor the first one */
export function useList<Row>(question: string, load: (cursor: string | null) => Promise<ListPage<Row>>): List<Row> {
  const [state, setState] = useState<State<Row>>({ rows: [], next: null, loading: true, error: null })
  const turn = useRef(0)
  const busy = useRef(false)

  const read = async (cursor: string | null) => {
    busy.current = true
    turn.current += 1
    const own = turn.current
    setState((before) => ({ ...before, loading: true, error: null }))
    try {
      const { rows, next } = await load(cursor)
      if (own !== turn.current) return
      setState((before) => {
        const kept = cursor === null ? rows : [...before.rows, ...rows]
        return { rows: kept, next, loading: false, error: null }
      })
    } catch (error) {
      if (own === turn.current) setState((before) => ({ ...before, loading: false, error }))
    } finally {
      if (own === turn.current) busy.current = false
    }
  }
  useEffect(() => void read(null), [question])

  return {
    rows: state.rows,
    hasMore: state.next !== null,
    loading: state.loading,
    error: state.error,
    more: () => {
      if (!busy.current && state.next !== null && state.error === null) void read(state.next)
    },
    reload: () => void read(state.error !== null && state.rows.length > 0 ? state.next : null),
    change: (change) => setState((before) => ({ ...before, rows: change(before.rows) }))
  }
}
