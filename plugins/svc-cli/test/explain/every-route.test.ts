/**
 * What `svc routes`, `svc explain`, `firewall.report()` and `POST explain` say of every route, against what requests get:
 * the preset `full`, with hooks of its own that change what routes declare, for callers of every kind.
 *
 * In a process of its own: the application is loaded from its folder, which becomes the current one.
 */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type AccessExplainer, type AccessReport, accessExplainer } from 'svc-kernel/explain'
import type { ListedRoute } from 'svc-kernel/plugin'
import t, { type Test } from 'tap'
import { inspectApp } from '../../src/application/inspect-app.ts'
import type { RouteRow } from '../../src/inspect/routes.ts'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const PASSWORD = 'correct horse battery'
const API = '/svc/security/api'
/** What it ends holds no more, such as keys that were made once: it is asked last. */
const ENDS_ALL = '/api/accounts/deletion'

const CONTROLLER = `
import { controller, Get } from 'svc-decorators'
@controller('/api')
export class HookedController {
  @Get('/notes/opened')
  opened () { return {} }

  @Get('/closed')
  closed () { return {} }
}
`

/** One hook runs before those of every plugin and one after them, on routes of a controller and of a plugin. */
const HOOKS = `
import { guardHooks } from 'svc-kernel'
import { routeSecurity } from 'svc-kernel/plugin'
const global = Symbol.for('skip-override')
const change = (route, svc) => { route.config = { ...route.config, svc: { ...routeSecurity('hooked'), ...route.config?.svc, ...svc } } }
export const before = Object.assign(async function before (fastify) {
  fastify.addHook('onRoute', (route) => {
    if (route.url !== '/api/closed') return
    const requirement = [[{ attribute: 'ROLE_ADMIN' }]]
    const { preParsing, ...others } = guardHooks(requirement)
    Object.assign(route, others, { preParsing: [preParsing] })
    change(route, { requirement })
  })
}, { [global]: true })
export const after = Object.assign(async function after (fastify) {
  fastify.addHook('onRoute', (route) => {
    if (route.url === '/api/notes/opened' || route.url === '/svc/ops/status') change(route, { anonymous: true })
  })
}, { [global]: true })
`

interface Identity {
  readonly name: string
  readonly user: string
  readonly scopes: readonly string[]
  /** The authenticator that reads the credential; \`null\` for none. */
  readonly by: string | null
  headers(): Promise<Record<string, string>>
}

type Answer = { readonly status: number; readonly code: string }

/** Refusals of zone, guard and session, by their codes; whatever else answers is the route itself. */
const REFUSALS: ReadonlySet<string> = new Set([
  'SVC_SEC_UNAUTHENTICATED',
  'SVC_SEC_SESSION',
  'SVC_SEC_DENIED',
  'SVC_HTTP_UPGRADE_REQUIRED'
])

t.test('P3: every route answers as it is foretold', { timeout: 0 }, async (t) => {
  const cwd = await createdApp(t, 'full')
  await write(cwd, 'controllers/hooked.ts', CONTROLLER)
  await write(cwd, 'hooks.js', HOOKS)
  await edit(
    cwd,
    'svc.config.ts',
    ["import { env } from './env.ts'", "import { env } from './env.ts'\nimport { after, before } from './hooks.js'"],
    ['  modules: [', '  modules: [\n    before,'],
    ['    // Channels and requests', '    after,\n    // Channels and requests'],
    ['areas: {', 'passwords: { memoryKib: 7168, passes: 1, parallelism: 1 },\n        areas: {']
  )
  const database = `sqlite:${cwd}/data.db`
  const listed = await runSvc(['routes', '--json'], { cwd, env: { DATABASE_URL: database } })
  const rows = JSON.parse(listed.stdout) as RouteRow[]
  process.env.DATABASE_URL = database
  await inspectApp({ root: cwd, color: false }, 'test', async ({ routes, register }) => {
    const fastify = await register()
    await fastify.listen({ host: '127.0.0.1', port: 0 })
    await compareAll(t, fastify, routes(), rows)
  })
})

