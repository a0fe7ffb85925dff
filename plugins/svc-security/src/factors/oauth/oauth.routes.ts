/**
 * Logins at OpenID Connect providers. State, nonce and PKCE verifier belong to one
 * attempt of one browser, and are used once. A login finds its user by the account that
 * is linked, never by an address; who has none gets a user of their own where a rule says so.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MAX_AGE_S } from 'svc-kernel/plugin'
import { closed, object, text } from 'svc-kernel/schemas'
import type { JsonObject } from 'svc-stores'
import * as answers from '../../api/answers.ts'
import { publicRoute, SECURITY_API, sessionRoute } from '../../api/security-api.ts'
import { AuthenticationUnavailable, InvalidCredentials, InvalidSession, ProviderNotFound } from '../../errors.ts'
import { credentialsRefused, printable, readableError } from '../../journal/audit-writer.ts'
import { type FactorHost, keepIfStillOpen, sessionGate, signedInUser } from '../../login/factor-host.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import { isUsable, type LoadedUser } from '../../users/user-source.ts'
import type { ChallengeStore } from '../challenge-store.ts'
import { accountOf, type ProviderAccountRule, type ProviderIdentity } from './account-rule.ts'
import type { AuthorizationSecrets, OidcProvider, ProviderSubject } from './oidc-provider.ts'
import type { ProviderSessions } from './provider-sessions.ts'
import type { SocialAccounts } from './social-accounts.ts'

export interface OAuthParts {
  readonly providers: ReadonlyMap<string, OidcProvider>
  readonly challenges: ChallengeStore
  readonly accounts: SocialAccounts
  /** Decides of the application which people get an account. */
  readonly rule: ProviderAccountRule | undefined
  readonly provided: Pick<ProviderSessions, 'begin'>
  readonly host: FactorHost
  /** Where the browser goes afterwards. */
  readonly landingPath: string
}

interface ProviderRoute {
  Params: { provider: string }
}

interface LoginRoute extends ProviderRoute {
  Querystring: { maxAge?: number }
}

const params = object({ provider: text })

/** How old the login at the provider may be, in seconds; 0 asks for a new one. */
const loginQuery = closed({}, { maxAge: { type: 'integer', minimum: 0, maximum: MAX_AGE_S } })

const API = `${SECURITY_API}/oauth2/:provider`

export function oauthRoutes(fastify: FastifyInstance, parts: OAuthParts): void {
  const { host, landingPath } = parts
  const route = (name: string) => ({ config: { svc: publicRoute(`svc.oauth2.${name}`) } })

  fastify.get<LoginRoute>(
    `${API}/authorize`,
    {
      ...route('authorize'),
      exposeHeadRoute: false,
      schema: {
        params,
        querystring: loginQuery,
        response: { 303: answers.redirect },
        errors: [ProviderNotFound, AuthenticationUnavailable]
      }
    },
    async (request, reply) => {
      const url = await begin(request, reply, parts, {}, request.query.maxAge)
      return reply.redirect(url, 303)
    }
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
      await host.login.checkProvider(attempt.user.identifier, request.params.provider)
      const methods = await host.login.askSecondFactor(request, reply, attempt.user, 'social')
      if (methods.length === 0) await host.login.complete(request, reply, attempt.user, 'oauth', null, attempt.login)
      await parts.provided.begin(request, attempt.identity)
      return reply.redirect(methods.length === 0 ? landingPath : waitingAt(landingPath, methods), 303)
    }
  )
}

