/**
 * New rows at the head of a list, as they come. A channel says that there are some; the list is called live only while it
 * has all of them: after every connection, and now and then, it asks for what it has missed until it meets the rows that
 * it knows, and reads itself again where those are too far away. Without a socket it asks every few seconds. While the
 * list is scrolled away from its head new rows wait, so that nothing moves under the eyes of a reader.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { List } from './list.ts'
import { listen } from './realtime.ts'

export interface NewerRows<Row> {
  /** The newest first; some may be known. */
  readonly rows: readonly Row[]
  /** `false` where there are others between these and the list. */
  readonly complete: boolean
}

export interface HeadSource<Row> {
  readonly channel: string
  /** @param rows those of the list @param reconnected messages may have been missed, of another process even */
  newer(rows: readonly Row[], reconnected: boolean): Promise<NewerRows<Row>>
  /** The rows of a message; `null`: the server is asked. */
  told(message: unknown): readonly Row[] | null
  /** Adds rows where they belong, each once. */
  merge(rows: readonly Row[], known: readonly Row[]): readonly Row[]
}

export interface LiveHead {
  /** `behind`: there is a connection, and what was missed is not there yet. */
  readonly how: 'live' | 'behind' | 'polling'
  /** Rows that wait. */
  readonly waiting: number
  /** More wait than were read. */
  readonly waitingMore: boolean
  show(): void
}

interface Waiting<Row> {
  readonly rows: readonly Row[]
  readonly more: boolean
}

const NONE = { rows: [], more: false }

/** What is told within this time is asked for together. */
const GATHER_MS = 250
const POLL_MS = 5000
/** A connection may lose a message, and other instances tell nothing. */
const CHECK_MS = 30_000

/** @param question of the list @param on `false`: the list stays as it is @param atHead whether its head is in sight */
export function useLiveHead<Row>(
  list: List<Row>,
  source: HeadSource<Row>,
  question: string,
  on: boolean,
  atHead: boolean
): LiveHead {
  const [connected, setConnected] = useState(false)
  const [behind, setBehind] = useState(true)
  const [waiting, setWaiting] = useState<Waiting<Row>>(NONE)
  const now = useRef({ list, source, atHead, ask: (_reconnected: boolean) => undefined as undefined })
  now.current = { ...now.current, list, source, atHead }

  const show = () => {
    setWaiting(NONE)
    if (waiting.more) list.reload()
    else list.change((rows) => source.merge(waiting.rows, rows))
  }
  useEffect(() => {
    if (atHead && (waiting.rows.length > 0 || waiting.more)) show()
  }, [atHead, waiting])

  const take = (rows: readonly Row[]) => {
    const { list, source, atHead } = now.current
    const all = source.merge(rows, list.rows)
    if (all === list.rows) return
    if (atHead) list.change((known) => source.merge(rows, known))
    else {
      const fresh = all.filter((row) => !list.rows.includes(row))
      setWaiting((before) => ({ ...before, rows: source.merge(fresh, before.rows) }))
    }
  }

  const isRead = list.reads > 0 && list.error === null
  useEffect(() => {
    setWaiting(NONE)
    setBehind(true)
    if (!on || !isRead) return
    let ended = false
    const ask = oneAtATime(async (reconnected) => {
      if (ended) return
      try {
        const { list, source, atHead } = now.current
        const { rows, complete } = await source.newer(list.rows, reconnected)
        if (ended) return
        if (complete) take(rows)
        else if (atHead) now.current.list.reload()
        else setWaiting((before) => ({ rows: source.merge(rows, before.rows), more: true }))
        setBehind(false)
      } catch {
        // It is asked again.
        if (!ended) setBehind(true)
      }
    })
    now.current.ask = (reconnected) => void ask(reconnected)
    void ask(true)
    return () => {
      ended = true
      now.current.ask = () => undefined
    }
  }, [on, question, list.reads, isRead])

  useEffect(() => {
    if (!on) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = listen(source.channel, {
      live: (live) => {
        setConnected(live)
        setBehind(true)
        if (live) now.current.ask(true)
      },
      message: (message) => {
        const rows = now.current.source.told(message)
        if (rows !== null) take(rows)
        else
          timer ??= setTimeout(() => {
            timer = undefined
            now.current.ask(false)
          }, GATHER_MS)
      }
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [on, source.channel])

  useEffect(() => {
    if (!on) return
    const look = () => {
      if (!document.hidden) now.current.ask(true)
    }
    const timer = setInterval(look, connected && !behind ? CHECK_MS : POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [on, connected, behind])

  return {
    how: connected ? (behind ? 'behind' : 'live') : 'polling',
    waiting: waiting.rows.length,
    waitingMore: waiting.more,
    show
  }
}

/** What is asked while it is asking is asked once more after it. @param ask never rejects */
function oneAtATime(ask: (reconnected: boolean) => Promise<void>): (reconnected: boolean) => Promise<void> {
  let asking = false
  let again: boolean | null = null
  return async function run(reconnected) {
    if (asking) {
      again = reconnected || again === true
      return
    }
    asking = true
    await ask(reconnected)
    asking = false
    const next = again
    again = null
    if (next !== null) void run(next)
  }
}
