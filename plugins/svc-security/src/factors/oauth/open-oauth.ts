/** Logins at providers from the options, and the users whom their accounts are linked to. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import { SECURITY_API } from '../../api/public-route.ts'
import type { FactorHost } from '../../login/factor-host.ts'
import type { OAuth2Config, SecurityConfig } from '../../options.ts'
import type { SvcSecurityParts } from '../../parts.ts'
import type { GivenUsers } from '../../users/part-user-source.ts'
import type { AttemptBook } from '../challenge-store.ts'
import type { OAuthParts } from './oauth.routes.ts'
import { OidcProvider } from './oidc-provider.ts'
import { type GivenSocialAccounts, SocialAccounts } from './social-accounts.ts'

/** How long a person may take at the provider. */
export const ATTEMPT_MS = 600_000

export interface OAuthSetting {
  readonly config: SecurityConfig
  readonly oauth2: OAuth2Config
  readonly parts: SvcSecurityParts
  readonly attempts: AttemptBook
  readonly host: FactorHost
}

/** @throws BootError (SVC_SEC_OAUTH_USERS) when the application's own users cannot carry linked accounts */
export function openOAuth(
  fastify: FastifyInstance,
  { config, oauth2, parts, attempts, host }: OAuthSetting
): OAuthParts {
  const providers = new Map(
    Object.entries(oauth2.providers).map(([name, setting]) => {
      const redirectUri = new URL(`${SECURITY_API}/oauth2/${name}/callback`, oauth2.publicUrl).href
      return [name, new OidcProvider(name, setting, redirectUri)] as const
    })
  )
  return { providers, attempts, accounts: accountsOf(fastify, config, parts), host, landingPath: oauth2.landingPath }
}

function accountsOf(fastify: FastifyInstance, config: SecurityConfig, parts: SvcSecurityParts): SocialAccounts {
  const { users, stores } = parts
  if (users === undefined) {
    return new SocialAccounts(fastify.stores.select('user', config.users.store, stores?.user).store)
  }
  if (carriesAccounts(users)) return new SocialAccounts(users)
  throw new BootError([
    {
      code: 'SVC_SEC_OAUTH_USERS',
      message: 'parts.users cannot say whom an account of a provider belongs to',
      at: 'svc-security.parts.users',
      expected: 'findBySocialAccount() and linkSocialAccount()',
      fix: 'add both to parts.users, or keep users in the user store',
      more: 'docs/guides/second-factors.md'
    }
  ])
}

function carriesAccounts(users: GivenUsers): users is GivenUsers & GivenSocialAccounts {
  const { findBySocialAccount, linkSocialAccount } = users as Partial<GivenSocialAccounts>
  return typeof findBySocialAccount === 'function' && typeof linkSocialAccount === 'function'
}
