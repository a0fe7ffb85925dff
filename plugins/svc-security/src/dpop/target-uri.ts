/**
 * The target of a request as `htu` names it (RFC 9449, 4.3): without query and fragment, scheme and host in lower case,
 * default ports left out, percent-encoding in one spelling (RFC 3986, 6.2.2). Dot segments of a request are left as they
 * came, so that it is nobody's target: a router reads them as they came too. Pure.
 */

const UNRESERVED = /^[A-Za-z0-9._~-]$/

/** @param uri of a claim @returns `null` where it is no URL of HTTP or a WebSocket */
export function targetOf(uri: string): string | null {
  if (!URL.canParse(uri)) return null
  const { protocol, host, pathname, username, password } = new URL(uri)
  const scheme = SCHEMES.get(protocol)
  if (scheme === undefined || username !== '' || password !== '') return null
  return `${scheme}://${host}${samePath(pathname)}`
}

/** A WebSocket is opened by a request of HTTP: clients that know only its URL name that. */
const SCHEMES = new Map([
  ['http:', 'http'],
  ['https:', 'https'],
  ['ws:', 'http'],
  ['wss:', 'https']
])

/**
 * @param origins scheme, host and port that a request may be for
 * @param url as it came in the request line
 */
export function targetsOf(origins: readonly string[], url: string): readonly string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  // In absolute form it names another host than the one that was looked at.
  return path.startsWith('/') ? origins.map((origin) => origin + samePath(path)) : []
}

function samePath(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/%[0-9a-f]{2}/gi, (coded) => {
    const character = String.fromCharCode(Number.parseInt(coded.slice(1), 16))
    return UNRESERVED.test(character) ? character : coded.toUpperCase()
  })
}