async function compareAll(
  t: Test,
  fastify: FastifyInstance,
  declared: readonly ListedRoute[],
  rows: readonly RouteRow[]
): Promise<void> {
  t.ok(declared.length > 90, `${declared.length} routes`)
  t.strictSame(
    rows.map(({ method, path }) => `${method} ${path}`).sort(),
    declared
      .map((route) => `${methodOf(route) === 'WEBSOCKET' ? 'WEBSOCKET' : route.methods.join(',')} ${route.path}`)
      .sort(),
    'svc routes lists each'
  )
  // No request reaches a method that is a job alone.
  const asked = declared.filter(({ transports }) => !transports.includes('JOB'))
  const routes = asked.toSorted((one, other) => Number(one.path === ENDS_ALL) - Number(other.path === ENDS_ALL))
  t.strictSame(
    fastify.firewall
      .report()
      .map(({ path, requirement, anonymous, session }) => ({ path, requirement, anonymous, session })),
    declared.map(({ path, requirement, anonymous, session }) => ({ path, requirement, anonymous, session })),
    'and the running application the same'
  )
  const explain = accessExplainer(fastify, routes)
  const identities = await everyIdentity(fastify)
  const met = new Set<number>()
  for (const route of routes) {
    for (const identity of identities) {
      const said = await foretold(explain, route, identity)
      const got = await answerTo(fastify, route, await identity.headers())
      met.add(said ?? 200)
      const what = `${methodOf(route)} ${route.path} as ${identity.name}: ${got.status} ${got.code}`
      if (said === null) t.notOk(REFUSALS.has(got.code) || got.status >= 500, what)
      else
        t.ok(
          got.status === said && (REFUSALS.has(got.code) || ['HEAD', 'WEBSOCKET'].includes(methodOf(route))),
          `${said} ${what}`
        )
    }
    await sameOverHttp(t, fastify, explain, route, identities)
  }
  t.strictSame([...met].sort(), [200, 401, 403], 'every kind of answer was met')
}

const methodOf = ({ methods, transports }: ListedRoute): string =>
  transports.includes('WEBSOCKET') && !transports.includes('HTTP') ? 'WEBSOCKET' : (methods[0] as string)

const pathOf = ({ path }: ListedRoute): string => path.replace(/:[^/]+/g, '1').replace('*', 'x')

/** What `svc explain` prints: of a caller who brings one proof. One that no authenticator reads proves nothing. */
async function foretold(explain: AccessExplainer, route: ListedRoute, { user, scopes, by }: Identity) {
  const question = { method: methodOf(route), path: pathOf(route) }
  const named = await explain({ ...question, user, ...(scopes.length === 0 ? {} : { scopes }) })
  const proof = by === null ? undefined : named.proofs.find(({ authenticator }) => authenticator === by)
  if (proof !== undefined) return proof.status
  return (await explain({ ...question, user: 'anonymous' })).status
}

async function sameOverHttp(
  t: Test,
  fastify: FastifyInstance,
  explain: AccessExplainer,
  route: ListedRoute,
  identities: readonly Identity[]
): Promise<void> {
  const admin = identities.find(({ name }) => name === 'administrator') as Identity
  const question = { method: methodOf(route), path: pathOf(route), user: 'editor' }
  const { route: shown, ...report } = await explain(question)
  const answer = await send(fastify, 'POST', `${API}/explain`, await admin.headers(), JSON.stringify(question))
  const { route: sent, ...said } = JSON.parse(answer.body) as AccessReport
  const { source: _source, ...rest } = shown ?? { source: null }
  t.match({ ...said, route: sent }, { ...report, route: shown === null ? null : rest }, `POST explain of ${route.path}`)
}

