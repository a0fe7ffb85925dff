/**
 * svc-security: who is calling (firewall) and may they (jury).
 *
 * Both fail closed: a zone without proof answers 401, a jury that is silent or
 * broken answers 403. The guard itself lives in svc-kernel, so leaving this
 * plugin out closes guarded routes instead of opening them.
 *
 * Decorates  fastify.firewall, fastify.jury; fastify.sessions, fastify.tokens, fastify.gates, fastify.userAccounts,
 *            which throw SVC_SEC_ACCOUNTS_OFF where the application keeps no accounts
 * Hooks      onRequest: the firewall and the CSRF guard; behind @fastify/cors onResponse: preflights it refused
 * Needs      nothing (svc-kernel and svc-stores are added when absent); svc-audit, where present, keeps the denials
 */
import type { FastifyPluginAsync } from 'fastify'
import { BootError, definePlugin, ensureKernel, readOptions, serverHooks, systemClock, warnProblem } from 'svc-kernel'
import { authenticatorRegistry } from './authentication/authenticators/authenticator-registry.ts'
import { withBuiltInZone } from './authentication/built-in-zone.ts'
import { deferContinue, firewallHook } from './authentication/firewall.hook.ts'
import { Firewall } from './authentication/firewall.ts'
import { zoneProblems } from './authentication/zone-lints.ts'
import { routerFolding } from './authentication/zones/canonical-path.ts'
import { printedRoutes } from './authentication/zones/route-report.ts'
import { AccessControl } from './authorization/access-control.ts'
import { Jury } from './authorization/jury.ts'
import { voterRegistry } from './authorization/voter-registry.ts'
import { accountsInUse } from './boot/accounts-in-use.ts'
import { decorateAccountsOff } from './boot/accounts-off.ts'
import { finishBoot } from './boot/finish-boot.ts'
import { openAccounts } from './boot/open-accounts.ts'
import { sectionLints } from './boot/section-lints.ts'
import { tokensInUse } from './boot/tokens-in-use.ts'
import { corsHook } from './cross-origin/cors.hook.ts'
import { CsrfGuard, csrfHook } from './cross-origin/csrf-guard.ts'
import { SecurityJournal } from './journal/security-journal.ts'
import { optionsSchema, type SecurityConfig, type SvcSecurityOptions } from './options.ts'
import type { SvcSecurityParts } from './parts.ts'
import type { SessionService } from './sessions/session-service.ts'
import { openTokens } from './tokens/open-tokens.ts'
import type { TokenService } from './tokens/token-service.ts'
import type { UserAccounts } from './users/user-accounts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    firewall: Firewall
    /** Where the application keeps no accounts, reading it throws `SVC_SEC_ACCOUNTS_OFF`; `decoratorOf` gives `null`. */
    sessions: SessionService
    /** Where the application keeps no accounts, reading it throws `SVC_SEC_ACCOUNTS_OFF`; `decoratorOf` gives `null`. */
    tokens: TokenService
    /** Where the application keeps no accounts, reading it throws `SVC_SEC_ACCOUNTS_OFF`; `decoratorOf` gives `null`. */
    userAccounts: UserAccounts
  }
}

const SCOPED = { name: 'svc-security', code: 'SVC_SEC_NOT_ROOT' }

