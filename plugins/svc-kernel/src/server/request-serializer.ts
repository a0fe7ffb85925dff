/** How a request is logged: as Fastify does, with secrets in the query string masked. Headers never are. */
import type { FastifyRequest } from 'fastify'

const SECRET_QUERY = /([?&;](?:[\w-]*(?:token|secret|password|api[-_]?key|code)[\w-]*)=)[^&#;]*/gi

export function requestSerializer(request: FastifyRequest): Record<string, unknown> {
  return {
    method: request.method,
    url: maskUrl(request.url ?? ''),
    host: request.host,
    remoteAddress: request.ip,
    remotePort: request.socket?.remotePort
  }
}

export function maskUrl(url: string): string {
  return url.replace(SECRET_QUERY, '$1***')
}
