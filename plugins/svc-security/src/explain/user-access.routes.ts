/**
 * What one user may do, for administrators: a row for each route, and what refuses it. The same computation as an explanation
 * and the matrix, with the user as they are stored.
 */
import type { FastifyInstance } from 'fastify'
import { adminRoute, describeRequirement, strictQuery } from 'svc-kernel/plugin'
import { closed, object, textUpTo } from 'svc-kernel/schemas'
import { userOf } from '../admin/users.routes.ts'
import * as answers from '../api/answers.ts'
import { noStore, SECURITY_API } from '../api/security-api.ts'
import { UserNotFound } from '../errors.ts'
import type { UserAccounts } from '../users/user-accounts.ts'
import type { UserSource } from '../users/user-source.ts'
import { type ExplainViews, routesOf } from './explain.routes.ts'

const MAX_ROUTES = 100

const query = closed(
  {},
  {
    path: textUpTo(1024),
    limit: { type: 'integer', default: 50 },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }
  }
)

export interface UserAccessViews extends Pick<ExplainViews, 'firewall'> {
  readonly accounts: UserAccounts
  readonly users: UserSource
}

interface Asked {
  readonly Params: { readonly id: string }
  readonly Querystring: { readonly path?: string; readonly limit: number; readonly offset: number }
}

export function userAccessRoutes(fastify: FastifyInstance, { firewall, accounts, users }: UserAccessViews): void {
  fastify.get<Asked>(
    `${SECURITY_API}/users/:id/access`,
    {
      ...adminRoute('svc.users.access'),
      preValidation: strictQuery(Object.keys(query.properties)),
      schema: {
        params: object({ id: textUpTo(1024) }),
        querystring: query,
        response: { 200: answers.userAccess },
        errors: [UserNotFound]
      }
    },
    async (request, reply) => {
      const { identifier } = await userOf(request.params.id, accounts, users)
      const [{ callerOf, organizationRoutes, securityOf }, { methodOf, rightOn }] = await Promise.all([
        import('svc-kernel/explain'),
        import('./access-matrix.ts')
      ])
      const caller = await callerOf(fastify, { user: identifier })
      const { path = '', offset } = request.query
      const limit = Math.min(Math.max(request.query.limit, 1), MAX_ROUTES)
      const routes = routesOf(firewall).filter((route) => route.path.toLowerCase().includes(path.toLowerCase()))
      const items = []
      // One after the other: voters of an application may ask a store.
      for (const route of routes.slice(offset, offset + limit)) {
        const { cell, ...why } = await rightOn(route, caller, securityOf(fastify), organizationRoutes(fastify))
        const requirement = route.requirement && describeRequirement(route.requirement)
        items.push({ method: methodOf(route), path: route.path, name: route.name, requirement, access: cell, ...why })
      }
      const user = { identifier, roles: caller.roles, barred: caller.barred }
      return noStore(reply, { user, items, limit, offset, hasNext: routes.length > offset + limit })
    }
  )
}
