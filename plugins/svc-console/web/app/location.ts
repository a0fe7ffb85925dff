/** The address of the page as a signal: what is shown, and how it is filtered, can be linked to and gone back to. */
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

export function go(address: string, { replace = false } = {}): void {
  window.history[replace ? 'replaceState' : 'pushState'](null, '', address)
  place.value = read()
}

/** Changes the query alone, in the place of the entry of the history: filters are no steps back. */
export function setQuery(changes: Query): void {
  const query = { ...Object.fromEntries(place.value.query), ...changes }
  go(href(place.value.segments, query), { replace: true })
}

/** Links to pages of the console change the page without loading it. Call once. */
export function followLinks(): void {
  window.addEventListener('popstate', () => {
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
