/** The accounts at providers of the user who is logged in: which there are, and taking one off, never the last way in. */
import type { FastifyInstance } from 'fastify'
import { object, text } from 'svc-kernel/schemas'
import * as answers from '../../api/answers.ts'
import { noStore, SECURITY_API, sessionRoute } from '../../api/security-api.ts'
import { InvalidSession, ProviderNotFound, UsersElsewhere } from '../../errors.ts'
import { printable } from '../../journal/audit-writer.ts'
import { sessionGate, signedInUser } from '../../login/factor-host.ts'
import { LastWayIn, LinkNotFound } from '../errors.ts'
import type { OAuthParts } from './oauth.routes.ts'

export function linkedAccountRoutes(fastify: FastifyInstance, { host, accounts, providers }: OAuthParts): void {
  fastify.get(
    `${SECURITY_API}/oauth2/accounts`,
    {
      config: { svc: sessionRoute('svc.oauth2.accounts') },
      preParsing: sessionGate(host),
      schema: { response: { 200: answers.linkedAccounts }, errors: [InvalidSession, UsersElsewhere] }
    },
    async (request, reply) => {
      const linked = await accounts.list(await signedInUser(request, host))
      return noStore(reply, { accounts: linked, providers: [...providers.keys()] })
    }
  )

  fastify.delete<{ Params: { provider: string } }>(
    `${SECURITY_API}/oauth2/:provider`,
    {
      config: { svc: sessionRoute('svc.oauth2.unlink') },
      preParsing: [host.csrf, sessionGate(host), host.proof],
      schema: {
        params: object({ provider: text }),
        response: { 200: answers.done },
        errors: [ProviderNotFound, LinkNotFound, LastWayIn, UsersElsewhere]
      }
    },
    async (request) => {
      const { provider } = request.params
      if (!providers.has(provider)) throw new ProviderNotFound()
      const user = await signedInUser(request, host)
      await accounts.unlink(user, provider)
      const event = { category: 'oauth', action: 'oauth.unlinked', outcome: 'success', resource: provider } as const
      host.journal.done({ ...event, actor: printable(user.identifier) }, request)
      return { ok: true }
    }
  )
}
