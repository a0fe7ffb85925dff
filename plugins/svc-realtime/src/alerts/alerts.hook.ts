/**
 * The channel `svc:alerts`: each failure and each denial of the audit journal, in
 * its compact form, to administrators who listen. Whether there is a journal is
 * asked when all plugins are there, in whatever order they came.
 */
import type { FastifyInstance } from 'fastify'
import { type AuditEvent, auditAlert } from 'svc-kernel'
import type { Realtime } from '../realtime.ts'

/** Locked for all but ROLE_SVC_ADMIN, as every channel that starts with `svc:`. */
export const ALERT_CHANNEL = 'svc:alerts'

export function publishAlerts(fastify: FastifyInstance, realtime: Realtime): void {
  let unsubscribe: (() => void) | undefined
  const hear = (event: AuditEvent) => {
    if (event.outcome !== 'success' && realtime.reaches(ALERT_CHANNEL))
      realtime.publish(ALERT_CHANNEL, auditAlert(event))
  }
  fastify.addHook('onReady', async () => {
    if (fastify.hasDecorator('audit')) unsubscribe = fastify.audit.subscribe(hear)
  })
  fastify.addHook('preClose', async () => {
    unsubscribe?.()
  })
}
