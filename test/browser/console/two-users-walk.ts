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
  /** The session ends with the first call of the change: no other call of the page can notice before. */
  const grantAfterTheEnd = async (page: Page) => {
    let isOver = false
    await page.route('**/svc/security/api/**', async (route) => {
      const isOfTheChange = route.request().method() !== 'GET' || route.request().url().endsWith('/auth/me')
      if (isOfTheChange && !isOver) {
        isOver = true
        const { items } = await app.sessions.list({ user: 'alice' }, {})
        for (const { id } of items) await app.sessions.revoke(id)
      }
      await route.continue()
    })
    await grant(page)
  }

  await t.test('Q1: a change that waits for a sign-in is not made by another account', async (t) => {
    const { page } = await open(t, `/people/${target}`, 'alice')
    await grantAfterTheEnd(page)
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
    await grantAfterTheEnd(page)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The roles are changed').waitFor()
    t.strictSame(await rolesOfVictor(), ['ROLE_USER', 'ROLE_SVC_ADMIN'])
  })

  const saveRoles = async (page: Page, roles: string) => {
    await page.getByLabel('Roles of the user').fill(roles)
    await page.getByRole('button', { name: 'Save the roles' }).click()
  }

  await t.test('Q7: of two administrators who give roles at once the later sees both, and chooses', async (t) => {
    await app.userAccounts.setRoles('victor', ['ROLE_USER'])
    const { page: early } = await open(t, `/people/${target}`, 'alice')
    const { page: late } = await open(t, `/people/${target}`, 'bob')
    await saveRoles(early, 'ROLE_EDITOR')
    await early.getByText('The roles are changed').waitFor()
    await saveRoles(late, 'ROLE_USER ROLE_BILLING')
    const conflict = late.getByRole('alert').filter({ hasText: 'The user has changed since you read it' })
    await conflict.waitFor()
    t.strictSame(await conflict.getByRole('cell').allInnerTexts(), ['ROLE_EDITOR', 'ROLE_USER ROLE_BILLING'])
    t.strictSame(await rolesOfVictor(), ['ROLE_EDITOR'], 'nothing was put back')
    await conflict.getByRole('button', { name: 'Keep what is there now' }).click()
    await conflict.waitFor({ state: 'detached' })
    t.equal(await late.getByLabel('Roles of the user').inputValue(), 'ROLE_EDITOR')
    await saveRoles(late, 'ROLE_EDITOR ROLE_BILLING')
    await late.getByText('The roles are changed').waitFor()
    t.strictSame(await rolesOfVictor(), ['ROLE_EDITOR', 'ROLE_BILLING'])
  })

  await t.test('Q7: a form of an endpoint sends what it changed, and puts back nothing of another tab', async (t) => {
    const { endpoint } = await app.webhooks.create({ url: 'http://127.0.0.1:1/old', events: ['config.update'] })
    const edit = async (name: string) => {
      const visitor = await Visitor.open(t, browser, origin)
      await visitor.goto(`/webhooks/${endpoint.id}/edit`)
      await visitor.signIn(name)
      await visitor.page.getByLabel('URL').waitFor()
      return visitor.page
    }
    const [early, late] = [await edit('alice'), await edit('bob')]
    await early.getByLabel('URL').fill('http://127.0.0.1:1/new')
    await early.getByRole('button', { name: 'Save' }).click()
    await early.getByText('Saved.').waitFor()
    await late.getByLabel('Description').fill('of the shop')
    await late.getByRole('button', { name: 'Save' }).click()
    const conflict = late.getByRole('alert').filter({ hasText: 'The endpoint has changed since you read it' })
    await conflict
      .getByText('Description')
      .or(conflict.getByRole('cell', { name: 'of the shop' }))
      .first()
      .waitFor()
    await conflict.getByRole('button', { name: 'Save mine over it' }).click()
    await late.getByText('Saved.').waitFor()
    t.match(await app.webhooks.find(endpoint.id), { url: 'http://127.0.0.1:1/new', description: 'of the shop' })
  })

  await t.test(
    'Q11: roles are chosen among known ones, the difference and a misspelt one are shown before',
    async (t) => {
      await app.userAccounts.setRoles('victor', ['ROLE_USER', 'ROLE_BILLING'])
      const { page } = await open(t, `/people/${target}`, 'alice')
      const save = page.getByRole('button', { name: 'Save the roles' })
      t.ok(await save.isDisabled(), 'there is nothing to save')
      await page.getByText('Roles to choose from').click()
      await page.getByLabel('ROLE_EDITOR', { exact: true }).check()
      await page.getByText('Gives ROLE_EDITOR.').waitFor()
      await page.getByLabel('ROLE_BILLING', { exact: true }).uncheck()
      await page.getByText('Takes away ROLE_BILLING.').waitFor()
      await page.getByLabel('Roles of the user').fill('ROLE_EDITRO')
      await page.getByText('ROLE_EDITRO is in no guard and no hierarchy').waitFor()
      await page.getByText('Takes away ROLE_USER ROLE_BILLING.').waitFor()
      t.strictSame(await rolesOfVictor(), ['ROLE_USER', 'ROLE_BILLING'], 'all of it before it is saved')
    }
  )

  await t.test('Q11: a change that needs a fresh proof asks for it, and is sent again with it', async (t) => {
    await app.userAccounts.setRoles('victor', ['ROLE_USER'])
    const { page } = await open(t, `/people/${target}`, 'alice')
    const body = {
      statusCode: 403,
      code: 'SVC_SEC_PROOF_DUE',
      error: 'Forbidden',
      message: 'confirm your identity first'
    }
    const refuseOnce = () => page.route('**/roles', (route) => route.fulfill({ status: 403, json: body }), { times: 1 })
    const dialog = page.getByRole('dialog', { name: 'Confirm who you are' })
    await refuseOnce()
    await saveRoles(page, 'ROLE_USER ROLE_EDITOR')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('nothing was changed').waitFor()
    t.strictSame(await rolesOfVictor(), ['ROLE_USER'])
    await refuseOnce()
    await page.getByRole('button', { name: 'Save the roles' }).click()
    await dialog.getByLabel('Your password').fill('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('SVC_SEC_CREDENTIALS').waitFor()
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The roles are changed').waitFor()
    t.strictSame(await rolesOfVictor(), ['ROLE_USER', 'ROLE_EDITOR'])
  })
}
