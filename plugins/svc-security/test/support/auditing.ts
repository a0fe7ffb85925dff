/** Puts an audit journal of one function on an application. */
import type { FastifyInstance } from 'fastify'
import type { AuditPort, AuditRecord } from 'svc-kernel'

export function auditing(app: FastifyInstance, record: (event: AuditRecord) => unknown): void {
  app.decorate('audit', { record } as AuditPort)
}
