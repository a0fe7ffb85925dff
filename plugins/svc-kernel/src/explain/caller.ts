/** Who asks, in an explanation: a user of the application, or one that is described; roles that are given take the place of the user's own. */
import type { FastifyInstance } from 'fastify'
import { ANONYMOUS } from '../identity/identity.ts'
import { decoratorOf } from '../plugin/optional-decorators.ts'

export interface Caller {
  readonly identifier: string
  readonly roles: readonly string[]
  /** Of an API key or an access token. */
  readonly scopes: readonly string[]
  readonly anonymous: boolean
  /** How long ago the caller was proven, and by what. Of a machine, neither. */
  readonly login: { readonly ageS: number; readonly factors: readonly string[] }
  /** Why no proof of theirs holds: `user_disabled` or `user_locked`; else `null`. */
  readonly barred: string | null
  /** What a reader should know of where the roles come from. */
  readonly note: string | null
}

export interface DescribedCaller {
  /** Identifier. */
  readonly user: string
  readonly roles?: readonly string[] | undefined
  readonly scopes?: readonly string[] | undefined
  /** Seconds since the last login or confirmation. Default: 0. */
  readonly provenS?: number | undefined
  /** As `token.factors` names them. Default: `pwd`. */
  readonly factors?: readonly string[] | undefined
}

/** What an explanation reads of `fastify.userAccounts`, where the application keeps accounts. */
interface AccountsView {
  /** `null` where no store keeps users. */
  readonly driver: string | null
  find(identifier: string): Promise<FoundUser | null>
}

interface FoundUser {
  readonly roles: readonly string[]
  readonly enabled: boolean
  readonly locked: boolean
}

const PASSWORD: readonly string[] = Object.freeze(['pwd'])

/** Rejects as the store of users does. */
export async function callerOf(fastify: FastifyInstance, described: DescribedCaller): Promise<Caller> {
  const { user: identifier, roles, scopes } = described
  const login = { ageS: described.provenS ?? 0, factors: described.factors ?? PASSWORD }
  const given = { identifier, scopes: scopes ?? [], barred: null, anonymous: false, login }
  if (identifier === ANONYMOUS.identifier && roles === undefined && scopes === undefined) {
    return { ...given, roles: [], anonymous: true, note: null }
  }
  const assumed = roles ?? []
  const accounts = decoratorOf(fastify as unknown as { userAccounts: AccountsView }, 'userAccounts')
  if (accounts === null) return { ...given, roles: assumed, note: `assumed: ${identifier} has exactly these roles` }
  // A store that is switched off has no users.
  const user = accounts.driver === null ? null : await accounts.find(identifier)
  if (user === null) {
    const note = `there is no user ${identifier} (store: ${accounts.driver ?? 'none'}); assumed: a user with exactly these roles`
    return { ...given, roles: assumed, note }
  }
  const barred = user.enabled ? (user.locked ? 'user_locked' : null) : 'user_disabled'
  if (roles === undefined) return { ...given, roles: user.roles, barred, note: null }
  const own = user.roles.join(', ') || 'none'
  return { ...given, roles: assumed, barred, note: `assumed: ${identifier} has these roles; in the store: ${own}` }
}
