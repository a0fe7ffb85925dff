/** People in the console: a user is made, given a role, locked and let in again, and loses a way in. */
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { type ConsoleApp, PASSWORD } from './console-app.ts'
import { HOSTILE } from './hostile-text.ts'
import { Visitor } from './visitor.ts'

export async function peopleWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  await t.test('a user from the first password to the lock', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const name = `hedy ${HOSTILE[1]}`
    await visitor.goto('/people')
    await visitor.signIn()
    await button('New user').click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('First password').fill(PASSWORD)
    t.strictSame(await visitor.violations(), [])
    await button('Make the user').click()
    await page.getByRole('heading', { name: /^hedy/ }).waitFor()

    const hers = await Visitor.open(t, browser, origin)
    await hers.goto('/account')
    await hers.signIn(name)
    await hers.page.getByRole('heading', { name: 'No access' }).waitFor()
    await page.getByLabel('Roles of the user').fill('ROLE_USER ROLE_SVC_ADMIN')
    await button('Save the roles').click()
    await page.getByText('The roles are changed').waitFor()
    await hers.page.reload()
    await hers.page.getByRole('heading', { name: 'Account' }).waitFor()
    await button('Undo').click()
    await page.getByText('The roles are as before.').waitFor()
    t.equal(await page.getByLabel('Roles of the user').inputValue(), 'ROLE_USER')
    await hers.page.reload()
    await hers.page.getByRole('heading', { name: 'No access' }).waitFor()
    t.match(hers.complaints.splice(0), [/403/, /403/])

    await page.reload()
    await page.getByText('Chrome on Linux').waitFor()
    t.strictSame(await visitor.violations(), [])
    await button('End the session of Chrome on Linux').click()
    await page.getByText('Signed in nowhere.').waitFor()
    await button('Lock').click()
    await button('Unlock').waitFor()
    await hers.page.reload()
    await hers.signIn(name)
    await hers.page.getByRole('alert').getByText('SVC_SEC_CREDENTIALS').waitFor()
    await button('Undo').click()
    await button('Lock').waitFor()

    await visitor.goto('/people')
    await page.getByRole('searchbox').fill('hedy')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'hedy' }).getByText('active').waitFor()
    t.strictSame(await visitor.violations(), [])
    t.equal(await page.evaluate('window.canary'), undefined)
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })

  await t.test('one-time codes and passkeys that were lost are taken away, and all sessions end', async (t) => {
    // Made while she signed in with each.
    const { items } = await app.userAccounts.list({ q: 'ada' }, { limit: 1, offset: 0 })
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    await visitor.goto(`/people/${items[0]?.id}`)
    await visitor.signIn()
    const remove = async (name: RegExp) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name }).waitFor({ state: 'detached' })
    }
    await remove(/^Remove the one-time codes/)
    await remove(/^Remove (?:Passkey|\w)/)
    await page.getByText('None.', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'End all' }).click()
    await page.getByText('Signed in nowhere.').waitFor()
    t.strictSame((await app.sessions.list({ user: 'ada' }, {})).items, [])
    const ended = app.audit.recent(50).filter(({ actor }) => actor === 'root')
    t.ok(ended.length >= 3, 'each is in the journal')
    t.strictSame(visitor.complaints, [])
  })

  await t.test('a way in that was lost is taken away', async (t) => {
    await app.userAccounts.create({ identifier: 'joan', password: PASSWORD, roles: ['ROLE_USER'] })
    const { items } = await app.userAccounts.list({ q: 'joan' }, { limit: 1, offset: 0 })
    await app.tokens.apiKeys.create('joan', { name: 'nightly' })
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    await visitor.goto(`/people/${items[0]?.id}`)
    await visitor.signIn()
    await page.getByRole('button', { name: 'Revoke nightly' }).click()
    await page.getByRole('button', { name: 'Revoke nightly' }).waitFor({ state: 'detached' })
    t.strictSame(visitor.complaints, [])
  })
}