const security: FastifyPluginAsync<SvcSecurityOptions & { parts?: SvcSecurityParts }> = async (fastify, given) => {
  const server = serverHooks(fastify, SCOPED)
  await ensureKernel(fastify)
  const { parts = {}, ...options } = given
  const { clock = systemClock } = parts
  const read = readOptions<SecurityConfig>('svc-security', optionsSchema, options)
  const accounts = accountsInUse(options, parts)
  const config = accounts ? { ...read, areas: withBuiltInZone(read.areas, options) } : read
  const use = { accounts, ownUsers: parts.users !== undefined, ...tokensInUse(config.areas, options) }
  for (const problem of sectionLints(options, use)) warnProblem(fastify.log, problem)
  const unsafe = zoneProblems(config.areas)
  if (unsafe.length > 0) throw new BootError(unsafe)
  const journal = new SecurityJournal(fastify)
  const firewall = new Firewall(config.areas, routerFolding(fastify))
  const jury = new Jury(journal)
  const seals: Array<() => void> = []

  fastify.decorate('firewall', firewall)
  fastify.decorate('jury', jury)
  fastify.accessGate.use(new AccessControl(jury, journal))
  for (const { options: route, url } of fastify.declaredRoutes) firewall.note(route, url)
  fastify.addHook('onRoute', (route) => firewall.note(route))
  if (fastify.hasPlugin('@fastify/cors')) fastify.addHook('onResponse', corsHook(journal))
  server.addHook('onRequest', firewallHook({ firewall, journal, trustedOrigins: new Set(config.csrf.trustedOrigins) }))
  if (!accounts) decorateAccountsOff(fastify)
  const services = accounts ? await openAccounts(fastify, { config, parts, clock, journal, server }) : null
  if (services !== null) await openTokens(fastify, services, { options, store: parts.stores?.tokens })
  else server.addHook('onRequest', csrfHook(new CsrfGuard({ setting: config.csrf, sessions: null, journal })))
  fastify.addHook('onReady', async () => {
    firewall.noteUnseen(printedRoutes(fastify.printRoutes()))
    finishBoot(fastify, { config, parts, clock, firewall, jury, journal, users: services?.users ?? null })
    seals.push(authenticatorRegistry.seal(), voterRegistry.seal())
  })
  fastify.addHook('onClose', async () => {
    for (const release of seals) release()
  })
  deferContinue(fastify.server)
}

const svcSecurity: FastifyPluginAsync<SvcSecurityOptions & { parts?: SvcSecurityParts }> = definePlugin(security, {
  name: 'svc-security',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm']
})

export default svcSecurity

export type { ApiKeyOrder, ApiKeyService } from './api-keys/api-key-service.ts'
export type { ApiKeyView } from './api-keys/api-key-view.ts'
export type {
  AuthenticationContext,
  Authenticator,
  IAuthenticator,
  Proof
} from './authentication/authenticators/authenticator.ts'
export {
  type AuthenticatorFactory,
  registerAuthenticatorFactory
} from './authentication/authenticators/authenticator-registry.ts'
export type { Firewall } from './authentication/firewall.ts'
export type { Revalidation } from './authentication/revalidation/revalidation.ts'
export type { RouteReport } from './authentication/zones/route-report.ts'
export type { Zone } from './authentication/zones/zone.ts'
export { NON_SCOPABLE_TOKEN_TYPES } from './authorization/built-in-voters.ts'
export type { Jury } from './authorization/jury.ts'
export type { DenialReason, Explanation, RecordedVote, Verdict } from './authorization/verdict.ts'
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
export { registerVoterFactory, type VoterFactory } from './authorization/voter-registry.ts'
export * from './errors.ts'
export type { Area, SvcSecurityOptions } from './options.ts'
export type { SvcSecurityParts } from './parts.ts'
export type { SessionService } from './sessions/session-service.ts'
export { KeySetFile } from './signing-keys/key-set-file.ts'
export { type KeySetReading, readKeySet } from './signing-keys/read-key-set.ts'
export { rotateKeys } from './signing-keys/rotate-keys.ts'
export { newStoredKey, type PublicJwk, type StoredKey } from './signing-keys/signing-key.ts'
export type { AttemptCounter } from './throttling/attempt-counter.ts'
export type { IssuedTokens, TokenService } from './tokens/token-service.ts'
export { hashPassword } from './users/hash-password.ts'
export type { GivenUsers } from './users/part-user-source.ts'
export type { AccountView, NewAccount, UserAccounts } from './users/user-accounts.ts'