/** @returns where the browser goes now */
async function begin(
  request: FastifyRequest<ProviderRoute>,
  reply: FastifyReply,
  { providers, challenges }: OAuthParts,
  more: JsonObject,
  maxAgeS: number | null = null
): Promise<string> {
  const provider = providers.get(request.params.provider)
  if (provider === undefined) throw new ProviderNotFound()
  const { url, secrets } = await provider.authorization(maxAgeS)
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
    const secrets = attempt as JsonObject & AuthorizationSecrets
    const { identity, login } = await subjectOf(provider, request, host.clock.now(), secrets)
    if (attempt.link === undefined) {
      return { linked: false, identity, login, user: await userOf(request, provider, identity, parts) }
    }
    const user = await linkedNow(request, parts, attempt.link, identity)
    host.journal.done(
      { ...event, action: 'oauth.linked', outcome: 'success', actor: printable(user.identifier) },
      request
    )
    return { linked: true, identity, login, user }
  } catch (error) {
    const { reason, code, message } = readableError(error)
    const failure = { ...event, action: 'oauth.failure', outcome: 'failure', actor: null } as const
    host.journal.done({ ...failure, reason: reason ?? code ?? message }, request)
    throw error
  }
}

async function subjectOf(
  provider: OidcProvider,
  request: FastifyRequest,
  now: number,
  secrets: AuthorizationSecrets
): Promise<ProviderSubject> {
  const { url = '' } = request.raw
  try {
    return await provider.subject(url.includes('?') ? url.slice(url.indexOf('?')) : '', now, secrets)
  } catch (error) {
    const { statusCode, reason, code, message } = readableError(error)
    if (statusCode === 503) throw error
    throw credentialsRefused(reason ?? code ?? message)
  }
}

async function userOf(
  request: FastifyRequest,
  provider: OidcProvider,
  identity: ProviderIdentity,
  parts: OAuthParts
): Promise<LoadedUser> {
  const user = (await parts.accounts.find(identity)) ?? (await createdNow(request, provider, identity, parts))
  if (!isUsable(user)) throw credentialsRefused(user.enabled ? 'locked' : 'disabled')
  return user
}

/** A name that is taken is refused: the account behind it was made by somebody whom nobody has asked. */
async function createdNow(
  request: FastifyRequest,
  provider: OidcProvider,
  identity: ProviderIdentity,
  { accounts, rule, host }: OAuthParts
): Promise<LoadedUser> {
  const proposed = provider.accounts === undefined ? 'not_linked' : accountOf(identity, provider.accounts)
  if (typeof proposed === 'string') throw credentialsRefused(proposed)
  const account = rule === undefined ? proposed : await orUnavailable(async () => rule(identity))
  if (account === null) throw credentialsRefused('no_account')
  try {
    const user = await accounts.create(account, identity)
    if (user === null) throw credentialsRefused('no_account')
    const metadata = { provider: provider.name, roles: user.roles }
    const event = { category: 'config', action: 'user.created', outcome: 'success', resource: user.identifier } as const
    host.journal.done({ ...event, actor: printable(user.identifier), metadata }, request)
    return user
  } catch (error) {
    if (readableError(error).statusCode !== 409) throw error
    // Two pages of one person at once: the first one has made it.
    const found = await accounts.find(identity)
    if (found === null) throw credentialsRefused('identifier_taken')
    return found
  }
}

/** The browser that comes back must still be its user's. */
async function linkedNow(
  request: FastifyRequest,
  { accounts, host }: OAuthParts,
  id: unknown,
  identity: ProviderIdentity
): Promise<LoadedUser> {
  const user = await signedInUser(request, host)
  if (user.id !== id) throw credentialsRefused('another_user')
  if ((await accounts.find(identity))?.id === user.id) return user
  if (!(await accounts.link(user, identity))) throw credentialsRefused('unknown_user')
  await keepIfStillOpen(request, host, () => accounts.takeBack(user, identity))
  return user
}

/** The page that must ask for a second factor learns it from its address, as a password login does from its answer. */
function waitingAt(landingPath: string, methods: readonly string[]): string {
  const page = new URL(landingPath, 'http://localhost')
  page.searchParams.set('mfaRequired', methods.join(' '))
  return `${page.pathname}${page.search}${page.hash}`
}
