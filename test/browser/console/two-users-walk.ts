/** Two administrators before one browser: a change is made by the one who typed it, or not at all. */
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { type ConsoleApp, PASSWORD } from './console-app.ts'
import { Visitor } from './visitor.ts'

export async function twoUsersWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  const create = (identifier: string, roles = ['ROLE_SVC_ADMIN']) =>
    app.userAccounts.create({ identifier, password: PASSWORD, roles })
  await create('alice')
  await create('bob')
  const target = await create('victor', ['ROLE_USER'])
  const rolesOfVictor = async () =>
    (await app.userAccounts.list({ q: 'victor' }, { limit: 1, offset: 0 })).items[0]?.roles
  /** But for the way in. */
  const doneBy = (actor: string) =>
    app.audit
      .recent(500)
      .filter((event) => event.actor === actor && event.outcome === 'success')
      .filter(({ action }) => !/^(?:login|logout|session)/.test(action))

  const open = async (t: Test, path: string, name: string) => {
    const visitor = await Visitor.open(t, browser, origin)
    await visitor.goto(path)
    await visitor.signIn(name)
    await visitor.page.getByRole('button', { name: 'Save the roles' }).waitFor()
    return visitor
  }
  const grant = async (page: Page) => {
    await page.getByLabel('Roles of the user').fill('ROLE_USER ROLE_SVC_ADMIN')
    await page.getByRole('button', { name: 'Save the roles' }).click()
  }

  await t.test('Q1: a change that waits for a sign-in is not made by another account', async (t) => {
    const { page } = await open(t, `/people/${target}`, 'alice')
    const { items } = await app.sessions.list({ user: 'alice' }, {})
    for (const { id } of items) await app.sessions.revoke(id)
    await grant(page)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Name').fill('bob')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('You are signed in as bob. What alice had not saved was not sent.').waitFor()
    t.equal(await page.getByLabel('Roles of the user').inputValue(), 'ROLE_USER', 'the page began again')
    t.equal(await page.locator('.who .name').textContent(), 'bob')
    t.strictSame(await rolesOfVictor(), ['ROLE_USER'])
    t.strictSame(doneBy('bob'), [], 'bob has done nothing')
  })

  await t.test('Q1: nor by an account that signed in in another tab', async (t) => {
    const { page } = await open(t, `/people/${target}`, 'alice')
    // Her page holds a token, so that the change does not begin with a look at who is signed in.
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByRole('button', { name: 'Unlock', exact: true }).click()
    await page.getByRole('button', { name: 'Lock', exact: true }).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${origin}/svc/console/system`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('Name').fill('bob')
    await other.getByLabel('Password').fill(PASSWORD)
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.getByRole('heading', { name: 'Audit' }).waitFor()
    await grant(page)
    const refusal = page.getByRole('alert').filter({ hasText: 'SVC_SEC_CSRF' })
    await refusal.or(page.getByText('You are signed in as bob.')).first().waitFor()
    if (await refusal.isVisible()) await page.getByRole('button', { name: 'Save the roles' }).click()
    await page.getByText('You are signed in as bob.').waitFor()
    t.strictSame(await rolesOfVictor(), ['ROLE_USER'])
    t.strictSame(doneBy('bob'), [], 'bob has done nothing')
  })

  await t.test('Q1: the account that typed it goes on with it', async (t) => {
    const { page } = await open(t, `/people/${target}`, 'alice')
    const { items } = await app.sessions.list({ user: 'alice' }, {})
    for (const { id } of items) await app.sessions.revoke(id)
    await grant(page)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The roles are changed').waitFor()
    t.strictSame(await rolesOfVictor(), ['ROLE_USER', 'ROLE_SVC_ADMIN'])
  })
}
