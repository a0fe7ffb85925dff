/**
 * Users for administrators: who there is, what they may, and a way to lock them out. Passwords and metadata are never
 * shown. Where the application keeps its users itself, listing and changing them is refused with a code of its own; one
 * of them can still be looked at.
 */
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import { adminRoute, strictQuery } from 'svc-kernel'
import {
  answer,
  closed,
  flag,
  integer,
  listOf,
  object,
  paging,
  text,
  texts,
  textUpTo,
  timeOrNull
} from '../api/schemas.ts'
import { noStore, SECURITY_API } from '../api/security-api.ts'
import { LastAdministrator, UsersElsewhere, UserUnknown } from '../errors.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import type { UserAccounts } from '../users/user-accounts.ts'
import type { UserSource } from '../users/user-source.ts'
import type { UserSummary } from '../users/user-store.ts'

const USERS = `${SECURITY_API}/users`

const MAX_LIMIT = 200

const roles = {
  type: 'array',
  maxItems: 100,
  uniqueItems: true,
  items: { type: 'string', maxLength: 200, pattern: '^ROLE_[A-Z0-9_]+$' }
} as const

const view = {
  id: text,
  identifier: text,
  roles: texts,
  enabled: flag,
  locked: flag,
  socialAccounts: listOf(object({ provider: text, linkedAt: integer })),
  createdAt: timeOrNull,
  updatedAt: timeOrNull
} as const

const params = object({ id: textUpTo(1024) })

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

interface ById {
  readonly Params: { readonly id: string }
}

export interface UsersParts {
  readonly accounts: UserAccounts
  readonly users: UserSource
  readonly sessions: Pick<SessionService, 'resumed' | 'revokeUser'>
  /** Roles by which a user administers the application. */
  readonly adminRoles: readonly string[]
  /** Route option `preParsing` of changes made with a session. */
  readonly csrf: preParsingHookHandler
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
      schema: { querystring: listQuery, response: answer({ items: listOf(object(view)), total: integer, ...paging }) }
    },
    async ({ query }, reply) => {
      const { limit, offset, ...filter } = query
      const page = { limit: Math.min(Math.max(limit, 1), MAX_LIMIT), offset }
      const kept = keptHere(accounts)
      const [found, total] = await Promise.all([kept.list(filter, page), kept.count(filter)])
      return noStore(reply, { items: found.items.map(userView), total, ...page, hasNext: found.hasNext })
    }
  )

  fastify.get<ById>(
    `${USERS}/:id`,
    { ...adminRoute('svc.user'), schema: { params, response: answer(view) } },
    async (request, reply) => noStore(reply, userView(await userOf(request.params.id, accounts, users)))
  )
}

function changingRoutes(fastify: FastifyInstance, parts: UsersParts): void {
  const { accounts, users, sessions, csrf } = parts
  const changing = (name: string) => {
    const guard = adminRoute(name)
    return { ...guard, preParsing: [guard.preParsing, csrf] }
  }

  fastify.post<{ Body: { identifier: string; password: string; roles: readonly string[] } }>(
    USERS,
    {
      ...changing('svc.users.create'),
      schema: {
        body: closed({ identifier: textUpTo(1024), password: textUpTo(1024) }, { roles: { ...roles, default: [] } }),
        response: { 201: object(view) }
      },
      bodyLimit: 32_768
    },
    async (request, reply) => {
      const id = await keptHere(accounts).create(request.body)
      return noStore(reply.code(201), userView(await userOf(id, accounts, users)))
    }
  )

  fastify.put<ById & { Body: { roles: readonly string[] } }>(
    `${USERS}/:id/roles`,
    {
      ...changing('svc.users.roles'),
      schema: { params, body: closed({ roles }), response: answer(view) },
      bodyLimit: 32_768
    },
    async (request, reply) => {
      const user = await userOf(request.params.id, keptHere(accounts), users)
      const after = { ...user, roles: request.body.roles }
      await keepingAdministrator(parts, user, after, (rights) => accounts.setRoles(user.identifier, rights.roles))
      return noStore(reply, userView(await userOf(user.id, accounts, users)))
    }
  )

  for (const [word, locked] of [
    ['lock', true],
    ['unlock', false]
  ] as const) {
    fastify.post<ById>(
      `${USERS}/:id/${word}`,
      { ...changing(`svc.users.${word}`), schema: { params, response: answer(view) } },
      async (request, reply) => {
        const user = await userOf(request.params.id, keptHere(accounts), users)
        const after = { ...user, locked }
        await keepingAdministrator(parts, user, after, (rights) => accounts.setLocked(user.identifier, rights.locked))
        return noStore(reply, userView(await userOf(user.id, accounts, users)))
      }
    )
  }

  fastify.post<ById>(
    `${USERS}/:id/sessions/revoke`,
    { ...changing('svc.users.sessions.revoke'), schema: { params, response: answer({ revoked: integer }) } },
    async (request, reply) => {
      const { identifier } = await userOf(request.params.id, accounts, users)
      const own = ownSession(request, identifier, sessions)
      return noStore(reply, { revoked: await sessions.revokeUser(identifier, own, request) })
    }
  )
}

type ShownUser = Omit<UserSummary, 'metadata' | 'createdAt' | 'updatedAt'> & {
  readonly createdAt: number | null
  readonly updatedAt: number | null
}

/** @throws UserUnknown (404), AuthenticationUnavailable (503) */
export async function userOf(id: string, accounts: UserAccounts, users: UserSource): Promise<ShownUser> {
  if (accounts.driver !== 'application') {
    const kept = await accounts.get(id)
    if (kept === null) throw new UserUnknown()
    return kept
  }
  const user = await orUnavailable(() => users.findById(id))
  if (user === null) throw new UserUnknown()
  const { identifier, roles: held, enabled, locked } = user
  return { id: user.id, identifier, roles: held, enabled, locked, socialAccounts: [], createdAt: null, updatedAt: null }
}

/** @throws UsersElsewhere (409) */
function keptHere(accounts: UserAccounts): UserAccounts {
  if (accounts.driver === 'application') throw new UsersElsewhere()
  return accounts
}

function userView({ id, identifier, roles: held, enabled, locked, socialAccounts, createdAt, updatedAt }: ShownUser) {
  const linked = socialAccounts.map(({ provider, linkedAt }) => ({ provider, linkedAt }))
  return { id, identifier, roles: held, enabled, locked, socialAccounts: linked, createdAt, updatedAt }
}

type Rights = Pick<ShownUser, 'roles' | 'enabled' | 'locked'>

/**
 * Changes a user. Of two changes at once each may find another administrator beforehand: one that finds none afterwards
 * is taken back.
 *
 * @throws UserUnknown (404), LastAdministrator (409) for a change after which nobody could undo it
 */
async function keepingAdministrator(
  { accounts, adminRoles }: UsersParts,
  before: Rights,
  after: Rights,
  change: (rights: Rights) => Promise<boolean>
): Promise<void> {
  const administers = ({ roles: held, enabled, locked }: Rights): boolean =>
    enabled && !locked && held.some((role) => adminRoles.includes(role))
  const isLoss = administers(before) && !administers(after)
  if (isLoss && (await accounts.countAdministrators(adminRoles)) <= 1) throw new LastAdministrator()
  if (!(await change(after))) throw new UserUnknown()
  if (!isLoss || (await accounts.countAdministrators(adminRoles)) > 0) return
  await change(before)
  throw new LastAdministrator()
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
