/** Who asks, in `svc explain`: a user of the application's store, or one that the command line describes. */
import { type AccountsView, accountsOf } from '../application/accounts-view.ts'

export interface Caller {
  readonly identifier: string
  readonly roles: readonly string[]
  /** Of an API key or an access token. */
  readonly scopes: readonly string[]
  readonly anonymous: boolean
  /** Why no proof of theirs holds: `user_disabled` or `user_locked`; else `null`. */
  readonly barred: string | null
  /** What a reader should know of where the roles come from. */
  readonly note: string | null
}

export interface CallerOptions {
  /** Identifier. */
  as: string
  /** Separated by commas; they take the place of the user's own. */
  roles?: string
  /** Separated by commas. */
  scopes?: string
}

export async function callerOf(
  fastify: Parameters<typeof accountsOf>[0],
  anonymousName: string,
  { as: identifier, roles, scopes }: CallerOptions
): Promise<Caller> {
  const given = { identifier, scopes: list(scopes), barred: null, anonymous: false }
  if (identifier === anonymousName && roles === undefined && scopes === undefined) {
    return { ...given, roles: [], anonymous: true, note: null }
  }
  const accounts = accountsOf(fastify)
  if (accounts === null) return { ...given, roles: list(roles), note: `assumed: ${identifier} has exactly these roles` }
  const user = await findUser(accounts, identifier)
  if (user === null) {
    const note = `there is no user ${identifier} (store: ${accounts.driver ?? 'none'}); assumed: one with exactly these roles`
    return { ...given, roles: list(roles), note }
  }
  const barred = user.enabled ? (user.locked ? 'user_locked' : null) : 'user_disabled'
  if (roles === undefined) return { ...given, roles: user.roles, barred, note: null }
  const own = user.roles.join(', ') || 'none'
  return { ...given, roles: list(roles), barred, note: `assumed: ${identifier} has these roles; in the store: ${own}` }
}

/** A store that is switched off has no users. */
async function findUser(accounts: AccountsView, identifier: string): ReturnType<AccountsView['find']> {
  return accounts.driver === null ? null : accounts.find(identifier)
}

function list(names: string | undefined): string[] {
  return (names ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}
