/**
 * The address of the page as a signal: what is shown, and how it is filtered, can be linked to and gone back to. Each entry
 * of the history keeps what its page wants to find again.
 */
import { signal } from '@preact/signals'
import { settings } from './settings.ts'

export interface Place {
  /** Below the console's path, decoded: `['webhooks', 'wh_1']`. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

function read(): Place {
  const below = window.location.pathname.slice(settings.base.length)
  const segments = below.split('/').filter((part) => part !== '')
  return { segments: segments.map(decoded), query: new URLSearchParams(window.location.search) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const place = signal<Place>(read())

type Query = Readonly<Record<string, string | null | undefined>>

/** @param segments below the console's path, not encoded @param query without its empty values */
export function href(segments: readonly string[], query: Query = {}): string {
  const path = [settings.base, ...segments.map(encodeURIComponent)].join('/')
  const search = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] != null && entry[1] !== '')
  )
  return search.size === 0 ? path : `${path}?${search}`
}

/** Entries whose pages are found as they were left. */
const MOST_ENTRIES = 20

/** By the number of the entry and its page, in the order in which they were left. */
const entries = new Map<string, Map<string, unknown>>()
let newest = 0
/** Whether this entry was come back to. */
let isBack = false

const entryNow = (): number => (window.history.state as { entry?: number } | null)?.entry ?? 0

export interface Kept<T> {
  /** `undefined` unless this entry of the history was come back to, and kept it. */
  get(): T | undefined
  set(value: T): void
}

/** Something that the present entry of the history keeps, by a name of its own. */
export function keptOfEntry<T>(name: string): Kept<T> {
  const entry = `${entryNow()} ${window.location.pathname}`
  return {
    get: () => (isBack ? (entries.get(entry)?.get(name) as T | undefined) : undefined),
    set: (value) => {
      const own = entries.get(entry) ?? new Map()
      entries.delete(entry)
      entries.set(entry, own.set(name, value))
      const [oldest] = entries.keys()
      if (entries.size > MOST_ENTRIES && oldest !== undefined) entries.delete(oldest)
    }
  }
}

export function go(address: string, { replace = false } = {}): void {
  isBack = false
  if (!replace) newest += 1
  window.history[replace ? 'replaceState' : 'pushState']({ entry: replace ? entryNow() : newest }, '', address)
  place.value = read()
}

/** Changes the query alone, in the place of the entry of the history: filters are no steps back. */
export function setQuery(changes: Query): void {
  const query = { ...Object.fromEntries(place.value.query), ...changes }
  go(href(place.value.segments, query), { replace: true })
}

/** Links to pages of the console change the page without loading it. Call once. */
export function followLinks(): void {
  newest = entryNow()
  window.addEventListener('popstate', () => {
    isBack = true
    place.value = read()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (link === null || modified || event.defaultPrevented) return
    if (link.target !== '' || link.hasAttribute('download') || link.origin !== window.location.origin) return
    if (link.pathname !== settings.base && !link.pathname.startsWith(`${settings.base}/`)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}
