/**
 * Which people of a provider get an account at their first login, and by what name. A name is a proposal: where an
 * account has it already, nothing is linked, as whoever made that account need not be who comes now. Pure.
 */
import type { OAuth2Config } from '../../options.ts'

/** Who a provider says that has logged in there. */
export interface ProviderIdentity {
  /** Name of the provider in `oauth2.providers`. */
  readonly provider: string
  /** `sub`: who it is, for as long as the account exists. */
  readonly subject: string
  /** Claims of the ID token, as they came. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** An account that a first login creates. */
export interface ProviderAccount {
  readonly identifier: string
  readonly roles: readonly string[]
}

/**
 * Decides for the application, in place of `accounts.identifier` and `accounts.roles`; `null` refuses. Asked when the other
 * rules of the section hold.
 */
export type ProviderAccountRule = (
  identity: ProviderIdentity
) => ProviderAccount | null | Promise<ProviderAccount | null>

export type AccountsConfig = NonNullable<OAuth2Config['providers'][string]['accounts']>

/** An address as providers give it: nothing that looks like another when it is shown. */
const ADDRESS = /^[\x21-\x3f\x41-\x7e]{1,64}@([a-z0-9.-]{1,190})$/

/** @returns the account, or why there is none, in a few words for the audit */
export function accountOf(
  { provider, subject, claims }: ProviderIdentity,
  rule: AccountsConfig
): ProviderAccount | string {
  const { create, roles, identifier } = rule
  if (!create) return 'not_linked'
  const fault = addressFault(claims, rule)
  if (fault !== null) return fault
  if (identifier === 'sub') return { identifier: `${provider}:${subject}`, roles }
  const name = identifier === 'email' ? addressOf(claims)?.text : claims[identifier]
  return typeof name === 'string' && name !== '' ? { identifier: name, roles } : `no_claim ${identifier}`
}

/** An address counts where it names the account or decides whether there is one. */
function addressFault(
  claims: ProviderIdentity['claims'],
  { domains, identifier, requireVerifiedEmail }: AccountsConfig
) {
  if (domains.length === 0 && identifier !== 'email') return null
  const address = addressOf(claims)
  if (address === null) return 'no_email'
  // Some providers write it as a text.
  const isVerified = claims.email_verified === true || claims.email_verified === 'true'
  if (requireVerifiedEmail && !isVerified) return 'email_unverified'
  return domains.length === 0 || domains.includes(address.domain) ? null : 'domain'
}

function addressOf({ email }: ProviderIdentity['claims']): { text: string; domain: string } | null {
  const text = typeof email === 'string' ? email.toLowerCase() : ''
  const domain = ADDRESS.exec(text)?.[1]
  return domain === undefined ? null : { text, domain }
}

/** Claims that must have one of some values, such as `hd` or `tid`. @returns the claim that has none of them */
export function claimFault(
  claims: ProviderIdentity['claims'],
  required: OAuth2Config['providers'][string]['requireClaims']
): string | null {
  const lacking = Object.entries(required).find(([name, values]) => {
    const given = Object.hasOwn(claims, name) ? [claims[name]].flat() : []
    return !given.some((value) => typeof value === 'string' && values.includes(value))
  })
  return lacking?.[0] ?? null
}
