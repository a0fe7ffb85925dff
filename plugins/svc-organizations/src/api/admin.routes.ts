/** Organisations, for administrators of the application: all of them, and their suspension. */
import type { FastifyInstance } from 'fastify'
import { adminChange, adminRoute, type GatesPort, strictQuery } from 'svc-kernel/plugin'
import { closed, object, textUpTo } from 'svc-kernel/schemas'
import { OrganizationNotFound } from '../errors.ts'
import { type Organizations, viewOf } from '../organizations.ts'
import type { OrganizationStore } from '../records/organization-store.ts'
import * as answers from './answers.ts'
import { byId, organizationsApi } from './organizations-api.ts'

const ADMIN_API = '/svc/organizations/api/organizations'

const page = closed(
  {},
  {
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 }
  }
)

export function adminRoutes(
  fastify: FastifyInstance,
  service: Organizations,
  store: Pick<OrganizationStore, 'list'>,
  { csrf }: Pick<GatesPort, 'csrf'>
): void {
  const params = object({ id: byId })
  const described = (summary: string) => ({ tags: ['organizations'], summary })
  organizationsApi(fastify, (scope) => {
    scope.get<{ Querystring: { readonly limit: number; readonly offset: number } }>(
      ADMIN_API,
      {
        ...adminRoute('svc.organizations.all'),
        preValidation: strictQuery(['limit', 'offset']),
        schema: {
          ...described('All organisations, the newest first'),
          querystring: page,
          response: { 200: answers.allOrganizations }
        }
      },
      async ({ query: { limit, offset } }) => {
        const found = await store.list(limit + 1, offset)
        return { organizations: found.slice(0, limit).map(viewOf), hasNext: found.length > limit }
      }
    )
    scope.post<{ Params: { readonly id: string }; Body: { readonly reason: string } }>(
      `${ADMIN_API}/:id/suspend`,
      {
        ...adminChange('svc.organizations.suspend', csrf),
        preValidation: strictQuery([]),
        schema: {
          ...described('Suspends an organisation: closes every door of it at once'),
          params,
          body: closed({ reason: textUpTo(500) }),
          response: { 200: answers.organization },
          errors: [OrganizationNotFound]
        }
      },
      async ({ params: { id }, body }) => service.suspend(id, body.reason)
    )
    scope.post<{ Params: { readonly id: string } }>(
      `${ADMIN_API}/:id/resume`,
      {
        ...adminChange('svc.organizations.resume', csrf),
        preValidation: strictQuery([]),
        schema: {
          ...described('Resumes an organisation that was suspended'),
          params,
          response: { 200: answers.organization },
          errors: [OrganizationNotFound]
        }
      },
      async ({ params: { id } }) => service.resume(id)
    )
  })
}
