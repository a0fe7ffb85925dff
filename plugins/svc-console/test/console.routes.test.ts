/** Who gets which page and which file, over real HTTP, and what every answer says to a browser. */

import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcSecurity, { hashPassword } from 'svc-security'
import t, { type Test } from 'tap'
import svcConsole, { type SvcConsoleOptions } from '../src/index.ts'

const PAGE = { accept: 'text/html,application/xhtml+xml' }
const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`

async function listening(t: Test, options: SvcConsoleOptions = {}, security = {}) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const password = await hashPassword('secret', { memoryKib: 7168, passes: 1, parallelism: 1 })
  const users = new Map(
    [
      ['root', 'ROLE_SVC_ADMIN'],
      [HOSTILE, 'ROLE_USER']
    ].map(([identifier = '', role = '']) => [identifier, { identifier, roles: [role], password }])
  )
  await fastify.register(svcAudit)
  await fastify.register(svcSecurity, {
    ...security,
    parts: { users: { findByIdentifier: (name: string) => users.get(name) ?? null } }
  })
  await fastify.register(svcConsole, options)
  const origin = await fastify.listen({ host: '127.0.0.1', port: 0 })
  const get = (path: string, headers: Record<string, string> = PAGE) =>
    fetch(origin + path, { headers, redirect: 'manual' })
  const login = async (username: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ username, password: 'secret' })
    const answer = await fetch(`${origin}/svc/security/api/auth/login`, { method: 'POST', headers, body })
    return { ...PAGE, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  return { fastify, get, login }
}

/** Addresses of the files that a document names. */
const filesOf = (document: string) => [...document.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path)

t.test('nobody: a page leads to the sign-in, anything else is refused', async (t) => {
  const { get, fastify } = await listening(t)
  for (const path of ['/svc/console', '/svc/console/', '/svc/console/audit?outcome=denied']) {
    const answer = await get(path)
    t.equal(answer.status, 302, path)
    t.equal(answer.headers.get('location'), `/svc/console/sign-in?return=${encodeURIComponent(path)}`)
    t.equal((await get(path, { accept: 'application/json' })).status, 401, `${path} for a program`)
  }
  t.equal((await get('/svc/console//evil.example')).headers.get('location')?.includes('=%2Fsvc%2Fconsole'), true)
  t.equal((await fastify.inject({ url: '/svc/console/files/x.js' })).statusCode, 404)
})

t.test('the folder of the sign-in has its files and no others; files are for everybody, pages are not', async (t) => {
  const { get, login } = await listening(t)
  const root = await login('root')
  const open = filesOf(await (await get('/svc/console/sign-in')).text())
  const closed = filesOf(await (await get('/svc/console', root)).text())
  t.ok(open.length >= 3 && closed.length >= 3)
  for (const path of open) {
    t.ok(path.startsWith('/svc/console/sign-in/files/'))
    const answer = await get(path)
    t.equal(answer.status, 200, path)
    t.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable')
    t.equal(answer.headers.get('content-encoding'), 'gzip')
    t.match(answer.headers.get('content-type'), /^text\/(?:css|javascript); charset=utf-8$/)
  }
  for (const path of closed) {
    t.equal((await get(path, {})).status, 200, path)
    const name = path.split('/').at(-1) ?? ''
    const isShared = open.some((other) => other.endsWith(`/${name}`))
    t.equal((await get(`/svc/console/sign-in/files/${name}`)).status, isShared ? 200 : 404, name)
  }
  for (const name of ['manifest.json', 'licenses.md', 'sources.sha256', '..%2f..%2fpackage.json', 'index.js']) {
    t.equal((await get(`/svc/console/sign-in/files/${name}`)).status, 404, name)
    t.equal((await get(`/svc/console/files/${name}`)).status, 404, name)
  }
  const plain = await get(open[0] ?? '', { 'accept-encoding': 'identity' })
  t.equal(plain.headers.get('content-encoding'), null)
})

t.test('a user without the role: the word, and a document that names no file of the console', async (t) => {
  const { get, login } = await listening(t)
  const paul = await login(HOSTILE)
  const answer = await get('/svc/console/audit', paul)
  t.equal(answer.status, 403)
  const document = await answer.text()
  t.match(document, /&quot;view&quot;:&quot;refused&quot;/)
  t.notMatch(document, '<script>', 'a name is no markup')
  t.notMatch(document, '<img')
  for (const path of filesOf(document)) t.ok(path.startsWith('/svc/console/sign-in/files/'), path)
})

t.test(
  'Q13: what does not answer is told by name and time, and nothing else; a page that cannot be proven is a page',
  async (t) => {
    const failure = Object.assign(new Error('postgres://app:hunter2@10.0.0.1 is away'), {
      statusCode: 503,
      code: 'AWAY'
    })
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await fastify.register(svcConsole)
    fastify.addHook('onRequest', async ({ routeOptions: { config } }) => {
      const { svc } = config as { svc?: { bypassFirewall: boolean } }
      if (svc?.bypassFirewall === false) throw failure
    })
    await fastify.register(async (scope) => void scope)
    fastify.healthChecks.add(
      'database main',
      () => Promise.reject(failure),
      () => 1_700_000_000_000
    )
    fastify.healthChecks.add('mail', () => undefined)
    const told = { outages: [{ name: 'database main', since: 1_700_000_000_000 }] }
    t.strictSame((await fastify.inject('/svc/console/outage')).json(), told)
    const page = await fastify.inject({ url: '/svc/console/audit?x=1', headers: PAGE })
    t.match(page, {
      statusCode: 503,
      headers: { 'retry-after': '3', 'cache-control': 'no-store', 'content-type': /html/ }
    })
    const settings = JSON.parse(
      /name="svc-console" content="([^"]*)"/.exec(page.body)?.[1]?.replaceAll('&quot;', '"') ?? ''
    )
    t.match(settings, { view: 'unavailable', returnTo: '/svc/console/audit?x=1', user: null, ...told })
    t.notMatch(page.body, /hunter2|10\.0\.0\.1/)
    t.match((await fastify.inject('/svc/console/audit')).headers['content-type'], /json/, 'for a program as ever')
  }
)

t.test('the name of the application is no markup, in the title and in what the page is told', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const name = `</title>${HOSTILE}`
  fastify.decorate('appHost', { name, root: '/', mode: 'test', checkOnly: false, importModule: async () => ({}) })
  await fastify.register(svcConsole)
  const document = (await fastify.inject('/svc/console/sign-in')).body
  const escaped =
    '&lt;/title&gt;&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;'
  t.match(document, `<title>${escaped} console</title>`)
  t.equal(document.match(/<script/g)?.length, 1, 'its own')
  t.notMatch(document, '<img')
})

t.test('what every answer says', async (t) => {
  const { get, login } = await listening(t)
  const root = await login('root')
  const answers = [
    await get('/svc/console', root),
    await get('/svc/console'),
    await get('/svc/console/sign-in'),
    await get('/svc/console/files/none.js', root),
    await get('/svc/console/files/none.js', {})
  ]
  for (const { headers, status } of answers) {
    t.match(headers.get('content-security-policy'), /^default-src 'self';.*frame-ancestors 'none'/, String(status))
    t.notMatch(headers.get('content-security-policy'), /unsafe|http:|https:|\*/)
    t.equal(headers.get('x-frame-options'), 'DENY')
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.equal(headers.get('referrer-policy'), 'no-referrer')
    t.match(headers.get('cache-control'), /no-store/)
  }
})

t.test('the sign-in page is told where to lead to, and never elsewhere', async (t) => {
  const { get } = await listening(t)
  const told = async (query: string) => {
    const document = await (await get(`/svc/console/sign-in${query}`)).text()
    return /&quot;returnTo&quot;:&quot;(.*?)&quot;/.exec(document)?.[1]
  }
  t.equal(await told('?return=%2Fsvc%2Fconsole%2Faudit%3Fq%3D1'), '/svc/console/audit?q=1')
  for (const value of ['//evil.example', '/%5Cevil.example', 'https:%2F%2Fevil.example', 'javascript:alert(1)']) {
    t.equal(await told(`?return=${value}`), '/svc/console', value)
  }
  t.equal(await told('?return=%2Fsvc%2Fconsole%2Faudit&return=%2F%2Fevil.example'), '/svc/console')
})

t.test('what the application serves is what the pages are told', async (t) => {
  const { get } = await listening(t)
  const document = await (await get('/svc/console/sign-in')).text()
  const settings = JSON.parse(
    /name="svc-console" content="([^"]*)"/.exec(document)?.[1]?.replaceAll('&quot;', '"') ?? ''
  )
  t.strictSame(settings.apis, ['passwords', 'account', 'access', 'people', 'sessions', 'audit'])
  t.equal(settings.user, null)
})

t.test('another path, in a zone of the application; a zone that admits visitors keeps them out, too', async (t) => {
  const areas = { desk: { pattern: '^/desk', authenticators: ['session', 'anonymous'] } }
  const { get, login } = await listening(t, { path: '/desk' }, { areas })
  t.equal((await get('/desk/audit')).headers.get('location'), '/desk/sign-in?return=%2Fdesk%2Faudit')
  t.equal((await get('/desk', await login('root'))).status, 200)
  t.equal((await get('/desk', await login(HOSTILE))).status, 403)
})

t.test('without svc-security every page is closed', async (t) => {
  const fastify: FastifyInstance = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcConsole)
  t.equal((await fastify.inject('/svc/console')).statusCode, 403)
  t.equal((await fastify.inject({ url: '/svc/console', headers: PAGE })).statusCode, 302)
  t.equal((await fastify.inject({ url: '/svc/console/sign-in' })).statusCode, 200)
})
