/**
 * DNS rebinding: a page whose name is made to point at this server calls it with its own `Host` and `Origin`. Only hosts
 * and origins that the application has are taken; in development the loopback is one of them.
 */
import type { FastifyRequest } from 'fastify'
import { ForeignHost } from '../errors.ts'

export interface KnownHosts {
  /** With the port where it is not that of the scheme. */
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  /** Whether the loopback counts, on any port. */
  readonly loopback: boolean
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

export function hostCheck({ hosts, origins, loopback }: KnownHosts): (request: FastifyRequest) => Error | null {
  const known = new Set(hosts.map((host) => host.toLowerCase()))
  const pages = new Set(origins)
  const isLoopback = (host: string) => loopback && LOOPBACK.test(host)
  return ({ headers }) => {
    const host = (headers.host ?? '').toLowerCase()
    if (!known.has(host) && !isLoopback(host)) return new ForeignHost('Host')
    const { origin } = headers
    if (origin === undefined || pages.has(origin) || isLoopback(origin.replace(/^https?:\/\//, ''))) return null
    return new ForeignHost('Origin')
  }
}
