/**
 * Users for administrators: who there is, what they may, and a way to lock them out. Passwords and metadata are never
 * shown. Where the application keeps its users itself, listing and changing them is refused with its own code; one
 * of them can still be looked at.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { ChangedMeanwhile, type RequiredProof } from 'svc-kernel'
import { adminChange, adminRoute, ifMatch, strictQuery, tagVersion } from 'svc-kernel/plugin'
import { closed, flag, object, textUpTo } from 'svc-kernel/schemas'
import { DuplicateRecord, InvalidRecord } from 'svc-stores'
import * as answers from '../api/answers.ts'
import { noStore, proven, SECURITY_API } from '../api/security-api.ts'
import {
  BeyondOwnRights,
  InvalidPassword,
  LastAdministrator,
  PasswordsBusy,
  UnknownRole,
  UserNotFound,
  UsersElsewhere
} from '../errors.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import { type NewAccount, shown } from '../users/account.ts'
import type { UserAccounts } from '../users/user-accounts.ts'
import type { UserSource } from '../users/user-source.ts'
import { checkGrant, keepingAdministrator, type Rights, type RightsParts, roleWarnings } from './user-rights.ts'

export const USERS = `${SECURITY_API}/users`

const MAX_LIMIT = 200

const roles = {
  type: 'array',
  maxItems: 100,
  uniqueItems: true,
  items: { type: 'string', maxLength: 200, pattern: '^ROLE_[A-Z0-9_]+$' }
} as const

export const params = object({ id: textUpTo(1024) })

/** Of a change of the rights of a user. */
export const RIGHTS = [UsersElsewhere, UserNotFound, BeyondOwnRights, LastAdministrator, ChangedMeanwhile]

const listQuery = closed(
  {},
  {
    q: textUpTo(200),
    role: textUpTo(200),
    enabled: flag,
    locked: flag,
    limit: { type: 'integer', default: 50 },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }
  }
)

interface ListQuery {
  readonly q?: string
  readonly role?: string
  readonly enabled?: boolean
  readonly locked?: boolean
  readonly limit: number
  readonly offset: number
}

export interface ById {
  readonly Params: { readonly id: string }
}

export interface UsersParts extends RightsParts {
  readonly accounts: UserAccounts
  readonly users: UserSource
  readonly sessions: Pick<SessionService, 'resumed' | 'revokeUser'>
  /** Ends the logins of a user by tokens. @returns how many */
  readonly endGrants: (identifier: string) => Promise<number>
  /** Roles that a guard or the hierarchy names; asked for once every route is declared. */
  readonly knownRoles: () => readonly string[]
  /** Route option `preParsing` of changes made with a session. */
  readonly csrf: preParsingHookHandler
  /** What changes of rights ask of the proof; `null` for nothing. */
  readonly proof: RequiredProof | null
}

export function usersRoutes(fastify: FastifyInstance, parts: UsersParts): void {
  readingRoutes(fastify, parts)
  changingRoutes(fastify, parts)
}

function readingRoutes(fastify: FastifyInstance, { accounts, users }: UsersParts): void {
  fastify.get<{ Querystring: ListQuery }>(
    USERS,
    {
      ...adminRoute('svc.users'),
      preValidation: strictQuery(Object.keys(listQuery.properties)),
      schema: { querystring: listQuery, response: { 200: answers.users }, errors: [UsersElsewhere] }
    },
    async ({ query }, reply) => {
      const { limit, offset, ...filter } = query
      const page = { limit: Math.min(Math.max(limit, 1), MAX_LIMIT), offset }
      const kept = keptHere(accounts)
      const [found, total] = await Promise.all([kept.list(filter, page), kept.count(filter)])
      return noStore(reply, { items: found.items.map(shown), total, ...page, hasNext: found.hasNext })
    }
  )

  fastify.get<ById>(
    `${USERS}/:id`,
    { ...adminRoute('svc.user'), schema: { params, response: { 200: answers.user }, errors: [UserNotFound] } },
    async (request, reply) => answered(reply, await userOf(request.params.id, accounts, users))
  )
}

