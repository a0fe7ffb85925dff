/** Opens logins at OpenID Connect providers from the options: the providers, the users their accounts are linked to, the routes. */
import type { FastifyInstance } from 'fastify'
import { BootError, type Clock } from 'svc-kernel'
import { SECURITY_API, securityApi } from '../../api/security-api.ts'
import { idempotencyStore } from '../../idempotency/idempotency-store.ts'
import { ReplayGuard } from '../../idempotency/replay-guard.ts'
import type { FactorHost } from '../../login/factor-host.ts'
import type { LoginService } from '../../login/login-service.ts'
import type { OAuth2Config, SecurityConfig } from '../../options.ts'
import type { SvcSecurityParts } from '../../parts.ts'
import type { SessionService } from '../../sessions/session-service.ts'
import { guardedStore } from '../../stores/guarded-store.ts'
import type { UserProvider } from '../../users/user-source.ts'
import { userStore } from '../../users/user-store.ts'
import type { ChallengeStores } from '../challenge-store.ts'
import { linkedAccountRoutes } from './linked-accounts.routes.ts'
import { oauthRoutes } from './oauth.routes.ts'
import { OidcProvider } from './oidc-provider.ts'
import { providerLogoutRoutes } from './provider-logout.routes.ts'
import { ProviderSessions } from './provider-sessions.ts'
import { providerSessionsStore } from './provider-sessions-store.ts'
import { type SocialAccountProvider, SocialAccounts } from './social-accounts.ts'
import { StoredAccounts } from './stored-accounts.ts'

/** How long a person may take at the provider. */
const ATTEMPT_MS = 600_000

export interface OAuthSetting {
  readonly config: SecurityConfig
  readonly oauth2: OAuth2Config
  readonly parts: SvcSecurityParts
  readonly challenges: ChallengeStores
  readonly host: FactorHost
  readonly login: Pick<LoginService, 'whenContinued'>
  readonly sessions: SessionService
  readonly clock: Clock
  /** Whether a user may log in with a passkey. */
  readonly hasPasskey: (id: string) => Promise<boolean>
}

/** @throws BootError (SVC_SEC_OAUTH_USERS) when the application's own users cannot carry linked accounts */
export function openOAuth(fastify: FastifyInstance, setting: OAuthSetting): void {
  const { oauth2, parts, challenges, host, sessions, clock } = setting
  const providers = new Map(
    Object.entries(oauth2.providers).map(([name, setting]) => {
      const redirectUri = new URL(`${SECURITY_API}/oauth2/${name}/callback`, oauth2.publicUrl).href
      return [name, new OidcProvider(name, setting, redirectUri)] as const
    })
  )
  const accounts = accountsOf(fastify, setting)
  const { landingPath } = oauth2
  const attempts = challenges('oauth', ATTEMPT_MS)
  const provided = openProvided(fastify, setting)
  const routes = {
    providers,
    challenges: attempts,
    accounts,
    rule: parts.providerAccounts,
    provided,
    host,
    landingPath
  }
  securityApi(fastify, (scope) => {
    oauthRoutes(scope, routes)
    linkedAccountRoutes(scope, routes)
    const landingUrl = new URL(landingPath, oauth2.publicUrl).href
    const replays = openReplays(fastify, setting)
    providerLogoutRoutes(scope, { providers, provided, replays, host, sessions, clock, landingUrl })
  })
}

/** Where no bound ends a session, it is remembered for a year. */
const LONGEST_S = 31_536_000

function openProvided(fastify: FastifyInstance, setting: OAuthSetting): ProviderSessions {
  const { config, oauth2, parts, sessions, clock, login } = setting
  const { absoluteTimeoutS, purgeIntervalS: everyS } = config.session
  const { store } = fastify.stores.select(providerSessionsStore, oauth2.store, parts.stores?.providerSessions)
  if (store !== null) {
    const { brick } = providerSessionsStore
    fastify.maintenance.declare({ name: 'provider-sessions', store: brick, everyS, clock, work: () => store.purge() })
  }
  const guarded = guardedStore(providerSessionsStore, store)
  const lifeMs = (absoluteTimeoutS || LONGEST_S) * 1000
  const provided = new ProviderSessions({ store: guarded, sessions, clock, lifeMs })
  login.whenContinued((from, to) => provided.move(from, to))
  return provided
}

function openReplays(fastify: FastifyInstance, { config, parts }: OAuthSetting): ReplayGuard {
  const { store } = fastify.stores.select(idempotencyStore, config.idempotency.store, parts.stores?.idempotency)
  return new ReplayGuard(guardedStore(idempotencyStore, store), 'logout')
}

function accountsOf(fastify: FastifyInstance, { config, oauth2, parts, hasPasskey }: OAuthSetting): SocialAccounts {
  const { users, stores } = parts
  const { entity, store } = config.users
  if (users === undefined && entity === undefined) {
    const selected = fastify.stores.select(userStore, store, stores?.user).store
    return new SocialAccounts(selected === null ? null : new StoredAccounts(selected, hasPasskey), fastify)
  }
  const creating = Object.values(oauth2.providers).some(({ accounts }) => accounts?.create === true)
  if (users !== undefined && carriesAccounts(users, creating)) return new SocialAccounts(users, fastify)
  throw new BootError([
    {
      code: 'SVC_SEC_OAUTH_USERS',
      message: 'parts.users cannot find users by their provider account',
      at: users === undefined ? 'svc-security.users.entity' : 'svc-security.parts.users',
      expected: `findBySocialAccount() and linkSocialAccount()${creating ? ', and createWithSocialAccount() for accounts.create' : ''}`,
      fix: 'add them to parts.users, or keep users in the user store',
      more: 'npx svc docs second-factors'
    }
  ])
}

function carriesAccounts(users: UserProvider, creating: boolean): users is UserProvider & SocialAccountProvider {
  const { findBySocialAccount, linkSocialAccount, createWithSocialAccount } = users as Partial<SocialAccountProvider>
  const needed = [findBySocialAccount, linkSocialAccount, ...(creating ? [createWithSocialAccount] : [])]
  return needed.every((method) => typeof method === 'function')
}