async function everyIdentity(fastify: FastifyInstance): Promise<Identity[]> {
  const users = [
    ['reader', []],
    ['user', ['ROLE_USER']],
    ['editor', ['ROLE_ADMIN']],
    ['administrator', ['ROLE_SVC_ADMIN']]
  ] as const
  for (const [identifier, roles] of users) await fastify.userAccounts.create({ identifier, password: PASSWORD, roles })
  const key = async (scopes: readonly string[]) => {
    const { token } = await fastify.tokens.apiKeys.create('administrator', { name: 'test', scopes: [...scopes] })
    return { authorization: `Bearer ${token}` }
  }
  // Requests of the walk end the logins of a user.
  const bearer = async () => ({
    authorization: `Bearer ${(await fastify.tokens.issue({ identifier: 'user' }, { scopes: [] })).accessToken}`
  })
  const fixed = (
    name: string,
    user: string,
    by: string | null,
    headers: Record<string, string>,
    scopes: string[] = []
  ) => ({
    name,
    user,
    by,
    scopes,
    headers: async () => headers
  })
  return [
    fixed('nobody', 'anonymous', null, {}),
    ...users.map(([name]) => ({ name, user: name, by: 'session', scopes: [], headers: sessionOf(fastify, name) })),
    fixed('key without a scope', 'administrator', 'apikey', await key([])),
    fixed('key of an administrator', 'administrator', 'apikey', await key(['svc:admin']), ['svc:admin']),
    { name: 'access token', user: 'user', by: 'jwt', scopes: [], headers: bearer }
  ]
}

/** Headers of a session that holds: requests of the test end some. */
function sessionOf(fastify: FastifyInstance, username: string): () => Promise<Record<string, string>> {
  let headers: Record<string, string> = {}
  return async () => {
    if (headers.cookie !== undefined && (await send(fastify, 'GET', `${API}/auth/me`, headers)).status === 200)
      return headers
    const login = await send(fastify, 'POST', `${API}/auth/login`, {}, JSON.stringify({ username, password: PASSWORD }))
    const cookie = String(login.headers['set-cookie']).split(';', 1)[0] as string
    const me = await send(fastify, 'GET', `${API}/auth/me`, { cookie })
    headers = { cookie, 'x-csrf-token': (JSON.parse(me.body) as { csrfToken: string }).csrfToken }
    return headers
  }
}

async function answerTo(
  fastify: FastifyInstance,
  route: ListedRoute,
  headers: Record<string, string>
): Promise<Answer> {
  const method = methodOf(route)
  const body = ['GET', 'HEAD', 'DELETE', 'WEBSOCKET'].includes(method) ? undefined : '{}'
  const { status, body: text } = await send(fastify, method, pathOf(route), headers, body)
  try {
    const { code = '' } = JSON.parse(text) as { code?: string }
    return { status, code }
  } catch {
    return { status, code: '' }
  }
}

interface Sent {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Over a connection of its own. What goes on without an end is read to its head; an upgrade counts as 200. */
async function send(
  fastify: FastifyInstance,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string
): Promise<Sent> {
  const { port } = fastify.server.address() as AddressInfo
  const socket = method === 'WEBSOCKET'
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    origin: `http://127.0.0.1:${port}`,
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ=='
  }
  const made = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    method: socket ? 'GET' : method,
    headers: {
      ...headers,
      ...(socket ? upgrade : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    }
  })
  made.end(body)
  try {
    const [response] = (await Promise.race([once(made, 'response'), once(made, 'upgrade')])) as [IncomingMessage]
    const status = response.statusCode === 101 ? 200 : (response.statusCode as number)
    const endless =
      status === 200 && (socket || response.headers['content-type']?.startsWith('text/event-stream') === true)
    return { status, headers: response.headers, body: endless ? '' : await textOf(response) }
  } finally {
    made.destroy()
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8')
  let text = ''
  for await (const part of response) text += part
  return text
}
