/**
 * svc-security: who is calling (firewall), and may they (jury). Both fail closed: without a credential a zone answers
 * 401, without a grant a guard answers 403. Guards live in svc-kernel, so without this plugin guarded routes stay
 * closed.
 *
 * Decorates  fastify.firewall, jury; sessions, tokens, gates, userAccounts, userEndings: SVC_SEC_ACCOUNTS_OFF without accounts;
 *            with
 *            them signInRules, request.session and request.cookies, by @fastify/session and @fastify/cookie
 * Hooks      onRequest: firewall and CSRF guard; onSend: saves request.session; behind @fastify/cors onResponse
 * Needs      nothing (svc-kernel and svc-stores are added when absent); svc-audit, if present, records the denials
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { BootError, definePlugin, ensureKernel, readOptions, systemClock, warnAtBoot } from 'svc-kernel'
import { type DeclaredRoute, printedRoutes, serverHooks, undeclaredRoutes } from 'svc-kernel/plugin'
import { authenticatorRegistry } from './authentication/build-authenticators.ts'
import { deferContinue } from './authentication/expect-continue.ts'
import { firewallHook } from './authentication/firewall.hook.ts'
import { Firewall } from './authentication/firewall.ts'
import { JobIdentities } from './authentication/job-identities.ts'
import { zoneProblems } from './authentication/zone-warnings.ts'
import { routerFolding } from './authentication/zones/canonical-path.ts'
import { withBuiltInZone, withFirst } from './authentication/zones/zone-map.ts'
import { AccessControl } from './authorization/access-control.ts'
import { Jury } from './authorization/jury.ts'
import { RoleHierarchy } from './authorization/role-hierarchy.ts'
import { voterRegistry } from './authorization/voters.ts'
import { sectionWarnings } from './boot/configuration-warnings.ts'
import { accountsInUse, decorateAccountsOff, tokensInUse } from './boot/features-in-use.ts'
import { finishBoot } from './boot/finish-boot.ts'
import type { AccountsSetting, OpenedAccounts } from './boot/open-accounts.ts'
import { corsHook } from './cross-origin/cors.hook.ts'
import { CsrfGuard } from './cross-origin/csrf-guard.ts'
import { SecurityJournal } from './journal/security-journal.ts'
import type { SignInRules } from './login/login-service.ts'
import { optionsSchema, type SecurityConfig, type SvcSecurityOptions } from './options.ts'
import type { SvcSecurityParts } from './parts.ts'
import type { SessionService } from './sessions/session-service.ts'
import type { TokenService } from './tokens/token-service.ts'
import type { UserAccounts } from './users/user-accounts.ts'
import type { UserEndings } from './users/user-endings.ts'

declare module 'fastify' {
  interface FastifyInstance {
    firewall: Firewall
    /** Reading it without accounts throws `SVC_SEC_ACCOUNTS_OFF`; `decoratorOf` returns `null` then. */
    sessions: SessionService
    /** Reading it without accounts throws `SVC_SEC_ACCOUNTS_OFF`; `decoratorOf` returns `null` then. */
    tokens: TokenService
    /** Reading it without accounts throws `SVC_SEC_ACCOUNTS_OFF`; `decoratorOf` returns `null` then. */
    userAccounts: UserAccounts
    /** Reading it without accounts throws `SVC_SEC_ACCOUNTS_OFF`; `decoratorOf` returns `null` then. */
    userEndings: UserEndings
    /** Rules that say at which provider a user has to sign in. Absent without accounts. */
    signInRules: SignInRules
  }
}

const SCOPED = { name: 'svc-security', code: 'SVC_SEC_NOT_ROOT' }

