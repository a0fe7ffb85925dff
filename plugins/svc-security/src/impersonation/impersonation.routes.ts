/**
 * Acting as another user, over HTTP. It begins with a session, a recent proof and a reason; it is seen and ended with the same
 * session, whatever it may do by then.
 */
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { guardHooks, type RequiredProof } from 'svc-kernel'
import { isMachine, refusing, routeSecurity } from 'svc-kernel/plugin'
import { closed, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, proven, SECURITY_API, sessionRoute } from '../api/security-api.ts'
import { BeyondOwnRights, ImpersonationRefused, InvalidSession, UserNotFound } from '../errors.ts'
import type { Impersonation, ImpersonationRequest } from './impersonation.ts'

const PATH = `${SECURITY_API}/impersonation`

export interface ImpersonationRoutes {
  readonly impersonation: Impersonation
  /** Role that may begin. */
  readonly role: string
  /** Route option `preParsing` of changes made with a session. */
  readonly csrf: preParsingHookHandler
  /** What the beginning asks of the proof; `null` for nothing. */
  readonly proof: RequiredProof | null
}

const peopleOnly = refusing<preParsingHookHandler>(async ({ token }) => {
  if (token === null || isMachine(token)) throw new BeyondOwnRights('a machine may not act as another user')
}, BeyondOwnRights)

export function impersonationRoutes(fastify: FastifyInstance, parts: ImpersonationRoutes): void {
  const { impersonation, role, csrf, proof } = parts
  const requirement = [[{ attribute: role }]]
  const { preParsing, preHandler } = guardHooks(requirement)
  const own = (name: string) => ({ config: { svc: sessionRoute(`svc.impersonation.${name}`) } })

  fastify.post<{ Body: Omit<ImpersonationRequest, 'write'> & { readonly write: boolean } }>(
    PATH,
    {
      ...proven({ config: { svc: routeSecurity('svc.impersonation.begin', { requirement }) } }, proof),
      preParsing: [preParsing, peopleOnly, csrf],
      preHandler,
      schema: {
        body: closed(
          { user: textUpTo(1024), reason: { ...textUpTo(500), pattern: '\\S' } },
          { write: { type: 'boolean', default: false } }
        ),
        response: { 200: answers.impersonation },
        errors: [BeyondOwnRights, InvalidSession, ImpersonationRefused, UserNotFound]
      }
    },
    async (request, reply) => noStore(reply, { acting: await impersonation.begin(request, reply, request.body) })
  )

  fastify.get(PATH, { ...own('state'), schema: { response: { 200: answers.impersonation } } }, async (request, reply) =>
    noStore(reply, { acting: await impersonation.actingNow(request) })
  )

  fastify.delete(
    PATH,
    {
      ...own('end'),
      preParsing: csrf,
      schema: { response: { 200: answers.impersonation }, errors: [InvalidSession] }
    },
    async (request, reply) => noStore(reply, { acting: await impersonation.end(request, reply) })
  )
}
