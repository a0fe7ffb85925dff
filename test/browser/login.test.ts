/**
 * A real browser: logs in with a password, with a one-time code, with a passkey,
 * opens a WebSocket, and is cut off when its session is revoked.
 */
import { randomBytes } from 'node:crypto'
import { fastify as createFastify } from 'fastify'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import svcDecorators, { controller, IsGranted, Message, WebSocket } from 'svc-decorators'
import svcSecurity, { hashPassword } from 'svc-security'
import t, { type Test } from 'tap'
import { openChromium } from '../support/chromium.ts'
import { freePort } from '../support/ports.ts'
import { addAuthenticator } from '../support/virtual-authenticator.ts'

const API = '/svc/security/api'

/** What the page can do; each call answers `[status, body]`. */
const PAGE = `<!doctype html><title>login</title><script>
let csrf = ''
async function call (method, path, body) {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(csrf && { 'x-csrf-token': csrf }) }
  const answer = await fetch('${API}' + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return [answer.status, await answer.json()]
}
async function me () {
  const [status, body] = await call('GET', '/auth/me')
  csrf = body.csrfToken ?? ''
  return [status, body.user?.identifier]
}
async function passkey (path, options) {
  const create = path.includes('register')
  const read = create ? PublicKeyCredential.parseCreationOptionsFromJSON : PublicKeyCredential.parseRequestOptionsFromJSON
  const publicKey = read.call(PublicKeyCredential, options)
  const credential = await (create ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey }))
  return call('POST', path, { response: credential.toJSON() })
}
let closed
async function open () {
  const socket = new WebSocket('ws://' + location.host + '/in/echo')
  closed = new Promise((resolve) => { socket.onclose = ({ code }) => resolve(code) })
  await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject })
  socket.send('hello')
  return new Promise((resolve) => { socket.onmessage = ({ data }) => resolve(data) })
}
</script>`

@controller('/in')
class Echo {
  @IsGranted('ROLE_USER')
  @WebSocket('/echo')
  echo(@Message() text: string): string {
    return text
  }
}

async function startShop(t: Test) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const password = await hashPassword('correct horse')
  const users = new Map([['alice', { identifier: 'alice', roles: ['ROLE_USER'], password }]])
  const app = createFastify()
  t.teardown(() => app.close())
  await app.register(svcSecurity, {
    areas: { in: { pattern: '^/in', authenticators: ['session'] } },
    totp: { encryptionKey: randomBytes(32).toString('base64') },
    passkeys: { rpId: 'localhost', origins: [origin] },
    parts: { users: { findByIdentifier: (name: string) => users.get(name) ?? null } }
  })
  await app.register(svcDecorators, { controllers: [Echo] })
  app.get('/', (_request, reply) => reply.type('text/html').send(PAGE))
  await app.listen({ host: '127.0.0.1', port })
  return { app, origin }
}

async function openPage(browser: Browser, origin: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(origin)
  return page
}

const login = `call('POST', '/auth/login', { username: 'alice', password: 'correct horse' })`

t.test('a browser', async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const { app, origin } = await startShop(t)
  const page = await openPage(browser, origin)
  await addAuthenticator(page)
  const loggedOut = async () => {
    await page.evaluate(`call('POST', '/auth/logout')`)
    t.match(await page.evaluate('me()'), [401], 'logged out')
  }

  t.match(await page.evaluate('me()'), [401])
  t.match(await page.evaluate(`call('POST', '/auth/login', { username: 'alice', password: 'wrong' })`), [401])
  t.match(await page.evaluate(login), [200, { user: { identifier: 'alice' } }], 'with a password')
  t.strictSame(await page.evaluate('me()'), [200, 'alice'])

  const made = `call('POST', '/webauthn/register/options').then(([, options]) => passkey('/webauthn/register/verify', options))`
  t.match(await page.evaluate(made), [201], 'a passkey is made')
  const [, enrolled] = (await page.evaluate(`call('POST', '/totp/enroll')`)) as [number, { secret: string }]
  const code = (ahead: number) => new TOTP({ secret: enrolled.secret }).generate({ timestamp: Date.now() + ahead })
  t.match(await page.evaluate(`call('POST', '/totp/confirm', { code: '${code(0)}' })`), [200])
  await loggedOut()

  t.match(await page.evaluate(login), [202, { methods: ['totp'] }])
  t.match(await page.evaluate('me()'), [401], 'half a login is none')
  t.match(await page.evaluate(`call('POST', '/auth/login/totp', { code: '${code(30_000)}' })`), [200], 'with a code')
  t.strictSame(await page.evaluate('me()'), [200, 'alice'])
  await loggedOut()

  const used = `call('POST', '/webauthn/login/options').then(([, options]) => passkey('/webauthn/login/verify', options))`
  t.match(await page.evaluate(used), [200, { user: { identifier: 'alice' } }], 'with a passkey')
  t.strictSame(await page.evaluate('me()'), [200, 'alice'])

  t.equal(await page.evaluate('open()'), '"hello"', 'a WebSocket')
  const { items } = await app.sessions.list({ user: 'alice' }, {})
  for (const { id } of items) t.ok(await app.sessions.revoke(id))
  t.equal(await page.evaluate('closed'), 4001, 'cut off')
  t.match(await page.evaluate('me()'), [401])
})