const security: FastifyPluginAsync<SvcSecurityOptions & { parts?: SvcSecurityParts }> = async (fastify, given) => {
  const server = serverHooks(fastify, SCOPED)
  await ensureKernel(fastify)
  const { parts = {}, ...options } = given
  const { clock = systemClock } = parts
  const read = readOptions<SecurityConfig>('svc-security', optionsSchema, options)
  const withAccounts = accountsInUse(options, parts)
  const inUse = tokensInUse(read.areas, options)
  const areas = withAccounts ? withBuiltInZone(read.areas, inUse) : read.areas
  const config = Object.freeze({ ...read, areas: withFirst(areas, parts.inEveryZone ?? []) })
  const use = { accounts: withAccounts, ownUsers: parts.users !== undefined, ...inUse }
  for (const problem of sectionWarnings(options, use)) warnAtBoot(fastify, problem)
  const unsafe = zoneProblems(config.areas, config.jwt.audience ?? config.jwt.issuer)
  if (unsafe.length > 0) throw new BootError(unsafe)
  const journal = new SecurityJournal(fastify)
  let undeclared: DeclaredRoute[] = []
  const routes = () => [...fastify.declaredRoutes, ...undeclared]
  const firewall = new Firewall(config.areas, routerFolding(fastify), routes)
  const jury = new Jury(journal)

  fastify.decorate('firewall', firewall)
  fastify.decorate('jury', jury)
  fastify.accessGate.use(new AccessControl(jury, journal, clock, config.jwt.schemes[0] ?? 'Bearer'))
  if (fastify.hasPlugin('@fastify/cors')) fastify.addHook('onResponse', corsHook(journal))
  const trustedOrigins = new Set(config.csrf.trustedOrigins)
  let jobs: JobIdentities | null = null
  let csrf = new CsrfGuard({ setting: config.csrf, sessions: null, journal })
  server.addHook(
    'onRequest',
    firewallHook({ firewall, journal, trustedOrigins, csrf: () => csrf, jobs: () => jobs as JobIdentities })
  )
  if (!withAccounts) decorateAccountsOff(fastify)
  const setting = { config, parts, clock, journal }
  const accounts = withAccounts ? await accountsOf(fastify, { ...setting, inUse }) : null
  if (accounts !== null) csrf = accounts.csrf
  const seals: Array<() => void> = []
  fastify.addHook('onReady', async () => {
    undeclared = undeclaredRoutes(fastify.declaredRoutes, printedRoutes(fastify.printRoutes()))
    finishBoot(fastify, { ...setting, firewall, jury, accounts })
    const hierarchy = new RoleHierarchy(config.roleHierarchy)
    jobs = new JobIdentities({ firewall, hierarchy, accounts, journal, clock })
    fastify.jobOperations.carryBy(jobs)
    seals.push(authenticatorRegistry.seal(), voterRegistry.seal())
  })
  fastify.addHook('onClose', async () => {
    for (const release of seals) release()
  })
  deferContinue(fastify.server)
}

/** Loads accounts only if the application has them: they are the larger part of this package. */
async function accountsOf(fastify: FastifyInstance, setting: AccountsSetting): Promise<OpenedAccounts> {
  const { openAccounts } = await import('./boot/open-accounts.ts')
  return openAccounts(fastify, setting)
}

const svcSecurity: FastifyPluginAsync<SvcSecurityOptions & { parts?: SvcSecurityParts }> = definePlugin(security, {
  name: 'svc-security',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm']
})

export default svcSecurity

export { NON_SCOPABLE_TOKEN_TYPES } from 'svc-kernel'

export type { ApiKeyService, ApiKeyView, NewApiKey } from './api-keys/api-key-service.ts'
export type {
  AuthenticationContext,
  Authenticator,
  IAuthenticator,
  Proof
} from './authentication/authenticators/authenticator.ts'
export {
  type AuthenticatorFactory,
  registerAuthenticatorFactory
} from './authentication/build-authenticators.ts'
export type { Firewall, OwnZone, RouteReport } from './authentication/firewall.ts'
export type { Revalidation } from './authentication/revalidation/revalidation.ts'
export type { Zone } from './authentication/zones/zone-map.ts'
export type { DenialReason, Explanation, Verdict } from './authorization/access-decision-manager.ts'
export type { Jury } from './authorization/jury.ts'
export type { RecordedVote } from './authorization/recorded-votes.ts'
export {
  ABSTAIN,
  type AccessVoter,
  DENY,
  GRANT,
  type IAccessVoter,
  type ReasonedVote,
  Vote,
  type VoteResult
} from './authorization/voter.ts'
export { registerVoterFactory, type VoterFactory } from './authorization/voters.ts'
export type { ProviderAccount, ProviderAccountRule, ProviderIdentity } from './factors/oauth/account-rule.ts'
export type { LinkedAccount, SocialAccountProvider } from './factors/oauth/social-accounts.ts'
export type { PasskeySummary } from './factors/passkeys/passkeys-store.ts'
export type { Area, SvcSecurityOptions } from './options.ts'
export type { SvcSecurityParts } from './parts.ts'
export { hashPassword } from './password-hashes/argon2id.ts'
export { verifyPassword } from './password-hashes/stored-hash.ts'
export type { SessionService } from './sessions/session-service.ts'
export type { SessionSummary } from './sessions/session-store.ts'
export type { TokenSummary } from './token-store/token-record.ts'
export type { IssuedTokens, IssueOptions } from './tokens/issued-tokens.ts'
export type { TokenGrant } from './tokens/token-grants.ts'
export type { TokenService } from './tokens/token-service.ts'
export type { AccountView, LoginOptions, LoginResult, NewAccount } from './users/account.ts'
export type { BreachedRange } from './users/breached-passwords.ts'
export type { PasswordCheck } from './users/password-policy.ts'
export type { JoinedAccounts, UserAccounts } from './users/user-accounts.ts'
export type { Ending, UserEndings } from './users/user-endings.ts'
export type { ProvidedUser, UserProvider } from './users/user-source.ts'
export type { UserSummary } from './users/user-store.ts'
