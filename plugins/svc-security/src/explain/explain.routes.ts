/** Access for administrators: why a caller gets in or does not, which role gets in where, what the boot warned of. */
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { ANONYMOUS, type Problem } from 'svc-kernel'
import type { AccessExplainer } from 'svc-kernel/explain'
import { adminChange, adminRoute, type ListedRoute, MAX_AGE_S, strictQuery } from 'svc-kernel/plugin'
import { closed, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, SECURITY_API } from '../api/security-api.ts'
import type { Firewall } from '../authentication/firewall.ts'
import { RoleHierarchy } from '../authorization/role-hierarchy.ts'

// An import reads every export of the module, and one of them loads undici: 25 ms and 3 MB at boot.
const { METHODS } = process.getBuiltinModule('node:http')

const MAX_ROUTES = 100
const MAX_ROLES = 30
const MAX_LINTS = 1000

/** Of a caller who is described by roles or scopes alone. */
const SOMEONE = 'someone'

const names = { type: 'array', maxItems: 100, items: textUpTo(200) } as const

const explainBody = closed(
  { method: { enum: [...METHODS, 'WEBSOCKET'] }, path: { type: 'string', pattern: '^/', maxLength: 2048 } },
  {
    user: textUpTo(1024),
    roles: names,
    scopes: names,
    provenS: { type: 'integer', minimum: 0, maximum: MAX_AGE_S },
    factors: names
  }
)

const matrixQuery = closed(
  {},
  {
    roles: { type: 'string', pattern: '^[^,]{1,200}(?:,[^,]{1,200})*$', maxLength: 4096 },
    path: textUpTo(1024),
    limit: { type: 'integer', default: 50 },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }
  }
)

export interface ExplainViews {
  readonly firewall: Pick<Firewall, 'report'>
  readonly roleHierarchy: Readonly<Record<string, readonly string[]>>
  readonly lints: readonly Problem[]
  /** Route option `preParsing` of what a session posts. */
  readonly csrf: preParsingHookHandler
}

interface ExplainBody {
  readonly method: string
  readonly path: string
  readonly user?: string
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
  readonly provenS?: number
  readonly factors?: readonly string[]
}

interface MatrixQuery {
  readonly roles?: string
  readonly path?: string
  readonly limit: number
  readonly offset: number
}

export function explainRoutes(fastify: FastifyInstance, { firewall, roleHierarchy, lints, csrf }: ExplainViews): void {
  let explainer: AccessExplainer | undefined
  // Loaded on use, and made once: routes are declared before the first request.
  const load = () => import('svc-kernel/explain')

  fastify.post<{ Body: ExplainBody }>(
    `${SECURITY_API}/explain`,
    {
      // It changes nothing, but takes a body.
      ...adminChange('svc.explain', csrf),
      schema: { body: explainBody, response: { 200: answers.explanation } },
      bodyLimit: 65_536
    },
    async (request, reply) => {
      const { roles, scopes, ...asked } = request.body
      const described = roles === undefined && scopes === undefined ? ANONYMOUS.identifier : SOMEONE
      explainer ??= (await load()).accessExplainer(fastify, routesOf(firewall))
      return noStore(reply, await explainer({ user: described, ...asked, roles, scopes }))
    }
  )

  fastify.get<{ Querystring: MatrixQuery }>(
    `${SECURITY_API}/matrix`,
    {
      ...adminRoute('svc.matrix'),
      preValidation: strictQuery(Object.keys(matrixQuery.properties)),
      schema: { querystring: matrixQuery, response: { 200: answers.matrix } }
    },
    async ({ query }, reply) => {
      const [{ organizationRoutes, securityOf }, { matrixRoles, matrixRows }] = await Promise.all([
        load(),
        import('./access-matrix.ts')
      ])
      const [limit, offset] = [Math.min(Math.max(query.limit, 1), MAX_ROUTES), query.offset]
      const all = routesOf(firewall)
      const allRoles = matrixRoles(all, new RoleHierarchy(roleHierarchy).roles)
      const roles = (query.roles?.split(',') ?? allRoles).slice(0, MAX_ROLES)
      const asked = query.path?.toLowerCase() ?? ''
      const routes = all.filter(({ path }) => path.toLowerCase().includes(asked))
      const page = routes.slice(offset, offset + limit)
      const items = await matrixRows(page, roles, securityOf(fastify), organizationRoutes(fastify))
      return noStore(reply, { roles, allRoles, items, limit, offset, hasNext: routes.length > offset + limit })
    }
  )

  fastify.get(
    `${SECURITY_API}/lints`,
    {
      ...adminRoute('svc.lints'),
      preValidation: strictQuery([]),
      schema: { response: { 200: answers.lints } }
    },
    async (_request, reply) => noStore(reply, { items: lints.slice(0, MAX_LINTS), total: lints.length })
  )
}

export function routesOf(firewall: Pick<Firewall, 'report'>): ListedRoute[] {
  return firewall.report().map(({ method, ...route }) => ({ ...route, methods: method.split(',') }))
}
