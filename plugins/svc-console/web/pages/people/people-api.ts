/** Users, their sessions, factors and keys, as administrators see them. */
import { call, SECURITY_API, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'
import type { Session } from '../../parts/session-list.tsx'

export interface User {
  readonly id: string
  readonly identifier: string
  readonly roles: readonly string[]
  readonly enabled: boolean
  readonly locked: boolean
  readonly socialAccounts: readonly { readonly provider: string; readonly linkedAt: number }[]
  /** Epoch ms; `null` where the application keeps its users itself. */
  readonly createdAt: number | null
  readonly updatedAt: number | null
}

export interface ChangedUser extends User {
  /** Sentences about what may be a mistake. */
  readonly warnings: readonly string[]
}

export interface NewUser {
  readonly identifier: string
  readonly password: string
  readonly roles: readonly string[]
}

export interface Factors {
  /** Both `null` where the application has none of the kind. */
  readonly totp: { readonly enabled: boolean; readonly recoveryCodesLeft: number } | null
  readonly passkeys:
    | readonly {
        readonly id: string
        readonly nickname: string | null
        readonly createdAt: number
        readonly lastUsedAt: number | null
      }[]
    | null
}

export interface UserKey {
  readonly id: string
  readonly name: string | null
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}

type Filter = Readonly<Record<string, string>>

const USERS = `${SECURITY_API}/users`
const PAGE = 200

const at = (id: string, ...rest: readonly string[]) => [USERS, ...[id, ...rest].map(encodeURIComponent)].join('/')

export async function readUsers(filter: Filter, cursor: string | null): Promise<ListPage<User>> {
  const { items, hasNext, offset, total } = await call<{
    items: User[]
    hasNext: boolean
    offset: number
    total: number
  }>('GET', withQuery(USERS, { ...filter, limit: PAGE, offset: cursor }))
  return { rows: items, next: hasNext ? String(offset + PAGE) : null, total }
}

export const readUser = (id: string) => call<User>('GET', at(id))
export const createUser = (user: NewUser) => call<ChangedUser>('POST', USERS, user)
/** @param seen version of the user that the change was made from */
export const setRoles = (id: string, roles: readonly string[], seen: number | null) =>
  call<ChangedUser>('PUT', at(id, 'roles'), { roles }, seen)
/** Roles that a guard or the hierarchy names. */
export const readKnownRoles = async () => (await call<{ known: string[] }>('GET', `${SECURITY_API}/roles`)).known
export const setLocked = (id: string, locked: boolean) => call<User>('POST', at(id, locked ? 'lock' : 'unlock'))
export const endAllSessions = async (id: string) =>
  (await call<{ revoked: number }>('POST', at(id, 'sessions', 'revoke'))).revoked

export const readSessions = async (user: string) =>
  (await call<{ items: Session[] }>('GET', withQuery(`${SECURITY_API}/sessions`, { user, limit: PAGE }))).items
export const endSession = (ref: string) => call('POST', `${SECURITY_API}/sessions/${encodeURIComponent(ref)}/revoke`)

export const readFactors = (id: string) => call<Factors>('GET', at(id, 'factors'))
export const removeCodes = (id: string) => call('DELETE', at(id, 'factors', 'totp'))
export const removePasskey = (id: string, credential: string) =>
  call('DELETE', at(id, 'factors', 'passkeys', credential))

export const readKeys = async (subject: string) => {
  const query = { subject, active: 'true', limit: PAGE }
  return (await call<{ keys: UserKey[] }>('GET', withQuery(`${SECURITY_API}/keys/all`, query))).keys
}
export const revokeKey = (id: string) => call('POST', `${SECURITY_API}/keys/${encodeURIComponent(id)}/revoke`)
