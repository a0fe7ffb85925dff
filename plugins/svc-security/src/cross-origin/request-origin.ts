/**
 * Which page a browser's request comes from: its `Origin` first, `Sec-Fetch-Site` where there is none. A request with
 * neither comes from no browser, or from an old one that the CSRF token then stops. Pure.
 */
import type { FastifyRequest } from 'fastify'

/** Whether the `Origin` is this host's or a trusted one; `absent` without one. */
export type OriginVerdict = 'allowed' | 'refused' | 'absent'

/**
 * Pages of this very origin, scheme, host and port, and those listed (RFC 6455, 10.2). A WebSocket is asked the same:
 * browsers send cookies with an upgrade from anywhere, and no CORS check precedes it.
 */
export function checkOrigin(request: FastifyRequest, trusted: ReadonlySet<string>): OriginVerdict {
  const { origin } = request.headers
  if (origin === undefined) return 'absent'
  if (trusted.has(origin)) return 'allowed'
  return ownOrigins(request).includes(origin) ? 'allowed' : 'refused'
}

/** The scheme is that of the socket, or of a trusted proxy; unknown, either passes. */
function ownOrigins(request: FastifyRequest): string[] {
  const { protocol, host } = request as { protocol: string | undefined; host: string }
  const schemes = protocol === undefined ? ['http', 'https'] : [protocol]
  return schemes
    .map((scheme) => `${scheme}://${host}`)
    .filter((origin) => host !== '' && URL.canParse(origin))
    .map((origin) => new URL(origin).origin)
}

/** @returns why the page may not change anything, or `null` when nothing speaks against it */
export function pageFault(origin: OriginVerdict, fetchSite: unknown): 'origin' | 'fetch-site' | null {
  if (origin === 'refused') return 'origin'
  if (origin === 'allowed' || fetchSite === undefined) return null
  return fetchSite === 'same-origin' || fetchSite === 'none' ? null : 'fetch-site'
}
