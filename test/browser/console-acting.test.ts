/**
 * Acting as another user from the console: a reason is asked for, a proof that is too old is confirmed in the dialog, every page
 * says who acts, and the end gives the console back.
 */
import { systemClock } from 'svc-kernel'
import t from 'tap'
import { openChromium } from '../support/chromium.ts'
import { PASSWORD, startConsole } from './console/console-app.ts'
import { Visitor } from './console/visitor.ts'

t.test('acting as a user', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  let later = 0
  const { app, origin } = await startConsole({ clock: { ...systemClock, now: () => Date.now() + later } })
  t.teardown(() => app.close())
  const idOf = async (q: string) => (await app.userAccounts.list({ q }, { limit: 1, offset: 0 })).items[0]?.id
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const banner = page.getByRole('status').filter({ hasText: 'You act as paul' })

  await visitor.goto(`/people/${await idOf('root')}`)
  await visitor.signIn()
  await page.getByRole('heading', { name: 'root' }).waitFor()
  t.equal(await button('Act as').count(), 0, 'nobody acts as themselves')

  // The login is no recent proof any more.
  later = 601_000

  const other = await page.context().newPage()
  await other.goto(`${visitor.base}/people`)
  await other.getByRole('heading', { name: 'People' }).waitFor()

  await visitor.goto(`/people/${await idOf('paul')}`)
  await button('Act as').click()
  const dialog = page.getByRole('dialog', { name: 'Act as paul' })
  t.strictSame(await visitor.violations(), [])
  await button('Act as the user').click()
  t.equal(await dialog.count(), 1, 'without a reason nothing begins')
  t.strictSame(
    app.audit.recent(50).filter(({ action }) => action === 'impersonation.begun'),
    []
  )
  await dialog.getByLabel('Reason').fill('ticket 7 <b>')
  await button('Act as the user').click()

  const confirm = page.getByRole('dialog', { name: 'Confirm who you are' })
  await confirm.waitFor()
  t.strictSame(await visitor.violations(), [])
  await confirm.getByLabel('Your password').fill('wrong')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await confirm.getByRole('alert').getByText('SVC_SEC_CREDENTIALS').waitFor()
  await confirm.getByLabel('Your password').fill(PASSWORD)
  await confirm.getByRole('button', { name: 'Confirm' }).click()

  await banner.waitFor()
  await page.getByText('Reason: ticket 7 <b>').waitFor()
  await page.getByText('only read').waitFor()
  t.strictSame(await visitor.violations(), [])
  t.match(
    app.audit.recent(50).find(({ action }) => action === 'impersonation.begun'),
    {
      actor: 'root',
      resource: 'paul',
      reason: 'ticket 7 <b>'
    }
  )
  await visitor.goto('/audit')
  await banner.waitFor()
  // A page that was open before says so, too.
  await other.evaluate("window.dispatchEvent(new Event('focus'))")
  await other.getByRole('status').filter({ hasText: 'You act as paul' }).waitFor()

  await button('Stop acting as the user').click()
  await page.getByRole('heading', { name: 'Audit' }).waitFor()
  t.equal(await banner.count(), 0)
  t.match(
    app.audit.recent(50).find(({ action }) => action === 'impersonation.ended'),
    { actor: 'root' }
  )
})
