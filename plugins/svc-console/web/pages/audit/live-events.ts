/**
 * New events at the head of a list: as they happen over `svc:audit`, or, where there is no socket, asked for every few
 * seconds. While the list is scrolled away from its head they wait, so that nothing moves under the reader's eyes.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { List } from '../../app/list.ts'
import { listen } from '../../app/realtime.ts'
import { type AuditEvent, type AuditFilter, matches, readEvents } from './audit-api.ts'

const CHANNEL = 'svc:audit'
const POLL_MS = 5000

export interface LiveEvents {
  readonly how: 'live' | 'polling'
  /** Events that wait. */
  readonly waiting: number
  show(): void
}

/** @param on `false`: the list stays as it is @param atHead whether the head of the list is in sight */
export function useLiveEvents(list: List<AuditEvent>, filter: AuditFilter, on: boolean, atHead: boolean): LiveEvents {
  const [how, setHow] = useState<LiveEvents['how']>('polling')
  const [waiting, setWaiting] = useState<readonly AuditEvent[]>([])
  const now = useRef({ list, atHead })
  now.current = { list, atHead }
  const question = JSON.stringify(filter)

  const take = (given: readonly AuditEvent[]) => {
    const events = unknown(given, now.current.list.rows)
    if (events.length === 0) return
    if (now.current.atHead) now.current.list.change((rows) => merged(events, rows))
    else setWaiting((before) => merged(events, before))
  }
  const show = () => {
    list.change((rows) => merged(waiting, rows))
    setWaiting([])
  }
  useEffect(() => {
    if (atHead && waiting.length > 0) show()
  }, [atHead, waiting.length])

  useEffect(() => {
    setWaiting([])
    if (!on) return
    return listen(CHANNEL, {
      live: (live) => setHow(live ? 'live' : 'polling'),
      message: (event) => {
        if (matches(event as AuditEvent, filter)) take([event as AuditEvent])
      }
    })
  }, [on, question])

  const ask = () => {
    if (document.hidden) return
    const newest = now.current.list.rows[0]?.ts
    readEvents({ ...filter, ...(newest === undefined ? {} : { since: String(newest) }) }, null).then(
      ({ rows }) => take(rows),
      () => undefined
    )
  }
  // What happened after the list was read, and before the channel was heard.
  const isRead = !list.loading
  useEffect(() => {
    if (on && how === 'live' && isRead) ask()
  }, [on, how, isRead, question])

  useEffect(() => {
    if (!on || how === 'live') return
    const poll = setInterval(ask, POLL_MS)
    return () => clearInterval(poll)
  }, [on, how, question])

  return { how, waiting: waiting.length, show }
}

/** Newest first, each event once. */
export function merged(events: readonly AuditEvent[], rows: readonly AuditEvent[]): readonly AuditEvent[] {
  const fresh = unknown(events, rows)
  return fresh.length === 0 ? rows : [...fresh, ...rows]
}

function unknown(events: readonly AuditEvent[], rows: readonly AuditEvent[]): readonly AuditEvent[] {
  const known = new Set(rows.slice(0, 1000).map(({ id }) => id))
  return events.filter(({ id }) => !known.has(id))
}
