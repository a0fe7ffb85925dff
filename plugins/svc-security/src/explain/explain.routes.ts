/** Access for administrators: why a caller gets in or does not, which role gets in where, what the boot warned of. */
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { ANONYMOUS, type Problem } from 'svc-kernel'
import type { AccessExplainer } from 'svc-kernel/explain'
import { adminChange, adminRoute, type ListedRoute, strictQuery } from 'svc-kernel/plugin'
import {
  answer,
  closed,
  flag,
  integer,
  listOf,
  object,
  paging,
  text,
  textOrNull,
  texts,
  textUpTo
} from '../api/schemas.ts'
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
const integerOrNull = { type: ['integer', 'null'] } as const
const objectOrNull = <const Properties>(properties: Properties) => ({ type: ['object', 'null'], properties }) as const

const explainBody = closed(
  { method: { enum: [...METHODS, 'WEBSOCKET'] }, path: { type: 'string', pattern: '^/', maxLength: 2048 } },
  { user: textUpTo(1024), roles: names, scopes: names }
)

const attribute = object({
  attribute: text,
  subject: object({ param: text, value: textOrNull }),
  granted: flag,
  reason: textOrNull,
  votes: listOf(object({ voter: text, vote: text, reason: text }))
})
const outcome = { decision: text, status: integerOrNull, reason: textOrNull } as const

const explainAnswer = answer({
  method: text,
  path: text,
  caller: object({ identifier: text, roles: texts, scopes: texts }),
  route: objectOrNull({
    name: textOrNull,
    path: text,
    anonymous: flag,
    bypassFirewall: flag,
    params: { type: 'object', additionalProperties: text }
  }),
  zone: objectOrNull({ name: text, pattern: text, mode: text, authenticators: texts }),
  proofs: listOf(
    object({
      authenticator: textOrNull,
      token: textOrNull,
      clauses: listOf(object({ granted: flag, attributes: listOf(attribute) })),
      ...outcome
    })
  ),
  ...outcome,
  note: textOrNull
})

const matrixQuery = closed(
  {},
  {
    roles: { type: 'string', pattern: '^[^,]{1,200}(?:,[^,]{1,200})*$', maxLength: 4096 },
    path: textUpTo(1024),
    limit: { type: 'integer', default: 50 },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }
  }
)

const matrixAnswer = answer({
  roles: texts,
  allRoles: texts,
  items: listOf(object({ method: text, path: text, name: textOrNull, requirement: textOrNull, cells: texts })),
  ...paging
})

const lint = { code: text, message: text, at: text, got: text, expected: text, fix: text, more: text } as const

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
      schema: { body: explainBody, response: explainAnswer },
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
      schema: { querystring: matrixQuery, response: matrixAnswer }
    },
    async ({ query }, reply) => {
      const [{ securityOf }, { matrixRoles, matrixRows }] = await Promise.all([load(), import('./access-matrix.ts')])
      const [limit, offset] = [Math.min(Math.max(query.limit, 1), MAX_ROUTES), query.offset]
      const all = routesOf(firewall)
      const allRoles = matrixRoles(all, new RoleHierarchy(roleHierarchy).roles)
      const roles = (query.roles?.split(',') ?? allRoles).slice(0, MAX_ROLES)
      const asked = query.path?.toLowerCase() ?? ''
      const routes = all.filter(({ path }) => path.toLowerCase().includes(asked))
      const items = await matrixRows(routes.slice(offset, offset + limit), roles, securityOf(fastify))
      return noStore(reply, { roles, allRoles, items, limit, offset, hasNext: routes.length > offset + limit })
    }
  )

  fastify.get(
    `${SECURITY_API}/lints`,
    {
      ...adminRoute('svc.lints'),
      preValidation: strictQuery([]),
      schema: { response: answer({ items: listOf(object(lint)), total: integer }) }
    },
    async (_request, reply) => noStore(reply, { items: lints.slice(0, MAX_LINTS), total: lints.length })
  )
}

function routesOf(firewall: Pick<Firewall, 'report'>): ListedRoute[] {
  return firewall.report().map(({ method, ...route }) => ({ ...route, methods: method.split(',') }))
}
