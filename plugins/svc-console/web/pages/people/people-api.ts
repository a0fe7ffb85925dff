/** Users, their sessions, factors and keys, as administrators see them. */
import type {
  ApiKeys,
  ChangedUser,
  EndedOfUser,
  Factors,
  Roles,
  Sessions,
  User,
  UserAccess,
  Users
} from 'svc-security/wire'
import { call, SECURITY_API, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export type { Factors, User }
export type UserKey = ApiKeys['keys'][number]

export interface NewUser {
  readonly identifier: string
  readonly password: string
  readonly roles: readonly string[]
}

type Filter = Readonly<Record<string, string>>

const USERS = `${SECURITY_API}/users`
const PAGE = 200

const at = (id: string, ...rest: readonly string[]) => [USERS, ...[id, ...rest].map(encodeURIComponent)].join('/')

export async function readUsers(filter: Filter, cursor: string | null): Promise<ListPage<User>> {
  const { items, hasNext, offset, total } = await call<Users>(
    'GET',
    withQuery(USERS, { ...filter, limit: PAGE, offset: cursor })
  )
  return { rows: items, next: hasNext ? String(offset + PAGE) : null, total }
}

export const readUser = (id: string) => call<User>('GET', at(id))
export const createUser = (user: NewUser) => call<ChangedUser>('POST', USERS, user)
/** @param seen version of the user that the change was made from */
export const setRoles = (id: string, roles: readonly string[], seen: number | null) =>
  call<ChangedUser>('PUT', at(id, 'roles'), { roles }, seen)
/** Roles that a guard or the hierarchy names. */
export const readKnownRoles = async () => (await call<Roles>('GET', `${SECURITY_API}/roles`)).known
export const setLocked = (id: string, locked: boolean) => call<User>('POST', at(id, locked ? 'lock' : 'unlock'))
export const setEnabled = (id: string, enabled: boolean) => call<User>('POST', at(id, enabled ? 'enable' : 'disable'))
/** @param seen as for `setRoles` */
export const renameUser = (id: string, identifier: string, seen: number | null) =>
  call<User>('PUT', at(id, 'identifier'), { identifier }, seen)
export const deleteUser = (id: string, seen: number | null) => call('DELETE', at(id), undefined, seen)
export const endAllSessions = async (id: string) =>
  (await call<EndedOfUser>('POST', at(id, 'sessions', 'revoke'))).revoked

export const readSessions = async (user: string) =>
  (await call<Sessions>('GET', withQuery(`${SECURITY_API}/sessions`, { user, limit: PAGE }))).items
export const endSession = (ref: string) => call('POST', `${SECURITY_API}/sessions/${encodeURIComponent(ref)}/revoke`)

export type AccessRow = UserAccess['items'][number]

const ROUTES = 50

export async function readAccess(id: string, path: string, cursor: string | null): Promise<ListPage<AccessRow>> {
  const answer = await call<UserAccess>('GET', withQuery(at(id, 'access'), { path, limit: ROUTES, offset: cursor }))
  return { rows: answer.items, next: answer.hasNext ? String(answer.offset + ROUTES) : null }
}

export const readFactors = (id: string) => call<Factors>('GET', at(id, 'factors'))
export const removeCodes = (id: string) => call('DELETE', at(id, 'factors', 'totp'))
export const removePasskey = (id: string, credential: string) =>
  call('DELETE', at(id, 'factors', 'passkeys', credential))

export const readKeys = async (subject: string) => {
  const query = { subject, active: 'true', limit: PAGE }
  return (await call<ApiKeys>('GET', withQuery(`${SECURITY_API}/keys/all`, query))).keys
}
export const revokeKey = (id: string) => call('POST', `${SECURITY_API}/keys/${encodeURIComponent(id)}/revoke`)
