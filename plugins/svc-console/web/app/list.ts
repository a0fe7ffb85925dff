/**
 * A listing that is read page by page, as far as it is scrolled. What comes late of an earlier question is dropped. Rows
 * are kept with the entry of the history that showed them, so that Back returns to them.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { keptOfEntry } from './location.ts'
import { recoveries } from './recoveries.ts'

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  /** `null` on the last page. */
  readonly next: string | null
  /** Of all pages, where the server counts them. */
  readonly total?: number
}

export interface List<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  readonly loading: boolean
  readonly error: unknown
  /** Counts how often the rows were read from the beginning; 0 before the first time. */
  readonly reads: number
  /** So many pages in a row brought nothing: a search looks at a part of what there is for each. */
  readonly dry: number
  /** `null` where it is not known. */
  readonly total: number | null
  /** The next page. */
  more(): void
  /** From the beginning. */
  reload(): void
  /** Reads again what is there, and shows it when it is whole: nothing moves that has not changed. */
  renew(): void
  change(change: (rows: readonly Row[]) => readonly Row[]): void
}

interface State<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
  readonly loading: boolean
  readonly error: unknown
  readonly reads: number
  readonly dry: number
  readonly total: number | null
}

/** A renewal reads so many pages at most; rows behind them are read again when they are scrolled to. */
const MOST_PAGES_RENEWED = 5

const EMPTY = { rows: [], next: null, loading: true, error: null, reads: 0, dry: 0, total: null }

/**
 * @param question reads from the beginning when it changes
 * @param load a page; without a cursor the first one
 * @param settled rows never change once they are read: those of the history are shown as they were
 */
export function useList<Row>(
  question: string,
  load: (cursor: string | null) => Promise<ListPage<Row>>,
  settled = false
): List<Row> {
  const kept = keptOfEntry<State<Row>>(`list ${question}`)
  const [state, setState] = useState<State<Row>>(() => kept.get() ?? EMPTY)
  const turn = useRef(0)
  const busy = useRef(false)

  /** @param shown says that it is read @param pages what becomes of the rows */
  const read = async (
    shown: boolean,
    pages: () => Promise<(before: State<Row>) => Omit<State<Row>, 'loading' | 'error'>>
  ) => {
    busy.current = true
    turn.current += 1
    const own = turn.current
    if (shown) setState((before) => ({ ...before, loading: true, error: null }))
    try {
      const change = await pages()
      if (own === turn.current) setState((before) => ({ ...change(before), loading: false, error: null }))
    } catch (error) {
      if (own === turn.current) setState((before) => ({ ...before, loading: false, error }))
    } finally {
      if (own === turn.current) busy.current = false
    }
  }
  const readPage = (cursor: string | null) =>
    read(true, async () => {
      const { rows, next, total = null } = await load(cursor)
      return (before) => ({
        rows: cursor === null ? rows : [...before.rows, ...rows],
        next,
        reads: before.reads + (cursor === null ? 1 : 0),
        dry: rows.length > 0 ? 0 : cursor === null ? 1 : before.dry + 1,
        total
      })
    })
  const renew = (count: number) =>
    read(false, async () => {
      let { rows, next, total = null } = await load(null)
      for (let pages = 1; rows.length < count && next !== null && pages < MOST_PAGES_RENEWED; pages += 1) {
        const page: ListPage<Row> = await load(next)
        rows = [...rows, ...page.rows]
        next = page.next
      }
      return (before) => ({ rows, next, reads: before.reads + 1, dry: 0, total })
    })
  useEffect(() => {
    const before = kept.get()
    if (before === undefined) {
      void readPage(null)
      return
    }
    setState(before)
    if (!settled) void renew(before.rows.length)
  }, [question])
  // What failed in an outage is read again when it is over.
  useEffect(() => {
    if (recoveries.value > 0 && state.error !== null) void readPage(state.rows.length > 0 ? state.next : null)
  }, [recoveries.value])
  useEffect(() => {
    if (state.reads > 0 && !state.loading) kept.set(state)
  }, [state])

  return {
    rows: state.rows,
    hasMore: state.next !== null,
    loading: state.loading,
    error: state.error,
    reads: state.reads,
    dry: state.dry,
    total: state.total,
    more: () => {
      if (!busy.current && state.next !== null && state.error === null) void readPage(state.next)
    },
    reload: () => void readPage(state.error !== null && state.rows.length > 0 ? state.next : null),
    renew: () => {
      if (!busy.current) void renew(state.rows.length)
    },
    change: (change) => setState((before) => ({ ...before, rows: change(before.rows) }))
  }
}
