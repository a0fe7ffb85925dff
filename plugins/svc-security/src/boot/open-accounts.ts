/** Opens the features of accounts: users, logins, sessions, tokens, factors. Each builds on those before it. */
import type { FastifyInstance } from 'fastify'
import { type AccessToken, type Clock, inProduction, warnAtBoot } from 'svc-kernel'
import type { RightsPort } from 'svc-kernel/plugin'
import { ensureStores } from 'svc-stores'
import { firewallRoutes } from '../admin/firewall.routes.ts'
import { sessionsRoutes } from '../admin/sessions.routes.ts'
import { userFactorsRoutes } from '../admin/user-factors.routes.ts'
import { checkGrant, checkLeaving } from '../admin/user-rights.ts'
import { userStateRoutes } from '../admin/user-state.routes.ts'
import { usersRoutes } from '../admin/users.routes.ts'
import { securityApi } from '../api/security-api.ts'
import type { AccountServices } from '../authentication/build-authenticators.ts'
import { roleCheck } from '../authorization/declared-roles.ts'
import { knownRoles } from '../authorization/known-roles.ts'
import { RoleHierarchy, rolesGranting } from '../authorization/role-hierarchy.ts'
import { cycleProblem } from '../authorization/voters.ts'
import { CsrfGuard, csrfGate } from '../cross-origin/csrf-guard.ts'
import { explainRoutes } from '../explain/explain.routes.ts'
import { userAccessRoutes } from '../explain/user-access.routes.ts'
import { openChallenges } from '../factors/challenge-store.ts'
import type { PasskeyService } from '../factors/passkeys/passkey-service.ts'
import type { TotpService } from '../factors/totp/totp-service.ts'
import { openIdempotency } from '../idempotency/open-idempotency.ts'
import { impersonationRoutes } from '../impersonation/impersonation.routes.ts'
import { Impersonation } from '../impersonation/impersonation.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { sessionGate } from '../login/factor-host.ts'
import { openLogin } from '../login/open-login.ts'
import type { Grants } from '../login/own-account.routes.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { openSessions } from '../sessions/open-sessions.ts'
import { openThrottling } from '../throttling/open-throttling.ts'
import { openTokens } from '../tokens/open-tokens.ts'
import { openUsers } from '../users/open-users.ts'
import type { LoadedUser } from '../users/user-source.ts'
import { csrfLints } from './configuration-warnings.ts'
import type { TokensInUse } from './features-in-use.ts'
import { forgetFactors } from './forget-factors.ts'

export interface AccountsSetting {
  readonly config: SecurityConfig
  readonly parts: SvcSecurityParts
  readonly clock: Clock
  readonly journal: SecurityJournal
  readonly inUse: TokensInUse
}

/** What authenticators use, and the guard of the pages of sessions. */
export interface OpenedAccounts extends AccountServices {
  readonly csrf: CsrfGuard
}

