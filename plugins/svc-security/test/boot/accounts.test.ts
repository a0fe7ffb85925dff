/** When an application has accounts, what it is warned of, and the zone of our own admin routes. */
import Fastify from 'fastify'
import { loadModules } from 'svc-host'
import { guardHooks } from 'svc-kernel'
import t from 'tap'
import { accountsInUse } from '../../src/boot/features-in-use.ts'
import svcSecurity, { type SvcSecurityOptions, type SvcSecurityParts } from '../../src/index.ts'
import { someAccounts } from '../support/accounts.ts'
import { requires, routeSecurity, securedApp } from '../support/guarded-app.ts'
import { INFO, logLines, WARN } from '../support/log-lines.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'

const anonymous = { all: { pattern: '^/', authenticators: ['anonymous'] } }
const withSession = { all: { pattern: '^/', authenticators: ['session', 'anonymous'] } }
const users = { findByIdentifier: () => null }

const rows: Array<[title: string, options: SvcSecurityOptions, parts: SvcSecurityParts, inUse: boolean]> = [
  ['nothing', {}, {}, false],
  ['anonymous alone', { areas: anonymous }, {}, false],
  ['a jury and origins', { jury: {}, csrf: {} }, {}, false],
  ['a zone of sessions', { areas: withSession }, {}, true],
  ['a section', { session: {} }, {}, true],
  ['users of its own', {}, { users }, true]
]
for (const [title, options, parts, inUse] of rows) {
  t.test(`accounts in use: ${title}`, async (t) => t.equal(accountsInUse(options, parts), inUse))
}

t.test('without accounts there are no login routes, and no store is asked for', async (t) => {
  const { lines, logger } = logLines()
  const app = await securedApp({ areas: { in: { pattern: '^/in', authenticators: ['anonymous'] } } }, { logger })
  const answer = await app.inject({ method: 'POST', url: `${API}/auth/login`, payload: {} })
  t.equal(answer.statusCode, 404)
  t.equal(app.hasDecorator('stores'), false)
  t.strictSame(
    lines.filter(({ level }) => level >= WARN),
    []
  )
  await app.close()
})

async function moded(mode: 'production' | 'development', given: SvcSecurityOptions = {}) {
  const { lines, logger } = logLines()
  const app = Fastify({ logger })
  const options = { areas: withSession, ...given, parts: { users: await someAccounts() } }
  await loadModules(app, { mode, modules: [[svcSecurity, options]] } as never, { root: process.cwd() })
  await new Browser(app).login()
  await new Browser(app).login()
  await app.close()
  return lines.filter(({ code }) => String(code).startsWith('SVC_SEC')).map(({ level, code }) => [level, code])
}

t.test('a production application is told, a development one is not', async (t) => {
  t.strictSame(await moded('production'), [
    [INFO, 'SVC_SEC_THROTTLE_LOCAL'],
    [WARN, 'SVC_SEC_BARE_COOKIE']
  ])
  t.strictSame(await moded('development'), [])
})

t.test('a protection that is switched off in production', async (t) => {
  const codes = async (given: SvcSecurityOptions) => (await moded('production', given)).map(([, code]) => code)
  const usual = ['SVC_SEC_THROTTLE_LOCAL', 'SVC_SEC_BARE_COOKIE']
  t.strictSame(await codes({ rateLimit: {}, csrf: {} }), usual)
  t.strictSame(await codes({ rateLimit: { enabled: false } }), ['SVC_SEC_NO_THROTTLE', 'SVC_SEC_BARE_COOKIE'])
  t.strictSame(await codes({ csrf: { enabled: false } }), [
    'SVC_SEC_THROTTLE_LOCAL',
    'SVC_SEC_NO_CSRF',
    'SVC_SEC_BARE_COOKIE'
  ])
})

t.test('switched off, there is no throttle', async (t) => {
  const { app } = await loginApp({ rateLimit: { enabled: false } })
  for (let time = 0; time < 8; time += 1) t.equal((await new Browser(app).login('alice', 'no')).statusCode, 401)
  await app.close()
})

function adminRoute(app: Awaited<ReturnType<typeof loginApp>>['app']): void {
  const requirement = requires('ROLE_SVC_ADMIN')
  const config = { svc: routeSecurity({ requirement }) }
  app.get('/svc/other/api/things', { ...guardHooks(requirement), config }, async () => 'things')
}

t.test('our admin routes ask for proof without any zone of the application', async (t) => {
  const { app, accounts } = await loginApp({ areas: {} })
  adminRoute(app)
  const browser = new Browser(app)
  t.equal((await browser.call('GET', '/svc/other/api/things')).statusCode, 401)
  t.equal((await browser.call('GET', '/svc/other/api/nothing')).statusCode, 401, 'unknown, too')
  await browser.login()
  t.equal((await browser.call('GET', '/svc/other/api/things')).statusCode, 403)
  accounts.get('alice').roles = ['ROLE_SVC_ADMIN']
  t.equal((await browser.call('GET', '/svc/other/api/things')).statusCode, 200)
  t.equal((await browser.call('GET', '/svc/other/api/nothing')).statusCode, 404)
  await app.close()
})

t.test('a zone of the application that matches comes first, without a word', async (t) => {
  const { lines, logger } = logLines()
  const areas = { all: { pattern: '^/', authenticators: ['userpassword'] } }
  const { app } = await loginApp({ areas }, {}, { logger })
  adminRoute(app)
  const answer = await app.inject('/svc/other/api/things')
  t.equal(answer.statusCode, 401)
  t.match(answer.headers['www-authenticate'], /^Basic/)
  t.strictSame(
    lines.filter(({ code }) => code === 'SVC_ZONE_UNREACHABLE'),
    []
  )
  await app.close()
})
