/** Data in the console: the model drawn and searched, an entity, its rows for who may see them, the databases, the exports. */
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { type ConsoleApp, PASSWORD } from './console-app.ts'
import { HOSTILE } from './hostile-text.ts'
import { Visitor } from './visitor.ts'

export async function dataWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  const customers = app.orm.repository('Customer')
  for (const [index, text] of HOSTILE.slice(0, 10).entries()) {
    const name = `${index} ${text}`.slice(0, 120)
    await customers.create({ name, notes: text.repeat(30), settings: { [text]: text }, passwordHash: 'HIDDEN' })
  }

  await t.test('the model: drawn, listed, searched; one entity; the export', async (t) => {
    await visitor.goto('/data')
    await visitor.signIn()
    const drawing = page.getByRole('img', { name: /The model: 2 entities, 2 references/ })
    await drawing.waitFor()
    await page.getByRole('link', { name: 'Customer' }).waitFor()
    await page.getByText('10 rows').waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.getByRole('searchbox').fill('SHIPPED')
    await page.getByText('1 of 2 entities').waitFor()
    t.equal(await drawing.locator('.found').count(), 1)
    t.equal(await page.getByRole('navigation', { name: 'Entities' }).getByRole('link').count(), 1)
    await page.getByRole('button', { name: 'Nearer' }).click()
    await page.getByText('125 %').waitFor()
    await page.getByRole('button', { name: 'Whole model' }).click()
    await page.getByText('100 %').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export DBML' }).click()
    ])
    t.equal(download.suggestedFilename(), 'model.dbml')
    t.match(await readFile(await download.path(), 'utf8'), /Table/)
    const [schema] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export JSON Schema' }).click()
    ])
    t.match(await readFile(await schema.path(), 'utf8'), /"Customer"/)
    await page.getByRole('navigation', { name: 'Entities' }).getByRole('link', { name: 'Order' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Order' }).waitFor()
    await page.getByRole('cell', { name: 'decimal, 2 decimals' }).waitFor()
    await page.getByText(`one of new, ${HOSTILE[1]}`).waitFor()
    await page.getByText(HOSTILE[0] ?? '', { exact: true }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.getByRole('link', { name: 'Customer' }).click()
    await page.getByText('one of plain, gold').waitFor()
    const referring = page.locator('h2:text-is("Referred to by") + ul').getByRole('listitem')
    t.strictSame(await referring.allInnerTexts(), [
      'Customer sentBy many-to-one by sentById',
      'Order customer many-to-one by customerId'
    ])
    t.equal(await page.evaluate('window.canary'), undefined)
    t.strictSame(visitor.complaints, [])
  })

  await t.test('rows: for who has the role of their own; strange values are text, secrets are not there', async (t) => {
    await page.getByRole('link', { name: 'Rows' }).click()
    await page.getByText('ROLE_SVC_DATA').waitFor()
    t.strictSame(await visitor.violations(), [])
    // The browser reports the refusal.
    t.ok(visitor.complaints.splice(0).every((each) => each.includes('403')))

    await app.userAccounts.create({
      identifier: 'dora',
      password: PASSWORD,
      roles: ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA']
    })
    const hers = await Visitor.open(t, browser, origin)
    await hers.goto('/data/entities/memory/Customer/rows')
    await hers.signIn('dora')
    await hers.page
      .getByText(HOSTILE[0] ?? '')
      .first()
      .waitFor()
    t.notMatch(await hers.page.content(), 'HIDDEN')
    await hers.page.getByText('passwordHash').waitFor()
    t.strictSame(await hers.violations(), [])
    await hers.page.getByRole('combobox', { name: 'Order' }).selectOption('name:DESC')
    await hers.page.getByRole('row').nth(1).getByText(/^9 /).waitFor()
    await hers.page.getByRole('combobox', { name: 'Field' }).selectOption('level')
    await hers.page.getByLabel('Value').fill('gold')
    await hers.page.getByRole('button', { name: 'Filter' }).click()
    await hers.page.getByText('No row matches.').waitFor()
    t.match(hers.page.url(), /field=level&value=gold/)
    t.equal(await hers.page.evaluate('window.canary'), undefined)
    t.strictSame(hers.complaints, [])
    t.strictSame(hers.elsewhere(), [])

    await visitor.goto('/audit?action=data.viewed')
    await page.getByText('memory.Customer').first().waitFor()
  })

  await t.test('the databases', async (t) => {
    await visitor.goto('/data/connectors')
    await page.getByRole('heading', { name: 'memory' }).waitFor()
    await page.getByText('none is kept').waitFor()
    await page.getByText(/The last \d+ operations/).click()
    await page.getByRole('cell', { name: 'create' }).first().waitFor()
    t.strictSame(await visitor.violations(), [])
    t.equal(await page.evaluate('window.canary'), undefined)
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })

  await t.test(
    'a pool, migrations that have not run, differences with their fix, a database that is away',
    async (t) => {
      // A database of memory has none of these.
      const pool = { size: 10, idle: 3, waiting: 2 }
      const state = { connected: false, lastError: HOSTILE[0], pool }
      const health = '**/svc/orm/api/connection/health'
      // Read once: the page may leave while it is being answered.
      const answered = page.waitForResponse(health)
      await visitor.goto('/data/connectors')
      const [memory] = (await (await answered).json()) as object[]
      await page.route(health, (route) => route.fulfill({ json: [{ ...memory, ...state }] }))
      const problem = { code: 'SVC_ORM_DRIFT', message: `column ${HOSTILE[1]}`, at: 'customer', fix: 'svc orm:diff' }
      await page.route('**/svc/orm/api/schema', (route) =>
        route.fulfill({
          json: [
            {
              connector: 'memory',
              state: 'known',
              migrations: [
                { name: '0001-first', executedAt: 1 },
                { name: HOSTILE[2], executedAt: null }
              ],
              unwritten: [`add ${HOSTILE[3]}`],
              unconstrained: [],
              problems: [problem]
            }
          ]
        })
      )
      await visitor.goto('/data/connectors')
      await page.getByText('✕ not connected').waitFor()
      await page.getByText('7 of 10 busy').waitFor()
      await page.getByText('1 pending, 1 without a migration, 1 differences').waitFor()
      for (const text of [
        HOSTILE[2] ?? '',
        `add ${HOSTILE[3]}`,
        problem.message,
        'svc orm:diff',
        '1 migrations have run'
      ]) {
        await page.getByText(text).first().waitFor()
      }
      t.strictSame(await visitor.violations(), [])
      t.equal(await page.evaluate('window.canary'), undefined)
      t.strictSame(visitor.complaints, [])
    }
  )
}
