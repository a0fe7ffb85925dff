/** The inventory is complete whatever was declared first. */
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyInstance } from 'fastify'
import { ensureKernel } from 'svc-kernel'
import { printedRoutes } from 'svc-kernel/plugin'
import t from 'tap'
import svcSecurity from '../../../src/index.ts'
import { echoRoute, requires } from '../../support/guarded-app.ts'
import { logLines, WARN } from '../../support/log-lines.ts'

const handler = async () => 'x'

/** Every shape of path that a router takes. */
const PATHS = [
  '/',
  '/api/notes',
  '/api/notes/:id',
  '/api/notes/:id/x-:y',
  '/api/:file(^\\d+).png',
  '/a b/ü',
  '/api/notes/:id/at/:hour(^\\d{2})h:minute(^\\d{2})m',
  '/foo::bar',
  '/opt/:x?',
  '/end/',
  '/down/*',
  '/deep/a/b/c/d'
]

function declare(app: FastifyInstance): void {
  for (const path of PATHS) app.get(path, handler)
  app.post('/api/notes', handler)
  app.route({ method: ['PUT', 'DELETE'], url: '/api/notes/:id', handler })
  app.get('/v', { constraints: { version: '1.0.0' } }, handler)
  app.get('/v', { constraints: { host: 'a.example' } }, handler)
  app.register(
    async (scope) => {
      scope.get('/', handler)
      scope.get('/inside', handler)
    },
    { prefix: '/scope' }
  )
}

const options = { areas: { api: { pattern: '^/api', authenticators: ['anonymous'] } } }

async function reported(order: 'routes first' | 'kernel between' | 'security first') {
  const { lines, logger } = logLines()
  const app = Fastify({ logger })
  if (order === 'routes first') declare(app)
  await ensureKernel(app)
  if (order === 'kernel between') declare(app)
  await app.register(svcSecurity, options)
  if (order === 'security first') declare(app)
  await app.ready()
  const rows = app.firewall.report().map(({ method, path, zone }) => ({ method, path, zone }))
  await app.close()
  return { rows, warnings: lines.filter(({ level }) => level === WARN) }
}

/** One line per method and path, in the router's spelling. */
const flat = (rows: ReadonlyArray<{ method: string; path: string; zone: string | null }>) =>
  [
    ...new Set(
      rows.flatMap(({ method, path, zone }) => {
        const spelled = path.replaceAll('::', ':').replace(/(.)\/$/, '$1')
        const paths = spelled.endsWith('?') ? [spelled.replace(/\/:x\?$/, ''), spelled.slice(0, -1)] : [spelled]
        return method.split(',').flatMap((name) => paths.map((each) => `${name} ${each} ${zone}`))
      })
    )
  ].sort()

t.test('S3: the same routes in the same zones, whatever comes first', async (t) => {
  const complete = await reported('security first')
  t.ok(complete.rows.length > PATHS.length)
  t.strictSame((await reported('kernel between')).rows, complete.rows, 'with all there is to know')
  const late = await reported('routes first')
  t.strictSame(flat(late.rows), flat(complete.rows))
  t.strictSame(late.warnings, complete.warnings)
})

t.test('S3: guards and transports of what other plugins declared before svc-security', async (t) => {
  const { lines, logger } = logLines()
  const app = Fastify({ logger })
  t.teardown(() => app.close())
  await ensureKernel(app)
  await app.register(fastifyWebsocket)
  await app.register(async (scope) => {
    echoRoute(scope, '/outside', { requirement: requires('ROLE_ADMIN') })
    scope.get('/api/live', { websocket: true }, () => undefined)
  })
  await app.register(svcSecurity, options)
  await app.ready()
  t.match(app.firewall.report(), [
    { path: '/outside', zone: null, requirement: requires('ROLE_ADMIN') },
    { path: '/api/live', zone: 'api', transports: ['WEBSOCKET'] }
  ])
  t.match(
    lines.filter(({ level }) => level === WARN),
    [{ code: 'SVC_GUARD_NO_ZONE' }],
    'and the boot warns of it'
  )
})

t.test('S3: a list of routes, read back', async (t) => {
  const app = Fastify()
  declare(app)
  await app.ready()
  const printed = printedRoutes(app.printRoutes())
  for (const { method, path } of printed) {
    const url = path.replace('foo:bar', 'foo::bar')
    t.ok(app.hasRoute({ method, url }) || url === '/v', `${method} ${path}`)
  }
  t.equal(printedRoutes('').length, 0)
  t.equal(printedRoutes('(empty tree)').length, 0)
})