/** Opens the features of accounts, each on those before it. Stores are selected here, after their drivers. */
export async function openAccounts(fastify: FastifyInstance, given: AccountsSetting): Promise<OpenedAccounts> {
  const { inUse, ...setting } = given
  const { config, parts, clock, journal } = setting
  const stores = parts.stores ?? {}
  await ensureStores(fastify, { clock })
  const opened = await openUsers(fastify, setting)
  const { users, endings } = opened
  fastify.decorate('userEndings', endings)
  const { counter, throttler } = openThrottling(fastify, setting)
  const sessions = await openSessions(fastify, { ...setting, users })
  endings.add(({ identifier, keepSession }) => sessions.revokeUser(identifier, keepSession))
  const csrf = new CsrfGuard({ setting: config.csrf, sessions, journal })
  const gate = csrfGate(csrf)
  const idempotency = openIdempotency(fastify, { setting: config.idempotency, ready: stores.idempotency, clock })
  if (inProduction(fastify)) for (const problem of csrfLints(config.csrf)) warnAtBoot(fastify, problem)

  // Asked by requests alone, when tokens are open too.
  const grants: Grants = {
    list: async (identifier) => (inUse.signed ? tokens.grants.list(identifier) : []),
    end: async (identifier, ref, reason) => (inUse.signed ? tokens.grants.end(identifier, ref, reason) : 0)
  }
  const { recentProofS } = config.session
  const recent = recentProofS === null ? null : { maxAgeS: recentProofS }
  const proof = {
    recent,
    clock,
    scheme: config.jwt.schemes[0] ?? 'Bearer',
    refusalOf: (token: AccessToken) => fastify.firewall.missingFactor(null, token)?.error ?? null,
    mustShow: async (user: LoadedUser) => fastify.firewall.asksFactors && hasFactor(user)
  }
  // A cycle of the hierarchy is told when the application is ready.
  const roles = () => [...new RoleHierarchy(config.roleHierarchy).roles, 'ROLE_USER']
  const guarded = () => fastify.firewall.report()
  const checkRoles = roleCheck({ declared: config.declaredRoles, hierarchy: roles, guarded })
  const { login, host } = openLogin(fastify, {
    ...opened,
    checkRoles,
    throttler,
    sessions,
    csrf,
    grants,
    proof,
    clock,
    timeoutMs: config.authenticatorTimeoutMs,
    journal
  })
  const { roleHierarchy } = config
  const adminRoles = () => rolesGranting('ROLE_SVC_ADMIN', roleHierarchy)
  const rights: RightsPort = {
    // A machine has no person who could confirm anything; it needs the scope svc:admin instead.
    proof: recent === null ? null : { ...recent, machines: true },
    check: (token, given) => {
      checkRoles(given)
      checkGrant(token, given, { roleHierarchy, adminRoles: adminRoles() })
    },
    checkLeaving: (user) => checkLeaving({ accounts: fastify.userAccounts, adminRoles: adminRoles() }, user)
  }
  fastify.decorate('gates', {
    csrf: gate,
    idempotency,
    session: sessionGate(host),
    recentProof: host.proof,
    rights
  })
  const { totp, passkeys, oauth2 } = config
  const challenges = openChallenges(fastify, { config, parts, counter, journal })
  // Factors load on use: their libraries take longer to load than the rest of this package.
  let codes: TotpService | null = null
  let keys: PasskeyService | null = null
  const hasFactor = async (user: LoadedUser): Promise<boolean> => {
    const [enabled, registered] = await Promise.all([codes?.status(user), keys?.list(user)])
    return enabled?.enabled === true || (registered ?? []).length > 0
  }
  if (totp !== undefined) {
    const { openTotp } = await import('../factors/totp/open-totp.ts')
    codes = openTotp(fastify, { config: totp, ready: stores.totp, clock, login, host })
  }
  if (passkeys !== undefined) {
    const { openPasskeys } = await import('../factors/passkeys/open-passkeys.ts')
    keys = openPasskeys(fastify, { config: passkeys, ready: stores.passkeys, challenges, host, users: opened.store })
  }
  if (oauth2 !== undefined) {
    const { openOAuth } = await import('../factors/oauth/open-oauth.ts')
    const hasPasskey = async (id: string) => keys !== null && (await keys.list({ id })).length > 0
    openOAuth(fastify, { config, oauth2, parts, challenges, host, login, sessions, clock, hasPasskey })
  }
  endings.add(async ({ identifier, factors = false }) => {
    const user = factors ? await users.findByIdentifier(identifier) : null
    if (user !== null) await forgetFactors(user, { totp: codes, passkeys: keys, users: opened.store })
  })
  const impersonation = new Impersonation({
    config: config.impersonation,
    roleHierarchy: config.roleHierarchy,
    users,
    sessions,
    journal,
    clock
  })
  const tokens = openTokens(fastify, { ...setting, ...inUse, users, endings, login, proof })
  const adminRoutes = (scope: FastifyInstance): void => {
    sessionsRoutes(scope, { sessions, csrf: gate })
    const { firewall, bootWarnings: lints } = fastify
    const named = new RoleHierarchy(roleHierarchy).roles.concat(config.declaredRoles ?? [])
    const known = (...more: string[]) => knownRoles(firewall.report(), [...named, ...more])
    firewallRoutes(scope, { firewall, roleHierarchy, knownRoles: known })
    const people = {
      ...setting,
      accounts: fastify.userAccounts,
      users,
      sessions,
      csrf: gate,
      proof: rights.proof
    }
    const usersParts = {
      ...people,
      roleHierarchy,
      adminRoles: adminRoles(),
      knownRoles: () => known('ROLE_USER'),
      endGrants: (identifier: string) => grants.end(identifier, null, 'sessions_ended')
    }
    usersRoutes(scope, usersParts)
    userStateRoutes(scope, usersParts)
    userFactorsRoutes(scope, { ...people, totp: codes, passkeys: keys })
    if (config.impersonation !== undefined) {
      impersonationRoutes(scope, { impersonation, role: config.impersonation.role, csrf: gate, proof: recent })
    }
    userAccessRoutes(scope, { ...people, firewall })
    explainRoutes(scope, { firewall, roleHierarchy, lints, csrf: gate })
  }
  // They read the hierarchy; a boot with a cycle in it ends before they are called.
  if (cycleProblem(config) === null) securityApi(fastify, adminRoutes)
  return { users, sessions, login, tokens, csrf, clock, impersonation }
}
