/**
 * Both ways between sockets and the audit journal: refused frames go in; failures and denials come out on the channel
 * `svc:alerts`, whole events on `svc:audit`. Whether there is a journal is asked when all plugins are registered, in whatever order.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditEvent } from 'svc-kernel'
import { auditAlert } from 'svc-kernel/plugin'
import type { Realtime } from './realtime.ts'

export interface FrameDenial {
  /** The channel that was refused; `null` where the frame was not even read. */
  readonly resource: string | null
  readonly reason: 'forbidden' | 'limit' | 'flood'
}

export type ReportDenial = (request: FastifyRequest, denial: FrameDenial) => void

/** Reports refused frames: one log line and, where svc-audit is registered, one `frame.denied` record. */
export function denialReporter(fastify: FastifyInstance): ReportDenial {
  return (request, { resource, reason }) => {
    const actor = request.token?.getUserIdentifier() ?? null
    request.log.warn({ resource, reason, actor }, 'a WebSocket frame was refused')
    if (!fastify.hasDecorator('audit')) return
    fastify.audit.record({
      category: 'ws',
      action: 'frame.denied',
      outcome: 'denied',
      actor,
      resource,
      reason,
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
      requestId: request.id
    })
  }
}

/** Locked for all but ROLE_SVC_ADMIN, as every channel that starts with `svc:`. */
export const ALERT_CHANNEL = 'svc:alerts'

/** Locked in the same way. Of this instance alone: nobody asks another one to send what may have no listener there. */
export const JOURNAL_CHANNEL = 'svc:audit'

/** To administrators who listen: each failure and each denial in its compact form, and every event of this instance. */
export function publishAlerts(fastify: FastifyInstance, realtime: Realtime): void {
  let unsubscribe: (() => void) | undefined
  const hear = (event: AuditEvent) => {
    if (event.outcome !== 'success' && realtime.reaches(ALERT_CHANNEL))
      realtime.publish(ALERT_CHANNEL, auditAlert(event))
    if (realtime.isHeardHere(JOURNAL_CHANNEL)) realtime.receive(JOURNAL_CHANNEL, JSON.stringify(event))
  }
  fastify.addHook('onReady', async () => {
    if (fastify.hasDecorator('audit')) unsubscribe = fastify.audit.subscribe(hear)
  })
  fastify.addHook('preClose', async () => {
    unsubscribe?.()
  })
}
