/** API keys over HTTP: each user's own, and all of them for administrators. Revoked ones are listed until they are purged. */
import type { FastifyInstance } from 'fastify'
import { type AccessToken, ANONYMOUS, type User } from 'svc-kernel'
import { adminChange, adminRoute, isMachine, routeSecurity, strictQuery } from 'svc-kernel/plugin'
import { closed, flag, object, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, SECURITY_API } from '../api/security-api.ts'
import {
  ApiKeyLimit,
  ApiKeyNotFound,
  BeyondOwnRights,
  PersonRequired,
  ProofDue,
  StepUpRequired,
  Unauthenticated
} from '../errors.ts'
import { checkProof, type ProofSetting } from '../login/recent-proof.ts'
import { MAX_EXPIRY_DAYS } from '../options.ts'
import type { ApiKeyService, NewApiKey } from './api-key-service.ts'

const KEYS = `${SECURITY_API}/keys`

/** Bytes of a new key: a hundred scopes of the greatest length fit in. */
const KEY_LIMIT = 32_768

/** More than any user may have alive, so that a user sees all of them at once. */
const OWN_LIMIT = 1000
const ALL_LIMIT = 200

const params = object({ id: textUpTo(100) })

const createSchema = {
  body: closed(
    { name: textUpTo(200) },
    {
      scopes: {
        type: 'array',
        maxItems: 100,
        uniqueItems: true,
        items: { type: 'string', maxLength: 200, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }
      },
      expiresInDays: { type: ['integer', 'null'], minimum: 1, maximum: MAX_EXPIRY_DAYS }
    }
  ),
  response: { 201: answers.newApiKey },
  errors: [Unauthenticated, BeyondOwnRights, ProofDue, StepUpRequired, PersonRequired, ApiKeyLimit]
}

const allQuery = closed(
  {},
  {
    subject: textUpTo(1024),
    active: flag,
    q: textUpTo(200),
    limit: { type: 'integer', default: 50 },
    offset: { type: 'integer', minimum: 0, default: 0 }
  }
)

interface AllQuery {
  readonly subject?: string
  readonly active?: boolean
  readonly q?: string
  readonly limit: number
  readonly offset: number
}

/** @param proof how recent the proof of who makes a key must be */
export function apiKeyRoutes(fastify: FastifyInstance, keys: ApiKeyService, proof: ProofSetting): void {
  ownRoutes(fastify, keys, proof)
  adminRoutes(fastify, keys)
}

function ownRoutes(fastify: FastifyInstance, keys: ApiKeyService, proof: ProofSetting): void {
  fastify.post<{ Body: NewApiKey }>(
    KEYS,
    { schema: createSchema, bodyLimit: KEY_LIMIT, config: { svc: routeSecurity('svc.keys.create') } },
    async (request, reply) => {
      const { user, token } = callerOf(request)
      checkMaker(token, request.body.scopes ?? [])
      checkProof(token, proof.recent, proof)
      const made = await keys.create(user.identifier, request.body)
      reply.code(201).header('cache-control', 'no-store')
      return { ...made.view, token: made.token }
    }
  )

  fastify.get(
    KEYS,
    {
      schema: { response: { 200: answers.ownApiKeys }, errors: [Unauthenticated] },
      config: { svc: routeSecurity('svc.keys.list') }
    },
    async (request, reply) => {
      const { user } = callerOf(request)
      const { items } = await keys.list({ subject: user.identifier }, { limit: OWN_LIMIT })
      return noStore(reply, { keys: items })
    }
  )

  fastify.delete<{ Params: { id: string } }>(
    `${KEYS}/:id`,
    {
      schema: { params, response: { 200: answers.done }, errors: [Unauthenticated, BeyondOwnRights, ApiKeyNotFound] },
      config: { svc: routeSecurity('svc.keys.remove') }
    },
    async (request) => {
      const { user, token } = callerOf(request)
      checkMaker(token, [])
      const key = await keys.revoke(request.params.id, 'manual', user.identifier)
      if (key === null) throw new ApiKeyNotFound()
      return { ok: true }
    }
  )
}

function adminRoutes(fastify: FastifyInstance, keys: ApiKeyService): void {
  fastify.get<{ Querystring: AllQuery }>(
    `${KEYS}/all`,
    {
      ...adminRoute('svc.keys.all'),
      preValidation: strictQuery(Object.keys(allQuery.properties)),
      schema: { querystring: allQuery, response: { 200: answers.apiKeys } }
    },
    async (request, reply) => {
      const { limit, offset, ...filter } = request.query
      const page = { limit: Math.min(Math.max(limit, 1), ALL_LIMIT), offset }
      const [found, total] = await Promise.all([keys.list(filter, page), keys.count(filter)])
      return noStore(reply, { keys: found.items, total, ...page, hasNext: found.hasNext })
    }
  )

  fastify.post<{ Params: { id: string } }>(
    `${KEYS}/:id/revoke`,
    {
      ...adminChange('svc.keys.revoke'),
      schema: { params, response: { 200: answers.revokedApiKey }, errors: [ApiKeyNotFound] }
    },
    async (request) => {
      const key = await keys.revoke(request.params.id)
      if (key === null) throw new ApiKeyNotFound()
      return { ok: true, key }
    }
  )
}

interface Caller {
  readonly user: User | null
  readonly token: AccessToken | null
}

/** @throws Unauthenticated (401) without a proven caller */
export function callerOf({ user, token }: Caller): { user: User; token: AccessToken } {
  if (user === null || token === null || user === ANONYMOUS || token.type === 'anonymous') throw new Unauthenticated()
  return { user, token }
}

/**
 * Who may make a key, and with which scopes. A key never makes keys: one that leaked could outlive its revocation.
 * Another machine passes on no scope that it does not hold; a person's login is not narrowed by scopes and may grant any.
 *
 * @throws BeyondOwnRights (403)
 */
export function checkMaker(token: AccessToken, wanted: readonly string[]): void {
  const { type, scopes: held = [] } = token
  if (type === 'apikey') throw new BeyondOwnRights('an API key may not manage API keys')
  if (!isMachine(token) || wanted.every((scope) => held.includes(scope))) return
  throw new BeyondOwnRights('a token may not grant a scope that it does not have')
}
