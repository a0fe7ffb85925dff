/** What administrators look at and change, in the journal. */
import type { FastifyRequest } from 'fastify'

/** @param metadata of a look names of fields alone: values are of the people in the rows */
export function auditRows(
  request: FastifyRequest,
  action: 'data.viewed' | 'data.changed',
  resource: string,
  metadata: Readonly<Record<string, unknown>>
): void {
  const { server, ip, id } = request
  if (!server.hasDecorator('audit')) return
  server.audit.record({
    category: action === 'data.viewed' ? 'authz' : 'config',
    action,
    outcome: 'success',
    actor: request.user?.identifier ?? null,
    resource,
    ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: id,
    metadata: { ...metadata }
  })
}
