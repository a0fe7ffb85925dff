/**
 * Where a sign-in leads to: a page of the console, never another host or another part of this one. It is read from the
 * address of the sign-in page, so whoever makes a link chooses it.
 */

const MAX_LENGTH = 2048

/** Never a host. */
const NOWHERE = 'http://console.invalid'

/**
 * Pure.
 *
 * @param base of the console, such as `/svc/console`
 * @param given whatever the query has
 * @returns a path with its query, below `base`; `base` itself for anything else
 */
export function returnPath(base: string, given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !given.startsWith('/')) return base
  if (!URL.canParse(given, NOWHERE)) return base
  // The parser reads `//`, `/\`, tabs and dots as browsers do.
  const { origin, pathname, search } = new URL(given, NOWHERE)
  if (origin !== NOWHERE || !isBelow(base, pathname) || isBelow(`${base}/sign-in`, pathname)) return base
  return pathname + search
}

function isBelow(base: string, pathname: string): boolean {
  return pathname === base || pathname.startsWith(`${base}/`)
}