function changingRoutes(fastify: FastifyInstance, parts: UsersParts): void {
  const { accounts, users, sessions, csrf, proof, knownRoles } = parts
  const withWarnings = async (reply: FastifyReply, id: string, given: readonly string[]) => ({
    ...answered(reply, await userOf(id, accounts, users)),
    warnings: roleWarnings(given, knownRoles())
  })

  fastify.post<{ Body: NewAccount }>(
    USERS,
    {
      ...proven(adminChange('svc.users.create', csrf), proof),
      schema: {
        body: {
          ...closed(
            { identifier: textUpTo(1024) },
            { password: textUpTo(1024), passwordHash: textUpTo(1024), roles: { ...roles, default: [] } }
          ),
          oneOf: [{ required: ['password'] }, { required: ['passwordHash'] }]
        },
        response: { 201: answers.changedUser },
        errors: [
          UsersElsewhere,
          BeyondOwnRights,
          UnknownRole,
          InvalidPassword,
          InvalidRecord,
          DuplicateRecord,
          PasswordsBusy
        ]
      },
      bodyLimit: 32_768
    },
    async (request, reply) => {
      const { body, token } = request
      checkGrant(token, body.roles, parts)
      const id = await keptHere(accounts).create(body)
      return withWarnings(reply.code(201), id, body.roles)
    }
  )

  fastify.put<ById & { Body: { roles: readonly string[] } }>(
    `${USERS}/:id/roles`,
    {
      ...proven(adminChange('svc.users.roles', csrf), proof),
      schema: {
        params,
        body: closed({ roles }),
        response: { 200: answers.changedUser },
        errors: [...RIGHTS, UnknownRole]
      },
      bodyLimit: 32_768
    },
    async (request, reply) => {
      const { body, token } = request
      const seen = ifMatch(request)
      const user = await userOf(request.params.id, keptHere(accounts), users)
      const gained = body.roles.filter((role) => !user.roles.includes(role))
      checkGrant(token, gained, parts)
      const after = { ...user, roles: body.roles }
      const change = (rights: Rights) =>
        accounts.setRoles(user.identifier, rights.roles, rights === after ? seen : undefined)
      await keepingAdministrator(parts, user, after, change)
      return withWarnings(reply, user.id, gained)
    }
  )

  fastify.post<ById>(
    `${USERS}/:id/sessions/revoke`,
    {
      ...adminChange('svc.users.sessions.revoke', csrf),
      schema: { params, response: { 200: answers.endedOfUser }, errors: [UserNotFound] }
    },
    async (request, reply) => {
      const { identifier } = await userOf(request.params.id, accounts, users)
      const own = ownSession(request, identifier, sessions)
      const grants = await parts.endGrants(identifier)
      return noStore(reply, { revoked: await sessions.revokeUser(identifier, own, request), grants })
    }
  )
}

/** With its version, for `If-Match`. */
export function answered(reply: FastifyReply, user: ShownUser): ShownUser {
  tagVersion(reply, user.updatedAt)
  return noStore(reply, user)
}

type ShownUser = Omit<ReturnType<typeof shown>, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: number | null
  readonly updatedAt: number | null
}

/** @throws UserNotFound (404), AuthenticationUnavailable (503) */
export async function userOf(id: string, accounts: UserAccounts, users: UserSource): Promise<ShownUser> {
  if (accounts.driver !== 'application') {
    const kept = await accounts.get(id)
    if (kept === null) throw new UserNotFound()
    return shown(kept)
  }
  const user = await orUnavailable(() => users.findById(id))
  if (user === null) throw new UserNotFound()
  const { identifier, roles: held, enabled, locked } = user
  return { id: user.id, identifier, roles: held, enabled, locked, socialAccounts: [], createdAt: null, updatedAt: null }
}

/** @throws UsersElsewhere (409) */
export function keptHere(accounts: UserAccounts): UserAccounts {
  if (accounts.driver === 'application') throw new UsersElsewhere()
  return accounts
}

/** Who ends all sessions of their own keeps the one that they do it with. */
function ownSession(
  request: FastifyRequest,
  identifier: string,
  sessions: Pick<SessionService, 'resumed'>
): string | undefined {
  const session = sessions.resumed(request)
  return session?.user === identifier ? session.id : undefined
}
