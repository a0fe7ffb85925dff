/**
 * Logins at OpenID Connect providers. State, nonce and PKCE verifier belong to one
 * attempt of one browser, and are used once. A login never makes a user: an account
 * is linked first, by its user, from a page that proves the session's CSRF token.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { object, text } from 'svc-kernel/schemas'
import type { JsonObject } from 'svc-stores'
import * as answers from '../../api/answers.ts'
import { publicRoute, SECURITY_API, sessionRoute } from '../../api/security-api.ts'
import { AuthenticationUnavailable, InvalidCredentials, InvalidSession, ProviderNotFound } from '../../errors.ts'
import { credentialsRefused, printable, readableError } from '../../journal/audit-writer.ts'
import { type FactorHost, sessionGate, signedInUser } from '../../login/factor-host.ts'
import { isUsable, type LoadedUser } from '../../users/user-source.ts'
import type { ChallengeStore } from '../challenge-store.ts'
import type { AuthorizationSecrets, OidcProvider } from './oidc-provider.ts'
import type { SocialAccounts } from './social-accounts.ts'

export interface OAuthParts {
  readonly providers: ReadonlyMap<string, OidcProvider>
  readonly challenges: ChallengeStore
  readonly accounts: SocialAccounts
  readonly host: FactorHost
  /** Where the browser goes afterwards. */
  readonly landingPath: string
}

interface ProviderRoute {
  Params: { provider: string }
}

const params = object({ provider: text })

const API = `${SECURITY_API}/oauth2/:provider`

export function oauthRoutes(fastify: FastifyInstance, parts: OAuthParts): void {
  const { host, landingPath } = parts
  const route = (name: string) => ({ config: { svc: publicRoute(`svc.oauth2.${name}`) } })

  fastify.get<ProviderRoute>(
    `${API}/authorize`,
    {
      ...route('authorize'),
      exposeHeadRoute: false,
      schema: { params, response: { 303: answers.redirect }, errors: [ProviderNotFound, AuthenticationUnavailable] }
    },
    async (request, reply) => reply.redirect(await begin(request, reply, parts, {}), 303)
  )

  fastify.post<ProviderRoute>(
    `${API}/authorize`,
    {
      config: { svc: sessionRoute('svc.oauth2.link') },
      preParsing: [host.csrf, sessionGate(host), host.proof],
      schema: { params, response: { 200: answers.authorizationPage }, errors: [ProviderNotFound] }
    },
    async (request, reply) => {
      const user = await signedInUser(request, host)
      return { url: await begin(request, reply, parts, { link: user.id }) }
    }
  )

  fastify.get<ProviderRoute>(
    `${API}/callback`,
    {
      ...route('callback'),
      exposeHeadRoute: false,
      schema: {
        params,
        response: { 303: answers.redirect },
        errors: [ProviderNotFound, InvalidCredentials, InvalidSession, AuthenticationUnavailable]
      }
    },
    async (request, reply) => {
      const attempt = await proven(request, reply, parts)
      reply.header('cache-control', 'no-store')
      if (attempt.linked) return reply.redirect(landingPath, 303)
      const methods = await host.login.askSecondFactor(request, reply, attempt.user, 'social')
      if (methods.length > 0) return reply.redirect(waitingAt(landingPath, methods), 303)
      await host.login.complete(request, reply, attempt.user, 'oauth')
      return reply.redirect(landingPath, 303)
    }
  )
}

/** @returns where the browser goes now */
async function begin(
  request: FastifyRequest<ProviderRoute>,
  reply: FastifyReply,
  { providers, challenges }: OAuthParts,
  more: JsonObject
): Promise<string> {
  const provider = providers.get(request.params.provider)
  if (provider === undefined) throw new ProviderNotFound()
  const { url, secrets } = await provider.authorization()
  await challenges.begin(request, reply, { ...more, ...secrets, provider: provider.name })
  reply.header('cache-control', 'no-store')
  return url.href
}

/** @throws InvalidCredentials (401, one text) whatever does not hold; the audit has the true cause */
async function proven(request: FastifyRequest<ProviderRoute>, reply: FastifyReply, parts: OAuthParts) {
  const { providers, challenges, host } = parts
  const provider = providers.get(request.params.provider)
  if (provider === undefined) throw new ProviderNotFound()
  const event = { category: 'oauth', resource: provider.name } as const
  try {
    const attempt = await challenges.take(request, reply)
    if (attempt?.provider !== provider.name) throw credentialsRefused('no_attempt')
    const subject = await subjectOf(provider, request, attempt as JsonObject & AuthorizationSecrets)
    if (attempt.link === undefined) return { linked: false, user: await linkedUser(parts, provider.name, subject) }
    const user = await linkedNow(request, parts, { id: attempt.link, provider: provider.name, subject })
    host.journal.done(
      { ...event, action: 'oauth.linked', outcome: 'success', actor: printable(user.identifier) },
      request
    )
    return { linked: true, user }
  } catch (error) {
    const { reason, code, message } = readableError(error)
    const failure = { ...event, action: 'oauth.failure', outcome: 'failure', actor: null } as const
    host.journal.done({ ...failure, reason: reason ?? code ?? message }, request)
    throw error
  }
}

async function subjectOf(provider: OidcProvider, request: FastifyRequest, secrets: AuthorizationSecrets) {
  const { url = '' } = request.raw
  try {
    return await provider.subject(url.includes('?') ? url.slice(url.indexOf('?')) : '', secrets)
  } catch (error) {
    const { statusCode, code, message } = readableError(error)
    if (statusCode === 503) throw error
    throw credentialsRefused(code ?? message)
  }
}

async function linkedUser({ accounts }: OAuthParts, provider: string, subject: string): Promise<LoadedUser> {
  const user = await accounts.find(provider, subject)
  if (user === null) throw credentialsRefused('not_linked')
  if (!isUsable(user)) throw credentialsRefused(user.enabled ? 'locked' : 'disabled')
  return user
}

/** The browser that comes back must still be its user's. */
async function linkedNow(
  request: FastifyRequest,
  { accounts, host }: OAuthParts,
  link: { readonly id: unknown; readonly provider: string; readonly subject: string }
): Promise<LoadedUser> {
  const user = await signedInUser(request, host)
  if (user.id !== link.id) throw credentialsRefused('another_user')
  if (!(await accounts.link(user, link.provider, link.subject))) throw credentialsRefused('unknown_user')
  return user
}

/** The page that must ask for a second factor learns it from its address, as a password login does from its answer. */
function waitingAt(landingPath: string, methods: readonly string[]): string {
  const page = new URL(landingPath, 'http://localhost')
  page.searchParams.set('mfaRequired', methods.join(' '))
  return `${page.pathname}${page.search}${page.hash}`
}
