/** Where one is, as the fragment of the address: it never leaves the browser, and the page has one address. */
import { signal } from '@preact/signals'

/** Decoded: `['endpoints', 'wh_1']`. */
export const place = signal<readonly string[]>(read())

function read(): readonly string[] {
  const { hash } = window.location
  if (!hash.startsWith('#/')) return []
  return hash
    .slice(2)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const href = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`

export function go(...parts: readonly string[]): void {
  window.location.hash = href(...parts)
}

/** @param onLink the address has another fragment, which may be a link to be opened */
export function followHash(onLink: () => void): void {
  window.addEventListener('hashchange', () => {
    if (window.location.hash.startsWith('#/') || window.location.hash === '') place.value = read()
    else onLink()
  })
}
