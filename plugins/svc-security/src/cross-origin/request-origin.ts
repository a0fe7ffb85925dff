/**
 * Which pages may open a WebSocket (RFC 6455, 10.2): those of this very origin,
 * scheme, host and port, and those listed. Browsers send cookies with an upgrade
 * from anywhere, and no CORS check stands before it.
 */
import type { FastifyRequest } from 'fastify'

/** True for a request that ends in a WebSocket when it is let through. */
export function isUpgrade({ headers }: FastifyRequest): boolean {
  return headers.upgrade !== undefined && headers.upgrade.toLowerCase() === 'websocket'
}

export type OriginVerdict = 'allowed' | 'refused' | 'absent'

export function judgeOrigin(request: FastifyRequest, trusted: ReadonlySet<string>): OriginVerdict {
  const { origin } = request.headers
  if (origin === undefined) return 'absent'
  if (trusted.has(origin)) return 'allowed'
  return ownOrigins(request).includes(origin) ? 'allowed' : 'refused'
}

/** The scheme is what the socket, or a trusted proxy, says; unknown, either passes. */
function ownOrigins(request: FastifyRequest): string[] {
  const { protocol, host } = request as { protocol: string | undefined; host: string }
  const schemes = protocol === undefined ? ['http', 'https'] : [protocol]
  return schemes
    .map((scheme) => `${scheme}://${host}`)
    .filter((origin) => host !== '' && URL.canParse(origin))
    .map((origin) => new URL(origin).origin)
}
