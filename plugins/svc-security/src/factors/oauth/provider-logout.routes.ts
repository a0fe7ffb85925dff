/**
 * Logouts at a provider and here. The provider says by its back channel that somebody has logged out there: the sessions
 * that began so end, on every instance. And a user who logs out here is shown the way to log out there too.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import { closed, object, text, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../../api/answers.ts'
import { noStore, publicRoute, SECURITY_API, sessionRoute } from '../../api/security-api.ts'
import { AuthenticationUnavailable, ProviderNotFound } from '../../errors.ts'
import type { ReplayGuard } from '../../idempotency/replay-guard.ts'
import { readableError, refusedFor } from '../../journal/audit-writer.ts'
import { type FactorHost, sessionGate } from '../../login/factor-host.ts'
import type { SessionService } from '../../sessions/session-service.ts'
import { LogoutTokenInvalid } from '../errors.ts'
import { LONGEST_AGE_S, TOLERANCE_S } from './logout-token.ts'
import type { OidcProvider } from './oidc-provider.ts'
import type { ProviderSessions } from './provider-sessions.ts'

export interface ProviderLogoutParts {
  readonly providers: ReadonlyMap<string, OidcProvider>
  readonly provided: ProviderSessions
  readonly replays: Pick<ReplayGuard, 'once'>
  readonly host: FactorHost
  readonly sessions: Pick<SessionService, 'destroy'>
  readonly clock: Pick<Clock, 'now'>
  /** Where the provider sends the browser afterwards. */
  readonly landingUrl: string
}

interface LogoutRoute {
  Params: { provider: string }
  Body: { logout_token: string }
}

const FORM = 'application/x-www-form-urlencoded'

/** A logout token could not come again after that. */
const REMEMBERED_MS = (LONGEST_AGE_S + 2 * TOLERANCE_S) * 1000

const params = object({ provider: text })

export function providerLogoutRoutes(fastify: FastifyInstance, parts: ProviderLogoutParts): void {
  const { host, providers, sessions, landingUrl } = parts

  fastify.post<LogoutRoute>(
    `${SECURITY_API}/oauth2/:provider/logout`,
    {
      config: { svc: sessionRoute('svc.oauth2.logout') },
      preParsing: [host.csrf, sessionGate(host)],
      schema: {
        params,
        response: { 200: answers.providerLogout },
        errors: [ProviderNotFound, AuthenticationUnavailable]
      }
    },
    async (request, reply) => {
      const url = await providerOf(request.params.provider, providers).logoutUrl(landingUrl)
      const ended = await sessions.destroy(request, reply)
      const event = { category: 'auth', action: 'logout', outcome: 'success' } as const
      host.journal.done({ ...event, actor: ended?.user ?? null }, request)
      return noStore(reply, { url })
    }
  )

  // The one form that is taken: the provider posts it, and it proves itself.
  fastify.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    })
    scope.post<LogoutRoute>(
      `${SECURITY_API}/oauth2/:provider/backchannel-logout`,
      {
        config: { svc: publicRoute('svc.oauth2.backchannel_logout') },
        schema: {
          params,
          body: closed({ logout_token: textUpTo(8192) }),
          response: { 200: answers.done },
          errors: [ProviderNotFound, LogoutTokenInvalid, AuthenticationUnavailable]
        }
      },
      async (request, reply) => {
        await loggedOut(request, parts)
        return noStore(reply, { ok: true })
      }
    )
  })
}

/** A provider that is answered 503 comes again; what was ended by then stays so. */
async function loggedOut(request: FastifyRequest<LogoutRoute>, parts: ProviderLogoutParts): Promise<void> {
  const { providers, provided, replays, host, clock } = parts
  const provider = providerOf(request.params.provider, providers)
  const event = { category: 'oauth', resource: provider.name, actor: null } as const
  try {
    const token = await (await provider.logoutTokens()).verify(request.body.logout_token, clock.now())
    let count = 0
    const isFirst = await replays.once([provider.name, token.jti], REMEMBERED_MS, async () => {
      count = await provided.end(token, request)
    })
    if (!isFirst) throw refusedFor(new LogoutTokenInvalid(), 'replayed')
    host.journal.done({ ...event, action: 'oauth.logout', outcome: 'success', metadata: { count } }, request)
  } catch (error) {
    if (error instanceof LogoutTokenInvalid) {
      const { reason } = readableError(error)
      host.journal.done({ ...event, action: 'oauth.failure', outcome: 'failure', reason: `logout ${reason}` }, request)
    }
    throw error
  }
}

function providerOf(name: string, providers: ReadonlyMap<string, OidcProvider>): OidcProvider {
  const provider = providers.get(name)
  if (provider === undefined) throw new ProviderNotFound()
  return provider
}
