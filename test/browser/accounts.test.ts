/**
 * The pages of svc-accounts in a real browser: sign-up, reset, change of the address, invitation, export and deletion, each by the
 * link of its mail; passkeys, sessions, keys and logins by tokens; a sign-in with a passkey. No page breaks its content policy,
 * and axe finds nothing on any.
 */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import svcAccounts from 'svc-accounts'
import svcMail from 'svc-mail'
import svcSecurity from 'svc-security'
import t, { type Test } from 'tap'
import { KEY_SET } from '../support/account-app.ts'
import { violationsOf } from '../support/axe.ts'
import { openChromium } from '../support/chromium.ts'
import { freePort } from '../support/ports.ts'
import { addAuthenticator } from '../support/virtual-authenticator.ts'

const [ADA, NEW, BOB] = ['ada@example.org', 'ada@example.com', 'bob@example.org']
const [PASSWORD, OTHER] = ['correct horse battery', 'staple of another horse']

async function startShop(t: Test) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const app = createFastify()
  t.teardown(() => app.close())
  await app.register(svcSecurity, {
    areas: { api: { pattern: '^/api', authenticators: ['session', 'anonymous'] } },
    passwords: { memoryKib: 7168, passes: 1, parallelism: 1 },
    passkeys: { rpId: 'localhost', origins: [origin] },
    apiKeys: {},
    jwt: KEY_SET
  })
  await app.register(svcMail, { from: 'Shop <shop@example.org>', outbox: true })
  const flows = { signUp: {}, reset: {}, changeAddress: {}, invitations: {}, deletion: {}, export: {} }
  await app.register(svcAccounts, { link: `${origin}/account`, pages: {}, ...flows })
  await app.listen({ host: '127.0.0.1', port })
  return { app, origin }
}

/** A person at a browser, with a mailbox. */
class Person {
  readonly page: Page
  readonly #app: FastifyInstance
  readonly #origin: string

  constructor(page: Page, app: FastifyInstance, origin: string) {
    this.page = page
    this.#app = app
    this.#origin = origin
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#origin}/account${path}`)
    await this.isAt(path)
  }

  /** Waits for a page to work. */
  async isAt(path: string): Promise<void> {
    await this.page.waitForURL(`${this.#origin}/account${path}`)
    await this.page.waitForSelector('main[data-ready]')
  }

  async openLink(to: string, subject: string): Promise<void> {
    const { text } = await this.#app.mail.outbox.next({ to, subject })
    const url = /http:\S+/.exec(text)?.[0] ?? ''
    // A link that leads to the open page, but for its fragment, would not load it again.
    await this.page.goto('about:blank')
    await this.page.goto(url)
    await this.page.waitForSelector('main[data-ready]')
    if (this.page.url().includes('#')) throw new Error('the token is in the address bar')
  }

  async fill(form: string, values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.page.fill(`#${form} input[name=${name}]`, value)
    await this.page.click(`#${form} button`)
  }

  async reads(text: string | RegExp): Promise<void> {
    await this.page.locator('#status', { hasText: text }).waitFor()
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.open('/sign-in')
    await this.fill('login', { username, password })
    await this.isAt('')
    await this.page.locator('#who', { hasText: /@/ }).waitFor()
  }
}

