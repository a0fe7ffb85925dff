/** Opens the features of accounts: users, logins, sessions, tokens, factors. Each builds on those before it. */
import type { FastifyInstance } from 'fastify'
import { type Clock, inProduction, warnAtBoot } from 'svc-kernel'
import { ensureStores } from 'svc-stores'
import { firewallRoutes } from '../admin/firewall.routes.ts'
import { sessionsRoutes } from '../admin/sessions.routes.ts'
import { userFactorsRoutes } from '../admin/user-factors.routes.ts'
import { usersRoutes } from '../admin/users.routes.ts'
import { securityApi } from '../api/security-api.ts'
import type { AccountServices } from '../authentication/build-authenticators.ts'
import { knownRoles } from '../authorization/known-roles.ts'
import { RoleHierarchy, rolesGranting } from '../authorization/role-hierarchy.ts'
import { cycleProblem } from '../authorization/voters.ts'
import { CsrfGuard, csrfGate } from '../cross-origin/csrf-guard.ts'
import { explainRoutes } from '../explain/explain.routes.ts'
import { openChallenges } from '../factors/challenge-store.ts'
import type { PasskeyService } from '../factors/passkeys/passkey-service.ts'
import type { TotpService } from '../factors/totp/totp-service.ts'
import { openIdempotency } from '../idempotency/open-idempotency.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { openLogin } from '../login/open-login.ts'
import type { Grants } from '../login/own-account.routes.ts'
import { personProofGate } from '../login/recent-proof.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { openSessions } from '../sessions/open-sessions.ts'
import { openThrottling } from '../throttling/open-throttling.ts'
import { openTokens } from '../tokens/open-tokens.ts'
import { openUsers } from '../users/open-users.ts'
import { csrfLints } from './configuration-warnings.ts'
import type { TokensInUse } from './features-in-use.ts'

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
  const opened = openUsers(fastify, setting)
  const { users, endings } = opened
  const { counter, throttler } = openThrottling(fastify, setting)
  const sessions = await openSessions(fastify, { ...setting, users })
  endings.add(({ identifier, keepSession }) => sessions.revokeUser(identifier, keepSession))
  const csrf = new CsrfGuard({ setting: config.csrf, sessions, journal })
  const gate = csrfGate(csrf)
  const idempotency = openIdempotency(fastify, { setting: config.idempotency, ready: stores.idempotency, clock })
  fastify.decorate('gates', { csrf: gate, idempotency })
  if (inProduction(fastify)) for (const problem of csrfLints(config.csrf)) warnAtBoot(fastify, problem)

  // Asked by requests alone, when tokens are open too.
  const grants: Grants = {
    list: async (identifier) => (inUse.signed ? tokens.grants.list(identifier) : []),
    end: async (identifier, ref, reason) => (inUse.signed ? tokens.grants.end(identifier, ref, reason) : 0)
  }
  const { recentProofS } = config.session
  const proof = { recentMs: recentProofS === null ? null : recentProofS * 1000, clock }
  const { login, host } = openLogin(fastify, {
    ...opened,
    throttler,
    sessions,
    csrf,
    grants,
    proof,
    clock,
    timeoutMs: config.authenticatorTimeoutMs,
    journal
  })
  const { totp, passkeys, oauth2 } = config
  const challenges = openChallenges(fastify, { config, parts, counter, journal })
  // Factors load on use: their libraries take longer to load than the rest of this package.
  let codes: TotpService | null = null
  let keys: PasskeyService | null = null
  if (totp !== undefined) {
    const { openTotp } = await import('../factors/totp/open-totp.ts')
    codes = openTotp(fastify, { config: totp, ready: stores.totp, clock, login, host })
  }
  if (passkeys !== undefined) {
    const { openPasskeys } = await import('../factors/passkeys/open-passkeys.ts')
    keys = openPasskeys(fastify, { config: passkeys, ready: stores.passkeys, challenges, host })
  }
  if (oauth2 !== undefined) {
    const { openOAuth } = await import('../factors/oauth/open-oauth.ts')
    openOAuth(fastify, { config, oauth2, parts, challenges, host })
  }
  const tokens = openTokens(fastify, { ...setting, ...inUse, users, endings, login, proof })
  const { roleHierarchy } = config
  const adminRoutes = (scope: FastifyInstance): void => {
    const roles = [...new RoleHierarchy(roleHierarchy).roles, 'ROLE_USER']
    firewallRoutes(scope, { firewall: fastify.firewall, roleHierarchy })
    sessionsRoutes(scope, { sessions, csrf: gate })
    const { firewall, bootWarnings: lints } = fastify
    const people = {
      ...setting,
      accounts: fastify.userAccounts,
      users,
      sessions,
      csrf: gate,
      proof: personProofGate(proof)
    }
    usersRoutes(scope, {
      ...people,
      roleHierarchy,
      adminRoles: rolesGranting('ROLE_SVC_ADMIN', roleHierarchy),
      knownRoles: () => knownRoles(firewall.report(), roles),
      endGrants: (identifier) => grants.end(identifier, null, 'sessions_ended')
    })
    userFactorsRoutes(scope, { ...people, totp: codes, passkeys: keys })
    explainRoutes(scope, { firewall, roleHierarchy, lints, csrf: gate })
  }
  // They read the hierarchy; a boot with a cycle in it ends before they are called.
  if (cycleProblem(config) === null) securityApi(fastify, adminRoutes)
  return { users, sessions, login, tokens, csrf, clock }
}
