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
import { rolesGranting } from '../authorization/role-hierarchy.ts'
import { cycleProblem } from '../authorization/voters.ts'
import { CsrfGuard, csrfGate } from '../cross-origin/csrf-guard.ts'
import { explainRoutes } from '../explain/explain.routes.ts'
import { openChallenges } from '../factors/challenge-store.ts'
import type { PasskeyService } from '../factors/passkeys/passkey-service.ts'
import type { TotpService } from '../factors/totp/totp-service.ts'
import { openIdempotency } from '../idempotency/open-idempotency.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { openLogin } from '../login/open-login.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { openSessions } from '../sessions/open-sessions.ts'
import { openThrottling } from '../throttling/open-throttling.ts'
import { openTokens } from '../tokens/open-tokens.ts'
import { openUsers } from '../users/open-users.ts'
import type { TokensInUse } from './features-in-use.ts'
import { csrfLints } from './lints.ts'

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
  const { users } = opened
  const { counter, throttler } = openThrottling(fastify, setting)
  const sessions = await openSessions(fastify, { ...setting, users })
  const csrf = new CsrfGuard({ setting: config.csrf, sessions, journal })
  const gate = csrfGate(csrf)
  const idempotency = openIdempotency(fastify, { setting: config.idempotency, ready: stores.idempotency, clock })
  fastify.decorate('gates', { csrf: gate, idempotency })
  if (inProduction(fastify)) for (const problem of csrfLints(config.csrf)) warnAtBoot(fastify, problem)

  const { login, host } = openLogin(fastify, { ...opened, throttler, sessions, csrf, clock, journal })
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
  const adminRoutes = (scope: FastifyInstance): void => {
    firewallRoutes(scope, { firewall: fastify.firewall, roleHierarchy: config.roleHierarchy })
    sessionsRoutes(scope, { sessions, csrf: gate })
    const { firewall, bootWarnings: lints } = fastify
    const people = { ...setting, accounts: fastify.userAccounts, users, sessions, csrf: gate }
    usersRoutes(scope, { ...people, adminRoles: rolesGranting('ROLE_SVC_ADMIN', config.roleHierarchy) })
    userFactorsRoutes(scope, { ...people, totp: codes, passkeys: keys })
    explainRoutes(scope, { firewall, roleHierarchy: config.roleHierarchy, lints, csrf: gate })
  }
  // They read the hierarchy; a boot with a cycle in it ends before they are called.
  if (cycleProblem(config) === null) securityApi(fastify, adminRoutes)
  const tokens = openTokens(fastify, { ...setting, ...inUse, users, login })
  return { users, sessions, login, tokens, csrf, clock }
}
