/** Work that leaves its scope says why, and the journal keeps it. */
import type { FastifyInstance } from 'fastify'
import { currentRequest } from 'svc-kernel'
import { InvalidFindOptions } from '../errors.ts'

const LONGEST_REASON = 200

/** @throws InvalidFindOptions */
export function readReason(reason: unknown): string {
  if (typeof reason === 'string' && reason.trim() !== '' && reason.length <= LONGEST_REASON) return reason
  throw new InvalidFindOptions('reason of acrossScopes', `text of 1 to ${LONGEST_REASON} characters`)
}

/** In the audit journal; in the log of an application without one. */
export function recordCrossing(fastify: FastifyInstance, reason: string): void {
  const request = currentRequest()
  const actor = request?.user?.identifier ?? null
  if (!fastify.hasDecorator('audit')) {
    fastify.log.info({ plugin: 'svc-orm', actor, reason }, 'work runs across scopes')
    return
  }
  fastify.audit.record({
    category: 'authz',
    action: 'data.crossed',
    outcome: 'success',
    actor,
    reason,
    ip: request?.ip ?? null,
    userAgent: request?.headers['user-agent'] ?? null,
    requestId: request?.id ?? null
  })
}
