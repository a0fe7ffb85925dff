/** Keys of an organisation. A key makes no keys: one that leaked could outlive its revocation. */
import type { FastifyInstance } from 'fastify'
import type { GatesPort } from 'svc-kernel/plugin'
import { closed, object, textUpTo } from 'svc-kernel/schemas'
import { ApiKeyLimit } from 'svc-security/errors'
import { KeyNotFound, PermissionAboveOwn, PersonNeeded } from '../errors.ts'
import {
  type KeyRotation,
  LONGEST_OVERLAP_S,
  type NewOrganizationKey,
  type OrganizationKeys
} from '../keys/organization-keys.ts'
import * as answers from './answers.ts'
import { REFUSALS } from './organizations.routes.ts'
import {
  byId,
  memberRoute,
  ORGANIZATIONS_API,
  organizationOf,
  organizationsApi,
  ownMembership,
  ownRights
} from './organizations-api.ts'

const rotation = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    overlapS: {
      type: 'integer',
      minimum: 0,
      maximum: LONGEST_OVERLAP_S,
      default: 0,
      description: 'for how many seconds the old key stays valid'
    }
  }
} as const

export function keyRoutes(
  fastify: FastifyInstance,
  keys: OrganizationKeys,
  path: string,
  { rights }: Pick<GatesPort, 'rights'>
): void {
  const all = `${ORGANIZATIONS_API}/:${path}/keys`
  const here = object({ [path]: byId })
  const byKey = object({ [path]: byId, key: byId })
  const proof = rights.proof === null ? {} : { proof: rights.proof }
  const permissions = { type: 'array', maxItems: 100, uniqueItems: true, items: textUpTo(60) } as const
  organizationsApi(fastify, (scope) => {
    scope.get(
      all,
      memberRoute('keys', 'keys', {
        summary: 'Keys of the organisation that are alive, the newest first',
        schema: { params: here, response: { 200: answers.keys }, errors: REFUSALS }
      }),
      async (request) => ({ keys: await keys.list(organizationOf(request).organization.id) })
    )
    const create = memberRoute('keys.create', 'keys', {
      summary: 'Makes a key with permissions that the caller has; it is shown once',
      schema: {
        params: here,
        body: closed(
          { name: textUpTo(200), permissions },
          { expiresInDays: { type: ['integer', 'null'], minimum: 1, maximum: 3650 } }
        ),
        response: { 201: answers.newKey },
        errors: [...REFUSALS, PersonNeeded, PermissionAboveOwn, ApiKeyLimit]
      }
    })
    scope.post<{ Body: NewOrganizationKey }>(
      all,
      { ...create, config: { ...create.config, ...proof } },
      async (request, reply) => {
        const { organizationId } = ownMembership(request)
        const { key, token } = await keys.create(organizationId, request.body, ownRights(request))
        return reply.code(201).send({ ...key, token })
      }
    )
    const rotate = memberRoute('keys.rotate', 'keys', {
      summary: 'Makes a key with the same name and permissions; the old one ends at once, or after overlapS seconds',
      schema: {
        params: byKey,
        body: rotation,
        response: { 201: answers.newKey },
        errors: [...REFUSALS, PersonNeeded, PermissionAboveOwn, KeyNotFound, ApiKeyLimit]
      }
    })
    scope.post<{ Params: { readonly key: string }; Body: KeyRotation | null }>(
      `${all}/:key/rotate`,
      { ...rotate, config: { ...rotate.config, ...proof } },
      async (request, reply) => {
        const { organizationId } = ownMembership(request)
        const { key, token } = await keys.rotate(
          organizationId,
          request.params.key,
          ownRights(request),
          request.body ?? {}
        )
        return reply.code(201).send({ ...key, token })
      }
    )
    scope.delete<{ Params: { readonly key: string } }>(
      `${all}/:key`,
      memberRoute('keys.revoke', 'keys', {
        summary: 'Revokes a key at once',
        schema: { params: byKey, response: { 200: answers.done }, errors: [...REFUSALS, PersonNeeded, KeyNotFound] }
      }),
      async (request) => {
        await keys.revoke(ownMembership(request).organizationId, request.params.key)
        return { ok: true }
      }
    )
  })
}
