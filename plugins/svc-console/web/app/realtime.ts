/**
 * Channels of svc-realtime over one WebSocket, opened with the first listener and closed with the last. A connection
 * that breaks is made again, later each time, and at once where the server restarts (1012); a refused channel stays refused.
 */
import { serves } from './settings.ts'

const PATH = '/svc/realtime'
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** Close code: the instance goes, and asks its sockets to come back. */
const SERVICE_RESTART = 1012

export interface ChannelListener {
  message(data: unknown): void
  /** `false` while nothing can be heard: there is no connection, or no right. */
  live(live: boolean): void
}

const listeners = new Map<string, Set<ChannelListener>>()
const subscribed = new Set<string>()
let socket: WebSocket | null = null
let wait = FIRST_WAIT_MS
let opened = 0
let again: ReturnType<typeof setTimeout> | undefined
let calls = 0
const asked = new Map<number, string>()

/** @returns stops listening */
export function listen(channel: string, listener: ChannelListener): () => void {
  if (!serves('realtime')) {
    listener.live(false)
    return () => undefined
  }
  const own = listeners.get(channel) ?? new Set()
  listeners.set(channel, own.add(listener))
  if (subscribed.has(channel)) listener.live(true)
  else if (socket === null) open()
  else if (socket.readyState === WebSocket.OPEN) subscribe(channel)
  return () => {
    own.delete(listener)
    if (own.size === 0) listeners.delete(channel)
    if (listeners.size === 0) close()
  }
}

function open(): void {
  const { protocol, host } = window.location
  socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${PATH}`)
  socket.onopen = () => {
    wait = FIRST_WAIT_MS
    opened = Date.now()
    for (const channel of listeners.keys()) subscribe(channel)
  }
  socket.onmessage = ({ data }) => hear(String(data))
  socket.onclose = ({ code }) => {
    socket = null
    asked.clear()
    for (const channel of subscribed) tell(channel, false)
    subscribed.clear()
    if (listeners.size === 0) return
    // Another instance takes it; one that sends it away again at once is not asked in a circle.
    if (code === SERVICE_RESTART && Date.now() - opened >= FIRST_WAIT_MS) {
      open()
      return
    }
    again = setTimeout(open, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
}

function close(): void {
  clearTimeout(again)
  socket?.close()
}

function subscribe(channel: string): void {
  calls += 1
  asked.set(calls, channel)
  socket?.send(JSON.stringify({ jsonrpc: '2.0', id: calls, method: 'channel.subscribe', params: { channel } }))
}

interface Frame {
  readonly id?: number
  readonly method?: string
  readonly error?: object
  readonly params?: { readonly channel?: string; readonly data?: unknown }
}

function hear(text: string): void {
  const { id, method, error, params: { channel = '', data } = {} } = JSON.parse(text) as Frame
  if (method === 'channel.message') for (const listener of listeners.get(channel) ?? []) listener.message(data)
  if (method === 'realtime.denied') lose(channel)
  const answered = id === undefined ? undefined : asked.get(id)
  if (id === undefined || answered === undefined) return
  asked.delete(id)
  if (error !== undefined) {
    lose(answered)
    return
  }
  subscribed.add(answered)
  tell(answered, true)
}

function lose(channel: string): void {
  subscribed.delete(channel)
  tell(channel, false)
}

function tell(channel: string, live: boolean): void {
  for (const listener of listeners.get(channel) ?? []) listener.live(live)
}
