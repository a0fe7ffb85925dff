/** Sessions for administrators: who is logged in from where, and a way to end it. Content is never shown. */
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { strictQuery } from 'svc-kernel'
import type { SessionSummary } from 'svc-stores'
import { adminRoute } from '../api/admin-route.ts'
import { SECURITY_API } from '../api/public-route.ts'
import { SessionUnknown } from '../errors.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { doneSchema, sessionRefSchema, sessionsQuery, sessionsSchema } from './admin-schemas.ts'

const MAX_LIMIT = 200

export interface SessionViews {
  readonly sessions: Pick<SessionService, 'list' | 'revoke'>
  /** Route option `preParsing` of changes made with a session. */
  readonly csrf: preParsingHookHandler
}

export function sessionsRoutes(fastify: FastifyInstance, { sessions, csrf }: SessionViews): void {
  fastify.get<{ Querystring: { user?: string; limit: number; offset: number } }>(
    `${SECURITY_API}/sessions`,
    {
      ...adminRoute('svc.sessions'),
      preValidation: strictQuery(Object.keys(sessionsQuery.properties)),
      schema: { querystring: sessionsQuery, response: sessionsSchema }
    },
    async (request, reply) => {
      const { user, limit, offset } = request.query
      const size = Math.min(Math.max(limit, 1), MAX_LIMIT)
      const page = await sessions.list(user === undefined ? {} : { user }, { limit: size, offset })
      reply.header('cache-control', 'no-store')
      return { ...page, items: page.items.map(sessionView) }
    }
  )

  const guard = adminRoute('svc.sessions.revoke')
  fastify.post<{ Params: { ref: string } }>(
    `${SECURITY_API}/sessions/:ref/revoke`,
    { ...guard, preParsing: [guard.preParsing, csrf], schema: { params: sessionRefSchema, response: doneSchema } },
    async (request) => {
      if (!(await sessions.revoke(request.params.ref, request))) throw new SessionUnknown()
      return { ok: true }
    }
  )
}

function sessionView({ id, user, meta, createdAt, updatedAt }: SessionSummary) {
  const { ip = null, userAgent = null } = meta
  return { ref: id, user, ip, userAgent, createdAt, updatedAt }
}