t.test('the life of an account in a browser', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const { app, origin } = await startShop(t)
  const context = await browser.newContext({ locale: 'en-GB', acceptDownloads: true })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/.test(message.text())) faults.push(message.text())
  })
  const ada = new Person(page, app, origin)

  await t.test('signs up, and signs in', async (t) => {
    await ada.open('/sign-up')
    await ada.fill('begin', { address: ADA, password: PASSWORD })
    await ada.reads('a mail with a link is on its way')
    await ada.openLink(ADA, 'Confirm your address')
    await ada.fill('link', { password: OTHER })
    await ada.reads('not the password of the sign-up')
    await ada.fill('link', { password: PASSWORD })
    await ada.isAt('/sign-in')
    await ada.fill('login', { username: ADA, password: OTHER })
    await ada.reads('Try again')
    await ada.signIn('ada@EXAMPLE.org', PASSWORD)
    t.equal(await page.textContent('#who'), ADA)
  })

  await t.test('resets a password', async (t) => {
    await ada.open('/reset')
    await ada.fill('begin', { address: ADA })
    await ada.openLink(ADA, 'Reset your password')
    await ada.fill('link', { password: 'short' })
    await ada.reads('not accepted')
    await ada.fill('link', { password: OTHER })
    await ada.isAt('/sign-in')
    await ada.signIn(ADA, OTHER)
    await page.goto(`${origin}/account/reset#${'a'.repeat(43)}`)
    await page.waitForSelector('main[data-ready]')
    await ada.fill('link', { password: PASSWORD })
    await ada.reads('not valid any more')
    t.notOk(page.url().includes('#'))
  })

  await t.test('changes the address, and undoes it', async () => {
    await ada.open('')
    await ada.fill('address', { address: NEW })
    await ada.reads('on its way')
    await ada.openLink(NEW, 'Confirm your new address')
    await ada.fill('link', {})
    await ada.isAt('/sign-in')
    await ada.signIn(NEW, OTHER)
    await ada.openLink(ADA, 'The address of your account changes')
    await ada.fill('link', {})
    await ada.reads('on its way')
    await ada.openLink(ADA, 'Reset your password')
    await ada.fill('link', { password: PASSWORD })
    await ada.isAt('/sign-in')
    await ada.signIn(ADA, PASSWORD)
  })

  await t.test('downloads the data, and changes the password', async (t) => {
    await ada.fill('export', {})
    await ada.openLink(ADA, 'Your data can be downloaded')
    const [download] = await Promise.all([page.waitForEvent('download'), ada.fill('link', {})])
    t.equal(download.suggestedFilename(), 'account.json')
    await ada.open('')
    await ada.fill('password', { current: PASSWORD, password: OTHER })
    await ada.reads('Done.')
  })

  await t.test('deletes the account, and keeps it', async (t) => {
    t.notOk(await page.isVisible('#keep'))
    await ada.fill('delete', {})
    await ada.reads('will be deleted')
    await ada.openLink(ADA, 'Your account will be deleted')
    await ada.fill('link', {})
    await ada.reads('Done.')
    await ada.signIn(ADA, OTHER)
    await ada.fill('delete', {})
    await ada.signIn(ADA, OTHER)
    await page.getByText('This account will be deleted on').waitFor()
    t.strictSame(await violationsOf(page), [])
    await ada.fill('keep', {})
    await ada.reads('Done.')
  })

  await t.test('accepts an invitation, in German', async (t) => {
    await app.accounts.invite({ address: BOB, roles: [], locale: 'de' })
    const abroad = await browser.newContext({ locale: 'de-AT' })
    const german = await abroad.newPage()
    const bob = new Person(german, app, origin)
    await bob.open('/invitation')
    t.match(await german.textContent('main'), 'Öffnen Sie diese Seite über den Link einer Mail.')
    await bob.openLink(BOB, 'Sie sind eingeladen')
    await bob.fill('link', { password: PASSWORD })
    await bob.isAt('/sign-in')
    await bob.signIn(BOB, PASSWORD)
    await bob.fill('sign-out', {})
    await bob.isAt('/sign-in')
    await abroad.close()
  })

  await t.test('axe finds nothing on any page', async (t) => {
    for (const path of ['', '/reset', '/address', '/undo', '/invitation', '/deletion', '/export']) {
      await ada.open(path)
      t.strictSame(await violationsOf(page), [], path)
    }
  })

  await t.test('ends sessions, a login by tokens and a key', async (t) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const { accessToken } = await app.tokens.issue({ identifier: ADA })
    t.match(await app.tokens.verify(accessToken), { type: 'jwt' })
    await app.tokens.apiKeys.create(ADA, { name: 'nightly <b>' })
    await ada.open('')
    await button('Remove: nightly <b>').click()
    await button('Remove: nightly <b>').waitFor({ state: 'detached' })
    t.match(await app.tokens.apiKeys.list({ subject: ADA, active: true }, {}), { items: [] })
    const grants = page.locator('ul[data-items=grants] button')
    await grants.click()
    await grants.waitFor({ state: 'detached' })
    t.strictSame(await app.tokens.grants.list(ADA), [])

    const second = await browser.newContext()
    const elsewhere = await second.newPage()
    const other = new Person(elsewhere, app, origin)
    await other.signIn(ADA, OTHER)
    await ada.open('')
    const sessions = page.locator('ul[data-items=sessions] li')
    await sessions.filter({ hasText: '(this browser)' }).waitFor()
    const before = await sessions.count()
    await page.locator('ul[data-items=sessions] button').first().click()
    await sessions.nth(before - 1).waitFor({ state: 'detached' })
    const ended = page.waitForResponse((answer) => answer.url().endsWith('/revoke-others'))
    await page.click('#end-others button')
    t.equal((await ended).status(), 200)
    await sessions.filter({ hasText: '(this browser)' }).waitFor()
    await sessions.nth(1).waitFor({ state: 'detached' })
    await elsewhere.reload()
    await other.isAt('/sign-in')
    await second.close()
  })

  await t.test('signs in with a passkey, without a name', async () => {
    // From now on the authenticator answers each page that offers a sign-in.
    await addAuthenticator(page)
    await page.evaluate(`(async () => {
      const me = await (await fetch('/svc/security/api/auth/me')).json()
      const post = async (path, body) => (await fetch('/svc/security/api/webauthn' + path, {
        method: 'POST', headers: { 'content-type': 'application/json', 'x-csrf-token': me.csrfToken }, body: JSON.stringify(body)
      })).json()
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await post('/register/options', {}))
      const made = await navigator.credentials.create({ publicKey })
      await post('/register/verify', { response: made.toJSON() })
    })()`)
    await ada.fill('sign-out', {})
    await ada.isAt('/sign-in')
    // The list of names that the browser offers, or the button: either uses the passkey.
    await page.click('#passkey', { timeout: 5000 }).catch(() => undefined)
    await ada.isAt('')
  })

  await t.test('removes a passkey, adds another and names it', async (t) => {
    const entries = page.locator('ul[data-items=credentials] li')
    await entries.getByRole('button', { name: /^Remove/ }).click()
    await entries.waitFor({ state: 'detached' })
    await page.fill('#add-passkey input', 'phone')
    await page.click('#add-passkey button')
    await entries.filter({ hasText: 'phone' }).waitFor()
    await entries.getByLabel('Name of the passkey: phone').fill('key ring <i>')
    await page.getByRole('button', { name: 'Rename: phone' }).click()
    await entries.filter({ hasText: 'key ring <i>' }).waitFor()
    t.strictSame(await violationsOf(page), [])
  })

  t.strictSame(faults, [], 'no page breaks its policy, or throws')
})
