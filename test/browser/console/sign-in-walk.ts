/** The ways into the console, and out of it. */
import { TOTP } from 'otpauth'
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { addAuthenticator } from '../../support/virtual-authenticator.ts'
import type { ConsoleApp } from './console-app.ts'
import { PASSWORD } from './console-app.ts'
import { Visitor } from './visitor.ts'

const API = '/svc/security/api'

/** Runs in the page, with its session: one change over the API. */
const change = (path: string, body: object = {}) => `
  fetch('${API}/auth/csrf').then((answer) => answer.json()).then(({ csrfToken }) => fetch('${API}${path}', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    body: '${JSON.stringify(body)}'
  })).then((answer) => answer.json())`

/** The list of the journal, as it is asked for with a filter; what looks for newer rows has `since`. */
const FILTERED = /\/audit\/events\?(?!.*since=).*outcome=denied/

export async function signInWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  await t.test('with a password, to the page that was asked for', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    await visitor.goto('/audit?outcome=success')
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await visitor.signIn('root', 'wrong')
    await page.getByRole('alert').getByText('SVC_SEC_CREDENTIALS').waitFor()
    await page.getByRole('alert').getByText(/./).first().waitFor()
    // The browser notes the refused login.
    t.match(visitor.complaints.splice(0), [/401/])
    await visitor.signIn()
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    t.equal(page.url(), `${origin}/svc/console/audit?outcome=success`)
    await visitor.signOut()
    await visitor.goto('/audit')
    await page.getByLabel('Password').waitFor()
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })

  await t.test('a link to the sign-in leads nowhere else', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    for (const target of ['//evil.example', '/\\evil.example']) {
      await visitor.goto(`/sign-in?return=${encodeURIComponent(target)}`)
      await visitor.signIn()
      await visitor.page.getByRole('heading', { name: 'Audit' }).waitFor()
      t.equal(new URL(visitor.page.url()).origin, origin, target)
      await visitor.signOut()
    }
    t.strictSame(visitor.elsewhere(), [])
  })

  await t.test('a user without the role gets the word, and a way out', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    await visitor.goto('/audit')
    await visitor.signIn('paul')
    await visitor.page.getByRole('heading', { name: 'No access' }).waitFor()
    t.strictSame(await visitor.violations(), [])
    t.match(visitor.complaints.splice(0), [/403/])
    const asked = visitor.asked.map((url) => new URL(url).pathname)
    t.strictSame(
      asked.filter((path) => path.startsWith('/svc/console/files/') || path.includes('/audit/')),
      []
    )
    await visitor.signOut()
    t.equal(new URL(visitor.page.url()).searchParams.get('return'), '/svc/console/audit')
  })

  await t.test('with a passkey, and with a one-time code', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    await app.userAccounts.create({ identifier: 'ada', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
    await addAuthenticator(page)
    await visitor.goto()
    await visitor.signIn('ada')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await page.evaluate(`${change('/webauthn/register/options')}
      .then((options) => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }))
      .then((credential) => { window.made = credential.toJSON() })`)
    await page.evaluate(
      change('/webauthn/register/verify').replace(`'{}'`, 'JSON.stringify({ response: window.made })')
    )
    const { secret } = (await page.evaluate(change('/totp/enroll'))) as { secret: string }
    const code = (ahead: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + ahead })
    t.match(await page.evaluate(change('/totp/confirm', { code: code(0) })), { recoveryCodes: Array })

    await visitor.signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await visitor.signOut()
    await visitor.signIn('ada')
    await page.getByLabel('One-time code').fill(code(30_000))
    t.strictSame(await visitor.violations(), [])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    t.strictSame(visitor.complaints, [])
  })

  await t.test('a session that ends is asked for in place, and nothing is lost', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    await visitor.goto('/audit')
    await visitor.signIn()
    const search = page.getByRole('searchbox')
    await search.fill('half a thought')
    const { items } = await app.sessions.list({ user: 'root' }, {})
    for (const { id } of items) await app.sessions.revoke(id)
    await page.getByLabel('Outcome').selectOption('denied')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    t.strictSame(await visitor.violations(), [])
    t.equal(await dialog.getByLabel('Name').inputValue(), 'root')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    t.equal(await search.inputValue(), 'half a thought')
    t.match(new URL(page.url()).search, /outcome=denied/)
    t.strictSame(
      visitor.complaints.filter((text) => !/401|WebSocket/.test(text)),
      [],
      'nothing but what was refused'
    )
  })

  await t.test('a call that a change of the cookie overtook is sent again, and nothing is asked for', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    const json = { statusCode: 401, code: 'SVC_SEC_SESSION', error: 'Unauthorized', message: 'log in' }
    let asked = 0
    // Before there is a page: a route that is set while a page loads may not hold for it, and Playwright then hears nothing.
    await page.route(FILTERED, (route) => {
      asked += 1
      return asked === 1 ? route.fulfill({ status: 401, json }) : route.continue()
    })
    await visitor.goto('/audit')
    await visitor.signIn()
    const answered = page.waitForResponse((answer) => FILTERED.test(answer.url()) && answer.ok())
    await page.getByLabel('Outcome').selectOption('denied')
    await answered
    t.equal(asked, 2, 'once more')
    t.equal(await page.getByRole('dialog').count(), 0)
  })
}
