/** Opens logins at OpenID Connect providers from the options: the providers, the users their accounts are linked to, the routes. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import { SECURITY_API, securityApi } from '../../api/security-api.ts'
import type { FactorHost } from '../../login/factor-host.ts'
import type { OAuth2Config, SecurityConfig } from '../../options.ts'
import type { SvcSecurityParts } from '../../parts.ts'
import type { UserProvider } from '../../users/user-source.ts'
import { userStore } from '../../users/user-store.ts'
import type { ChallengeStores } from '../challenge-store.ts'
import { oauthRoutes } from './oauth.routes.ts'
import { OidcProvider } from './oidc-provider.ts'
import { type SocialAccountProvider, SocialAccounts } from './social-accounts.ts'

/** How long a person may take at the provider. */
const ATTEMPT_MS = 600_000

export interface OAuthSetting {
  readonly config: SecurityConfig
  readonly oauth2: OAuth2Config
  readonly parts: SvcSecurityParts
  readonly challenges: ChallengeStores
  readonly host: FactorHost
}

/** @throws BootError (SVC_SEC_OAUTH_USERS) when the application's own users cannot carry linked accounts */
export function openOAuth(fastify: FastifyInstance, { config, oauth2, parts, challenges, host }: OAuthSetting): void {
  const providers = new Map(
    Object.entries(oauth2.providers).map(([name, setting]) => {
      const redirectUri = new URL(`${SECURITY_API}/oauth2/${name}/callback`, oauth2.publicUrl).href
      return [name, new OidcProvider(name, setting, redirectUri)] as const
    })
  )
  const accounts = accountsOf(fastify, config, parts)
  const { landingPath } = oauth2
  const routes = { providers, challenges: challenges('oauth', ATTEMPT_MS), accounts, host, landingPath }
  securityApi(fastify, (scope) => oauthRoutes(scope, routes))
}

function accountsOf(fastify: FastifyInstance, config: SecurityConfig, parts: SvcSecurityParts): SocialAccounts {
  const { users, stores } = parts
  const { entity, store } = config.users
  if (users === undefined && entity === undefined) {
    return new SocialAccounts(fastify.stores.select(userStore, store, stores?.user).store, fastify)
  }
  if (users !== undefined && carriesAccounts(users)) return new SocialAccounts(users, fastify)
  throw new BootError([
    {
      code: 'SVC_SEC_OAUTH_USERS',
      message: 'parts.users cannot find users by their provider account',
      at: users === undefined ? 'svc-security.users.entity' : 'svc-security.parts.users',
      expected: 'findBySocialAccount() and linkSocialAccount()',
      fix: 'add both to parts.users, or keep users in the user store',
      more: 'npx svc docs second-factors'
    }
  ])
}

function carriesAccounts(users: UserProvider): users is UserProvider & SocialAccountProvider {
  const { findBySocialAccount, linkSocialAccount } = users as Partial<SocialAccountProvider>
  return typeof findBySocialAccount === 'function' && typeof linkSocialAccount === 'function'
}
