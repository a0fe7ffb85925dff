/**
 * New requests at the head of the list. The channel `svc:requests` says that there are some; which of them belong to the
 * list the server decides, as for every page of it. Where there is no socket they are asked for every few seconds.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { List } from '../../app/list.ts'
import { listen } from '../../app/realtime.ts'
import { type RequestFilter, type RequestRow, readRequests } from './requests-api.ts'

const CHANNEL = 'svc:requests'
const POLL_MS = 3000
/** Requests that end within this time are asked for together. */
const GATHER_MS = 250

export function useNewRequests(list: List<RequestRow>, filter: RequestFilter, on: boolean): void {
  const [live, setLive] = useState(false)
  const current = useRef(list)
  current.current = list
  const question = JSON.stringify(filter)

  const ask = () => {
    if (document.hidden) return
    const newest = current.current.rows[0]?.seq ?? 0
    readRequests(filter, null, newest).then(
      ({ rows }) => {
        current.current.change((before) => [...rows.filter(({ seq }) => seq > (before[0]?.seq ?? 0)), ...before])
      },
      () => undefined
    )
  }

  useEffect(() => {
    if (!on) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = listen(CHANNEL, {
      live: setLive,
      message: () => {
        timer ??= setTimeout(() => {
          timer = undefined
          ask()
        }, GATHER_MS)
      }
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [on, question])

  // What ended after the list was read, and before the channel was heard.
  const isRead = !list.loading
  useEffect(() => {
    if (on && live && isRead) ask()
  }, [on, live, isRead, question])

  useEffect(() => {
    if (!on || live) return
    const poll = setInterval(ask, POLL_MS)
    return () => clearInterval(poll)
  }, [on, live, question])
}
