/**
 * Acting as another user, as an application writes it: an authenticator before
 * `session` reads from the session whom its user acts as. The right to do so is asked
 * on each request; the proven token keeps who really acts.
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type AccessToken, createAccessToken, guardHooks } from 'svc-kernel'
import type { AccessVoter, AuthenticationContext, Authenticator } from 'svc-security'
import type { SessionRecord } from 'svc-security/stores'
import type { AccountBook } from '../../support/account-app.ts'

export class ActingAs implements Authenticator<SessionRecord> {
  readonly carrier = 'cookie'
  readonly #book: AccountBook
  readonly #fastify: FastifyInstance

  constructor(fastify: FastifyInstance, book: AccountBook) {
    this.#fastify = fastify
    this.#book = book
  }

  async supports({ request }: AuthenticationContext): Promise<boolean> {
    const record = await this.#fastify.sessions.resume(request)
    return record?.user != null && typeof record.content.actingAs === 'string'
  }

  createToken({ request }: AuthenticationContext): SessionRecord {
    return this.#fastify.sessions.resumed(request) as SessionRecord
  }

  async authenticate({ user, content }: SessionRecord): Promise<AccessToken> {
    const [original, target] = await Promise.all(
      [user, content.actingAs].map((identifier) => this.#book.findByIdentifier(String(identifier)))
    )
    if (!original?.roles.includes('ROLE_ADMIN') || target == null) throw new Error('may not act as another user')
    return createAccessToken({ type: 'session', user: target, originalUser: original.identifier })
  }
}

/** Not everything is open to who acts as somebody else; the refusal says who it was. */
export const asOneselfAlone: AccessVoter = {
  name: 'as-oneself',
  supports: (attribute) => attribute === 'pay',
  vote: ({ user, originalUser }) =>
    originalUser === undefined ? 'GRANT' : { vote: 'DENY', reason: `${originalUser} acts as ${user.identifier}` }
}

/** Begins and ends it; `pay` is what nobody does in the name of another. */
export const actingRoutes = fp(async (fastify: FastifyInstance) => {
  fastify.post<{ Body: { user: string } }>('/in/act', guardHooks([[{ attribute: 'ROLE_ADMIN' }]]), async (request) =>
    fastify.sessions.update(request, { actingAs: request.body.user })
  )
  fastify.post('/in/act/end', async (request) => fastify.sessions.update(request, { actingAs: null }))
  fastify.post('/in/pay', guardHooks([[{ attribute: 'pay' }]]), async () => 'paid')
  fastify.get('/in/acting', async ({ token }) => ({ who: token?.getUserIdentifier(), by: token?.originalUser ?? null }))
})
