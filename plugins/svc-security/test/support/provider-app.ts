/** A whole application with one provider, `home`: alice and eve have passwords, and nobody has an account there yet. */
import { randomBytes } from 'node:crypto'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import type { SvcSecurityOptions, SvcSecurityParts } from '../../src/index.ts'
import { hashPassword } from '../../src/password-hashes/argon2id.ts'
import { userStore } from '../../src/users/user-store.ts'
import { ALICE_PASSWORD, CHEAP } from './accounts.ts'
import { auditing } from './auditing.ts'
import { securedApp } from './guarded-app.ts'
import { API, Browser } from './login-app.ts'
import { CLIENT, OidcServer } from './oidc-server.ts'

type Provider = Partial<NonNullable<SvcSecurityOptions['oauth2']>['providers'][string]>

/** @param setting of the provider `home`, beside what it needs; `parts` beside the clock and the users */
export async function providerApp(t: Test, setting: Provider = {}, parts: SvcSecurityParts = {}) {
  const server = await new OidcServer().start()
  t.teardown(() => server.close())
  const clock = new ManualClock(Date.now())
  const store = inMemory(userStore, { clock })
  const password = await hashPassword(ALICE_PASSWORD, CHEAP)
  const { id } = await store.create({ identifier: 'alice', password, roles: ['ROLE_USER'] })
  await store.create({ identifier: 'eve', password })
  const provider = {
    issuer: server.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    secondFactor: ['mfa'],
    ...setting
  }
  const app = await securedApp({
    passwords: CHEAP,
    session: {},
    passkeys: { rpId: 'shop.example', origins: ['https://shop.example'] },
    totp: { encryptionKey: randomBytes(32).toString('base64') },
    oauth2: { publicUrl: 'https://shop.example', landingPath: '/home', providers: { home: provider } },
    parts: { clock, ...parts, stores: { user: store, ...parts.stores } }
  })
  t.teardown(() => app.close())
  const records: Array<Record<string, unknown>> = []
  auditing(app, (event) => void records.push({ ...event }))
  const callback = (browser: Browser, query: URLSearchParams | string, name = 'home') =>
    browser.call('GET', `${API}/oauth2/${name}/callback?${query}`)
  const begin = async (browser: Browser) =>
    String((await browser.call('GET', `${API}/oauth2/home/authorize`)).headers.location)
  const login = async (browser = new Browser(app)) => callback(browser, await server.visit(await begin(browser)))
  const link = async (name: string) => {
    const browser = new Browser(app)
    await browser.login(name)
    const headers = { 'x-csrf-token': await browser.csrfToken() }
    const { url } = (await browser.call('POST', `${API}/oauth2/home/authorize`, { headers })).json()
    return { browser, answer: await callback(browser, await server.visit(url)) }
  }
  return { app, server, clock, store, id, records, callback, begin, login, link }
}
