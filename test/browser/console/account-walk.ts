/** The own account in the console: each way to sign in is made and taken away, sessions and keys end. */
import { TOTP } from 'otpauth'
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { addAuthenticator } from '../../support/virtual-authenticator.ts'
import { type ConsoleApp, PASSWORD } from './console-app.ts'
import { HOSTILE } from './hostile-text.ts'
import { Visitor } from './visitor.ts'

export async function accountWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  await app.userAccounts.create({ identifier: 'grace', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await t.test('one-time codes, by a QR code or its secret', async (t) => {
    await visitor.goto('/account')
    await visitor.signIn('grace')
    await button('Set up').click()
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    t.strictSame(await visitor.violations(), [])
    const secret = (await page.locator('.card .secret code').textContent()) ?? ''
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await button('Confirm').click()
    await page.getByRole('alert').getByText('SVC_SEC_CREDENTIALS').waitFor()
    t.equal(await page.getByRole('dialog').count(), 0, 'a wrong code is no ended session')
    t.match(visitor.complaints.splice(0), [/401/])
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate())
    await button('Confirm').click()
    const dialog = page.getByRole('dialog', { name: 'Recovery codes' })
    const codes = ((await dialog.locator('pre').textContent()) ?? '').split('\n')
    t.equal(codes.length, 10)
    t.strictSame(await visitor.violations(), [])
    await button('I have stored them').click()
    await page.getByText('10 recovery codes are left.').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await button('Switch off').click()
    await button('Set up').waitFor()
    t.strictSame(visitor.complaints, [])
  })

  await t.test('passkeys, with names that are only text', async (t) => {
    await addAuthenticator(page)
    const name = HOSTILE[1] ?? ''
    await page.getByLabel('Name of a new one').fill(name)
    await button('Add a passkey').click()
    await page.getByText(name, { exact: true }).waitFor()
    await button(`Remove ${name}`).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('None. A passkey signs in').waitFor()
    t.equal(await page.evaluate('window.canary'), undefined)
    t.strictSame(visitor.complaints, [])
  })

  await t.test('keys: shown once, then revoked', async (t) => {
    await page.getByLabel('Name of a new key').fill('nightly')
    await page.getByLabel('Scopes').fill('orders:read')
    await button('Make a key').click()
    const dialog = page.getByRole('dialog', { name: 'The new key' })
    const token = (await dialog.locator('code').textContent()) ?? ''
    const headers = { authorization: `Bearer ${token}` }
    const status = async () => (await app.inject({ url: '/svc/security/api/keys', headers })).statusCode
    t.equal(await status(), 200)
    await button('I have stored it').click()
    t.notMatch(await page.content(), token)
    await button('Revoke nightly').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('None. A key lets a program call').waitFor()
    t.equal(await status(), 401)
    t.strictSame(visitor.complaints, [])
  })

  await t.test('sessions, and a password whose change ends the others', async (t) => {
    const other = await Visitor.open(t, browser, origin)
    await other.goto('/account')
    await other.signIn('grace')
    await other.page.getByRole('heading', { name: 'Sessions' }).waitFor()
    await page.reload()
    await page.getByText('this browser').waitFor()
    t.equal(await page.getByText('Chrome on Linux').count(), 2)
    await button('End the session of Chrome on Linux').click()
    await button('End the session of Chrome on Linux').waitFor({ state: 'detached' })
    await other.page.reload()
    await other.signIn('grace')
    await other.page.getByRole('heading', { name: 'Sessions' }).waitFor()
    await page.reload()
    await button('End all others').click()
    await page.getByText('1 session ended.').waitFor()
    await other.page.reload()
    await other.signIn('grace')
    await other.page.getByRole('heading', { name: 'Sessions' }).waitFor()

    await page.getByLabel('Current password').fill('not it')
    await page.getByLabel('New password').fill('a much better one')
    await button('Change the password').click()
    await page.getByRole('alert').getByText('SVC_SEC_CREDENTIALS').waitFor()
    t.match(visitor.complaints.splice(0), [/401/])
    await page.getByLabel('Current password').fill(PASSWORD)
    await button('Change the password').click()
    await page.getByText('The password is changed.').waitFor()
    await other.page.reload()
    await other.signIn('grace', 'a much better one')
    await other.page.getByRole('heading', { name: 'Sessions' }).waitFor()
    t.strictSame(await visitor.violations(), [])
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })
}
