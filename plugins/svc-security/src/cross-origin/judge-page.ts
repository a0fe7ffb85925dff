/**
 * Whether a change comes from a page that may make it, by what the browser says of
 * the page: `Origin` first, `Sec-Fetch-Site` where there is none. Who sends neither
 * is no browser, or an old one that the token then holds back. Pure.
 */

/** Whether the `Origin` is this host's or a trusted one; `absent` without one. */
export type OriginVerdict = 'allowed' | 'refused' | 'absent'

/** @returns why the page may not, or `null` when nothing speaks against it */
export function judgePage(origin: OriginVerdict, fetchSite: unknown): 'origin' | 'fetch-site' | null {
  if (origin === 'refused') return 'origin'
  if (origin === 'allowed' || fetchSite === undefined) return null
  return fetchSite === 'same-origin' || fetchSite === 'none' ? null : 'fetch-site'
}
