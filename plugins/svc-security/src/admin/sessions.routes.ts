/** Sessions for administrators: who is logged in from where, and a way to end it. Content is never shown. */
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { adminChange, adminRoute, strictQuery } from 'svc-kernel/plugin'
import { closed, object, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, SECURITY_API } from '../api/security-api.ts'
import { SessionNotFound } from '../errors.ts'
import { deviceOf } from '../sessions/device.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { SessionSummary } from '../sessions/session-store.ts'

const MAX_LIMIT = 200

const sessionsQuery = closed(
  {},
  {
    user: textUpTo(1024),
    limit: { type: 'integer', default: 50 },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }
  }
)

/** A reference is the SHA-256 of a session id, base64url. */
const sessionRefSchema = object({ ref: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } })

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
      schema: { querystring: sessionsQuery, response: { 200: answers.sessions } }
    },
    async (request, reply) => {
      const { user, limit, offset } = request.query
      const size = Math.min(Math.max(limit, 1), MAX_LIMIT)
      const page = await sessions.list(user === undefined ? {} : { user }, { limit: size, offset })
      return noStore(reply, { ...page, items: page.items.map(sessionView) })
    }
  )

  fastify.post<{ Params: { ref: string } }>(
    `${SECURITY_API}/sessions/:ref/revoke`,
    {
      ...adminChange('svc.sessions.revoke', csrf),
      schema: { params: sessionRefSchema, response: { 200: answers.done }, errors: [SessionNotFound] }
    },
    async (request) => {
      if (!(await sessions.revoke(request.params.ref, request))) throw new SessionNotFound()
      return { ok: true }
    }
  )
}

function sessionView({ id, user, meta, createdAt, updatedAt }: SessionSummary) {
  const { ip = null, userAgent = null } = meta
  const device = typeof userAgent === 'string' ? deviceOf(userAgent) : null
  return { ref: id, user, ip, userAgent, device, createdAt, updatedAt }
}
