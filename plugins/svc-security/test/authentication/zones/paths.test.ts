/**
 * Every way to write a path, byte for byte on a socket: whatever handler would
 * run, the zone of its route is entered first. `inject` normalises and proves nothing here.
 */

import fc from 'fast-check'
import type { FastifyServerOptions } from 'fastify'
import t from 'tap'
import { echoRoute, securedApp } from '../../support/guarded-app.ts'
import { rawRequest } from '../../support/raw-request.ts'
import { HeaderAuthenticator } from '../../support/tokens.ts'

const PROOF = 'x-key: alice:ROLE_ADMIN'
const foldings = {
  plain: {},
  slashes: { routerOptions: { ignoreDuplicateSlashes: true } },
  anyCase: { routerOptions: { caseSensitive: false } },
  semicolon: { routerOptions: { useSemicolonDelimiter: true } },
  trailing: { routerOptions: { ignoreTrailingSlash: true } },
  all: {
    routerOptions: {
      ignoreDuplicateSlashes: true,
      caseSensitive: false,
      useSemicolonDelimiter: true,
      ignoreTrailingSlash: true
    }
  }
}

async function listening(folding: keyof typeof foldings, pattern = '^/admin(/|$)') {
  const app = await securedApp(
    {
      areas: { admin: { pattern, authenticators: ['key'] } },
      parts: { authenticators: { key: new HeaderAuthenticator('key') } }
    },
    foldings[folding] as FastifyServerOptions
  )
  echoRoute(app, '/admin/users')
  echoRoute(app, '/admin/users/:id')
  echoRoute(app, '/files/*')
  echoRoute(app, '/:tenant/users')
  await app.register(async (scope) => echoRoute(scope, '/in'), { prefix: '/admin' })
  await app.register(async (scope) => echoRoute(scope, '/'), { prefix: '/admin/root' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

/** `bare`: the status without proof. `proven`: status, and template that answered, with proof. */
type Row = [folding: keyof typeof foldings, target: string, bare: number, proven: number, route?: string]

const rows: Row[] = [
  ['plain', '/admin/users', 401, 200, '/admin/users'],
  ['plain', '/admin/users?next=/public', 401, 200, '/admin/users'],
  ['plain', '/%61dmin/users', 401, 200, '/admin/users'],
  ['plain', '/%61%64%6D%69%6e/users', 401, 200, '/admin/users'],
  ['plain', 'http://evil/admin/users', 401, 200, '/admin/users'],
  ['plain', 'HTTP://evil/%61dmin/users', 401, 200, '/admin/users'],
  ['plain', 'http://evil/admin/nothing', 401, 404],
  ['slashes', '//admin/users', 401, 200, '/admin/users'],
  ['slashes', '/admin//users', 401, 200, '/admin/users'],
  ['plain', '//admin/users', 404, 404],
  ['anyCase', '/ADMIN/users', 401, 200, '/admin/users'],
  ['anyCase', '/Admin/nothing', 401, 404],
  ['plain', '/ADMIN/users', 200, 200, '/:tenant/users'],
  ['semicolon', '/admin/users;x=1', 401, 200, '/admin/users'],
  ['semicolon', '/admin;x=1/users', 401, 404],
  ['plain', '/admin;x=1/users', 200, 200, '/:tenant/users'],
  ['trailing', '/admin/users/', 401, 200, '/admin/users'],
  ['plain', '/admin/users/', 401, 200, '/admin/users/:id'],
  ['plain', '/admin%2Fusers', 404, 404],
  ['plain', '/admin/users/a%2fb', 401, 200, '/admin/users/:id'],
  ['plain', '/public/../admin/users', 404, 404],
  ['plain', '/%2e%2e/admin/users', 404, 404],
  ['plain', '/files/../admin/users', 200, 200, '/files/*'],
  ['plain', '/admin/users/%E0%A4%A', 400, 400],
  ['plain', '/\\admin/users', 200, 200, '/:tenant/users'],
  ['plain', '/admin/in', 401, 200, '/admin/in'],
  ['plain', '/admin/root', 401, 200, '/admin/root'],
  ['plain', '/admin/root/', 401, 200, '/admin/root'],
  ['plain', '/admin', 401, 404],
  ['plain', '/admin/nothing', 401, 404],
  ['plain', '/nothing', 404, 404],
  ['plain', '/%2561dmin/users', 200, 200, '/:tenant/users'],
  ['all', '//ADMIN//users/;x', 401, 200, '/admin/users'],
  ['all', 'http://evil//%61DMIN/users/?x', 401, 200, '/admin/users']
]

for (const [folding, target, bare, proven, route] of rows) {
  t.test(`${folding}: ${target} is ${bare} without proof, ${proven} with`, async (t) => {
    const app = await listening(folding)
    t.teardown(() => app.close())
    const refused = await rawRequest(app, target)
    t.equal(refused.status, bare)
    const admitted = await rawRequest(app, target, { headers: [PROOF] })
    t.equal(admitted.status, proven)
    if (route !== undefined) t.equal(JSON.parse(admitted.body).route, route)
  })
}

t.test('parameters are decoded once', async (t) => {
  const app = await listening('plain')
  t.teardown(() => app.close())
  for (const [id, decoded] of [
    ['a%2fb', 'a/b'],
    ['a%252fb', 'a%2fb']
  ]) {
    const { body } = await rawRequest(app, `/admin/users/${id}`, { headers: [PROOF] })
    t.same(JSON.parse(body).params, { id: decoded })
  }
})

t.test('a route of a parameter is in the zone its path is in', async (t) => {
  const app = await listening('plain', '^/acme')
  t.teardown(() => app.close())
  t.equal((await rawRequest(app, '/acme/users')).status, 401)
  t.equal((await rawRequest(app, '/%61cme/users')).status, 401)
  t.equal((await rawRequest(app, '/acme/users', { headers: [PROOF] })).status, 200)
  t.equal((await rawRequest(app, '/other/users')).status, 200)
})

t.test('a slash behind a prefix is inside a zone that begins there', async (t) => {
  const app = await listening('plain', '^/admin/root/')
  t.teardown(() => app.close())
  t.equal((await rawRequest(app, '/admin/root')).status, 200)
  t.equal((await rawRequest(app, '/admin/root/')).status, 401)
})

t.test('the asterisk and other methods crash nothing and open nothing', async (t) => {
  const app = await listening('plain')
  t.teardown(() => app.close())
  t.ok([401, 404].includes((await rawRequest(app, '*', { method: 'OPTIONS' })).status))
  t.equal((await rawRequest(app, '/admin/users', { method: 'OPTIONS' })).status, 401)
  t.equal((await rawRequest(app, '/admin/users', { method: 'DELETE' })).status, 401)
  t.equal((await rawRequest(app, '/admin/users', { method: 'HEAD' })).status, 401)
  t.equal((await rawRequest(app, '/admin/users', { method: 'HEAD', headers: [PROOF] })).status, 200)
})

t.test('random targets: without proof no admin handler ever runs', async (t) => {
  const piece = fc.constantFrom(
    '/',
    '//',
    'admin',
    '%61dmin',
    'ADMIN',
    'users',
    '%75sers',
    'x',
    '..',
    '%2e',
    '%2f',
    ';',
    '?',
    '\\',
    ':id'
  )
  const target = fc
    .tuple(fc.constantFrom('/', 'http://h/', '//', 'https://h//'), fc.array(piece, { maxLength: 6 }))
    .map(([start, parts]) => start + parts.join(''))
  for (const folding of ['plain', 'all'] as const) {
    const app = await listening(folding)
    await fc.assert(
      fc.asyncProperty(target, async (url) => {
        const { status, body } = await rawRequest(app, url)
        if (status !== 200) return status === 401 || status === 404 || status === 400
        return !String(JSON.parse(body).route).startsWith('/admin')
      }),
      { numRuns: 200 }
    )
    await app.close()
  }
  t.pass('none ran')
})
