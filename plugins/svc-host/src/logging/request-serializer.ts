/** How a request is logged: as Fastify does, with secrets in the query string masked. Headers never are. */
import type { FastifyRequest } from 'fastify'
import { isSecretParameter } from 'svc-kernel/plugin'

/** One `name=value` of a query. No two matches can start in the same text, so it takes linear time. */
const PARAMETER = /([?&;])([^=?&;#]*)=[^&;#]*/g

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
  return url.replace(PARAMETER, (parameter, before: string, name: string) =>
    isSecretParameter(decoded(name)) ? `${before}${name}=***` : parameter
  )
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
