/** Organisations in the console, in a real browser, over a database on disk. */
import { systemClock } from 'svc-kernel'
import t from 'tap'
import { openChromium } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { PASSWORD } from './console/console-app.ts'
import { tabTo } from './console/keyboard-walk.ts'
import { STRANGE, startOrganizations } from './console/organizations-app.ts'
import { MOVED, Visitor } from './console/visitor.ts'

const API = '/svc/organizations/api/organizations'

t.test('organisations of customers', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  let later = 0
  const clock = { ...systemClock, now: () => Date.now() + later }
  const { app, origin, served, acme, strange, key } = await startOrganizations(t, clock)
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const recorded = (action: string) => app.audit.recent(200).find((event) => event.action === action)
  const billing = async () =>
    (await app.inject({ url: '/api/at/acme/billing', headers: { authorization: `Bearer ${key}` } })).statusCode
  const open = async (path = '') => {
    await visitor.goto(`/organizations/${acme}${path}`)
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
  }

  await t.test('all of them: found by name and state, by the keyboard', async (t) => {
    await visitor.goto('/account')
    await visitor.signIn()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByText('2 organisations', { exact: true }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.keyboard.press('/')
    await page.keyboard.type('ACM')
    await page.keyboard.press('Enter')
    await page.getByText('1 organisation', { exact: true }).waitFor()
    await page.getByText('2 members', { exact: true }).waitFor()
    await page.getByLabel('State').selectOption('suspended')
    await page.getByText('No organisation matches.').waitFor()
    await page.getByLabel('State').selectOption('')
    await page.getByRole('link', { name: 'Acme' }).waitFor()
    await tabTo(page, 'Acme')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
    await page.getByText('2 members', { exact: true }).waitFor()
    t.strictSame(await visitor.violations(), [])
  })

  await t.test('suspended with a reason, and resumed', async (t) => {
    t.equal(await billing(), 200)
    await tabTo(page, 'Suspend')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Suspend Acme?' })
    t.strictSame(await visitor.violations(), [])
    await button('Suspend the organisation').click()
    t.equal(await dialog.count(), 1, 'not without a reason')
    await dialog.getByLabel('Reason').fill('unpaid <b>')
    await button('Suspend the organisation').click()
    await page.getByText(/: unpaid <b>$/).waitFor()
    t.equal((await app.organizations.find(acme))?.state, 'suspended')
    t.match(recorded('organization.suspended'), { actor: 'root', resource: acme, metadata: { reason: 'unpaid <b>' } })
    t.equal(await billing(), 401, 'its keys have ended')
    await button('Resume').click()
    await page.getByText('Acme is open again.').waitFor()
    t.match(recorded('organization.resumed'), { actor: 'root', resource: acme })
  })

  await t.test('members: the ownership is offered after a fresh proof, and one is removed', async (t) => {
    await page.getByRole('link', { name: 'Members' }).click()
    const row = page.getByRole('row').filter({ hasText: 'bob@example.org' })
    await row.getByText('clerk').waitFor()
    t.strictSame(await visitor.violations(), [])
    // The login is no recent proof any more.
    later = 601_000
    await button('Offer the ownership to bob@example.org').click()
    t.strictSame(await visitor.violations(), [])
    await button('Offer the ownership').click()
    const confirm = page.getByRole('dialog', { name: 'Confirm who you are' })
    await confirm.getByLabel('Your password').fill(PASSWORD)
    t.equal(recorded('organization.transfer_offered'), undefined)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The ownership is offered to bob@example.org').waitFor()
    t.match(recorded('organization.transfer_offered'), { actor: 'root', metadata: { member: 'bob@example.org' } })
    t.match(
      (await app.organizations.members(acme)).map(({ role }) => role),
      ['owner', 'clerk'],
      'nothing changes until it is accepted'
    )
    await button('Withdraw the offer').click()
    await page.getByText('The offer of the ownership is withdrawn.').waitFor()
    await button('Remove ada@example.org').click()
    await button('Remove the member').click()
    await page.getByRole('alert').getByText('SVC_ORG_LAST_OWNER').waitFor()
    t.match(visitor.complaints.splice(0), [/403/, /409/], 'the proof that was due, and the last owner')
    await button('Remove bob@example.org').click()
    t.strictSame(await visitor.violations(), [])
    await button('Cancel').click()
    t.equal((await app.organizations.members(acme)).length, 2)
    await button('Remove bob@example.org').click()
    await button('Remove the member').click()
    await row.waitFor({ state: 'detached' })
    t.match(recorded('organization.member_removed'), { actor: 'root', metadata: { member: 'bob@example.org' } })
  })

  await t.test('invitations and keys are revoked; a domain shows its record', async (t) => {
    const ada = await app.organizations.members(acme)
    t.equal(ada.length, 1)
    await page.getByRole('link', { name: 'Invitations' }).click()
    await button('Revoke the invitation of eve@example.org').click()
    t.strictSame(await visitor.violations(), [])
    await button('Revoke').click()
    await page.getByText('No invitation is open.').waitFor()
    t.match(recorded('organization.invitation_revoked'), { actor: 'root', resource: acme })
    const own = { owner: true, permissions: new Set(['billing']) }
    const made = await app.organizations.keys?.create(acme, { name: 'weekly', permissions: ['billing'] }, own)
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByText('weekly').waitFor()
    t.notOk((await page.content()).includes(made?.token ?? ''), 'without its secret')
    await button('Revoke the key weekly').click()
    await button('Revoke').click()
    await page.getByText('The organisation has no key.').waitFor()
    t.match(recorded('organization.key_revoked'), { actor: 'root', metadata: { key: made?.key.id } })
    await page.getByRole('link', { name: 'Domains' }).click()
    await page.getByText('The organisation has claimed no domain.').waitFor()
    t.strictSame(await visitor.violations(), [])
  })

  await t.test('a deletion, its export and its cancellation', async (t) => {
    await open()
    await button('Delete').click()
    t.strictSame(await visitor.violations(), [])
    await button('Delete the organisation').click()
    await button('Cancel the deletion').waitFor()
    await page.getByText('closing', { exact: false }).first().waitFor()
    t.match(recorded('organization.deletion_requested'), { actor: 'root', resource: acme })
    const exported = async () => (await app.jobs.list({ state: 'done', name: 'svc.organizations.export' })).items.length
    await until(async () => (await exported()) === 1, 'the export')
    await open()
    const download = page.waitForEvent('download')
    await button('Download the export').click()
    t.equal((await download).suggestedFilename(), 'acme.json')
    t.match(recorded('organization.exported'), { actor: 'root', resource: acme })
    t.strictSame(await visitor.violations(), [])
    await page.getByRole('link', { name: 'Its jobs' }).click()
    await page.getByRole('link', { name: 'svc.organizations.export' }).waitFor()
    await open()
    await button('Cancel the deletion').click()
    await button('Suspend').waitFor()
    await button('Delete').waitFor()
    t.match(recorded('organization.deletion_cancelled'), { actor: 'root', resource: acme })
    await page.getByRole('link', { name: 'What happened' }).click()
    await page.getByRole('link', { name: 'organization.deletion_cancelled' }).waitFor()
    t.strictSame(visitor.complaints.splice(0), [])
  })

  await t.test('text of strangers stays text, from 320 pixels to 4 k, and nothing moves', async (t) => {
    await page.addInitScript(MOVED)
    for (const path of ['', `/${strange}`, ...['members', 'keys'].map((part) => `/${strange}/${part}`)]) {
      await page.setViewportSize({ width: 320, height: 640 })
      await visitor.goto(`/organizations${path}`)
      await page.locator('#main').getByText(STRANGE).first().waitFor({ state: 'attached' })
      await page.locator('#main').getByText('Loading …').first().waitFor({ state: 'detached' })
      t.strictSame(await visitor.violations(), [], path)
      for (const width of [320, 721, 3840]) {
        await page.setViewportSize({ width, height: 640 })
        t.equal(await visitor.tooWide(), 0, `${path} at ${width} pixels`)
      }
    }
    t.equal(await page.evaluate('window.canary'), undefined)
    await visitor.goto('/organizations/org_none')
    await page.getByRole('alert').getByText('SVC_ORG_NOT_FOUND').waitFor()
    t.match(visitor.complaints.splice(0), [/404/])
    t.strictSame(visitor.elsewhere(), [])
  })

  await t.test(
    'a change without the token of the session is refused, and what was asked for is described',
    async (t) => {
      const path = `${API}/${acme}/suspend`
      const body = JSON.stringify({ reason: 'x' })
      const init = `{ method: 'POST', body: ${JSON.stringify(body)}, headers: { 'content-type': 'application/json' } }`
      t.equal(await page.evaluate(`fetch(${JSON.stringify(path)}, ${init}).then(({ status }) => status)`), 403)
      t.equal((await app.organizations.find(acme))?.state, 'active')
      const { paths } = app.swagger() as { paths: Record<string, Record<string, unknown>> }
      const asked = [...served].filter((route) => route.includes(` ${API}`))
      t.ok(asked.length >= 14, `${asked.length} routes`)
      for (const route of asked) {
        const [method = '', url = ''] = route.split(' ')
        t.ok(paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] !== undefined, `${route} is described`)
      }
    }
  )
})
