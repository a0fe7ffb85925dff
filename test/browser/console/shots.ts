/** `npm run shots [-- name ...]`: the pictures of `docs/console`, or some, of an application with something to show. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Jobs } from 'svc-jobs'
import { launchChromium } from '../../support/chromium.ts'
import { PASSWORD, startConsole } from './console-app.ts'
import { answerWithPast } from './past-figures.ts'

const FOLDER = join(import.meta.dirname, '../../../../docs/console')
const WIDE = { width: 1280, height: 600 }

const LOOKS = {
  light: { viewport: WIDE, colorScheme: 'light' },
  dark: { viewport: WIDE, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 640 }, colorScheme: 'dark' }
} as const

const MAIL = `<div style="max-width: 30rem; margin: 1rem auto; font-family: sans-serif">
  <h1 style="font-size: 1.3rem; color: #3b5bdb">On its way</h1>
  <p>Dear Ada, your order <b>1039</b> has left our house, and is with you on Thursday.</p>
  <p><a href="https://shop.example/orders/1039" style="color: #3b5bdb">Follow it</a></p></div>`

function defineWork(jobs: Jobs): void {
  jobs.define('order.book', {}, () => {
    throw new Error('the till does not answer')
  })
  for (const name of ['invoice.send', 'invoice.remind', 'report.daily', 'stock.count'])
    jobs.define(name, {}, () => null)
  jobs.schedule('report.daily', '30 6 * * *', { zone: 'Europe/Berlin', catchUp: 'latest', overlap: 'skip' })
  jobs.schedule('stock.count', '0 22 * * 5', { zone: 'Asia/Tokyo' })
}

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

mkdirSync(FOLDER, { recursive: true })
const { app, origin } = await startConsole({ work: defineWork })
const browser = await launchChromium()
for (const actor of ['ada', 'grace', 'linus', 'ada', 'margaret']) {
  app.audit.record({ category: 'auth', action: 'login.success', outcome: 'success', actor, ip: '192.0.2.7' })
  app.audit.record({ category: 'token', action: 'token.issued', outcome: 'success', actor, ip: '192.0.2.7' })
}
app.audit.record({
  category: 'authz',
  action: 'access.denied',
  outcome: 'denied',
  actor: 'linus',
  resource: 'ROLE_EDITOR',
  reason: 'abstain',
  ip: '192.0.2.7'
})
/** Two of five messages to this endpoint fail until the pictures are taken: it is degraded. */
let asked = 0
let breaks = true
const receiver = createServer((request, response) => {
  const broken = request.url === '/stock' && breaks && asked++ % 5 < 2
  response.writeHead(broken ? 503 : 204).end(broken ? 'the stock is being counted' : '')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { port } = receiver.address() as AddressInfo
const local = `http://127.0.0.1:${port}`
/** What pictures show in place of the receiver's address. */
const shown = 'https://hooks.acme.example'
const address = (path: string) => `${local}${path}`
const events = ['login.*', 'token.issued']
const { endpoint } = await app.webhooks.create({ url: address('/stock'), events, description: 'Stock' })
await app.webhooks.create({ url: address('/billing'), events, description: 'Billing' })
await app.webhooks.create({ url: address('/mail'), events: ['logout'], description: 'Mail', enabled: false })
let lastMessage = ''
for (let count = 0; count < 40; count += 1) {
  breaks = count < 39
  const { messageId } = await app.webhooks.sendTest(endpoint.id)
  lastMessage = messageId
  const ended = async () => (await app.webhooks.history(endpoint.id, {}, { limit: 200 })).deliveries
  while (!(await ended()).some((delivery) => delivery.messageId === messageId)) await sleep(5)
}

await app.userAccounts.setRoles('root', ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA'])
const ada = await app.orm.repository('Customer').create({ name: 'Ada', level: 'gold', settings: { mail: true } })
await app.orm.repository('Customer').create({ name: 'Grace', notes: 'calls in the morning' })
for (const total of ['19.90', '4.00']) {
  await app.orm.repository('Order').create({ total, units: '1', customerId: ada.id, shippedOn: '2026-11-02' })
}

const { items: users } = await app.userAccounts.list({ q: 'paul' }, { limit: 1, offset: 0 })
await app.tokens.apiKeys.create('paul', { name: 'nightly' })
const [event] = app.audit.recent(500).filter(({ actor }) => actor === 'linus')

for (const order of [1040, 1041, 1042]) await app.jobs.add('order.book', { order, till: 3 })
await app.jobs.addMany(
  'invoice.send',
  Array.from({ length: 6 }, (_, index) => ({ invoice: 7001 + index }))
)
await app.jobs.add('invoice.remind', { invoice: 7001 }, { delayS: 7 * 86_400 })
await app.jobs.schedules.runNow('report.daily')
while ((await app.jobs.counts()).states.done < 7) await sleep(5)
const [failed] = (await app.jobs.list({ state: 'failed' })).items
await app.mail.send({
  to: 'Ada <ada@example.org>',
  subject: 'Your order is on its way',
  text: 'Dear Ada, your order 1039 is on its way.',
  html: MAIL
})
await app.mail.outbox.next()

/** Addresses below the console, and what has to be there for the picture. */
const PAGES: readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
  ['audit', '/audit', (page) => page.getByRole('link', { name: 'session.opened' }).first().waitFor()],
  ['event', `/audit/${event?.id}`, (page) => page.getByText('ROLE_EDITOR').first().waitFor()],
  [
    'requests',
    '/requests',
    async (page) => {
      for (const id of [7, 8, 9]) await page.evaluate(`fetch('/shop/orders/${id}')`)
      await page.getByRole('link', { name: 'GET /shop/orders/9' }).first().waitFor()
    }
  ],
  [
    'request',
    '/requests',
    async (page) => {
      await page.evaluate(`fetch('/shop/orders/7')`)
      await page.getByRole('link', { name: 'GET /shop/orders/7' }).first().click()
      await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    }
  ],
  ['system', '/system', (page) => page.locator('.plot canvas').first().waitFor()],
  ['webhooks', '/webhooks', (page) => page.getByRole('link', { name: `${shown}/billing` }).waitFor()],
  ['endpoint', `/webhooks/${endpoint.id}`, (page) => page.locator('.plot canvas').first().waitFor()],
  ['deliveries', `/webhooks/${endpoint.id}/deliveries`, (page) => page.getByText('webhook.test').first().waitFor()],
  [
    'delivery',
    `/webhooks/${endpoint.id}/deliveries/${lastMessage}`,
    (page) => page.getByRole('heading', { name: /Attempt 1/ }).waitFor()
  ],
  ['jobs', '/jobs', (page) => page.getByText('✕ failed').first().waitFor()],
  ['job', `/jobs/job/${failed?.id}`, (page) => page.getByText('the till does not answer').waitFor()],
  ['dead-letters', '/jobs/dead', (page) => page.getByText('✕ failed').first().waitFor()],
  ['queues', '/jobs/queues', (page) => page.getByRole('rowheader', { name: 'invoice.remind' }).waitFor()],
  ['schedules', '/jobs/schedules', (page) => page.getByText('Asia/Tokyo').waitFor()],
  ['mails', '/mail', (page) => page.getByText('Your order is on its way').waitFor()],
  ['mail', '/mail/1', (page) => page.frameLocator('iframe').getByText('Dear Ada').waitFor()],
  [
    'access',
    '/access?method=GET&path=/svc/security/api/audit/events&user=paul',
    (page) => page.getByText('By session').waitFor()
  ],
  ['matrix', '/access/matrix?path=audit', (page) => page.getByRole('row').nth(3).waitFor()],
  ['zones', '/access/zones', (page) => page.getByRole('heading', { name: 'realtime' }).waitFor()],
  ['warnings', '/access/warnings', (page) => page.getByText('SVC_WEBHOOKS_PLAIN_HTTP').waitFor()],
  ['limits', '/limits', (page) => page.getByText('shop.orders').first().waitFor()],
  ['data', '/data', (page) => page.getByText('2 rows').first().waitFor()],
  ['entity', '/data/entities/memory/Customer', (page) => page.getByText('one of plain, gold').waitFor()],
  ['connectors', '/data/connectors', (page) => page.getByText('none is kept').waitFor()],
  ['rows', '/data/entities/memory/Customer/rows', (page) => page.getByText('Grace').waitFor()],
  ['people', '/people', (page) => page.getByRole('link', { name: 'paul' }).waitFor()],
  ['user', `/people/${users[0]?.id}`, (page) => page.getByText('nightly').waitFor()],
  ['account', '/account', (page) => page.getByText('this browser').waitFor()]
]

for (const [look, options] of Object.entries(LOOKS)) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await answerWithPast(page, { local, shown })
  const take = async (name: string) => {
    if (isWanted(name)) await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) })
  }
  await page.goto(`${origin}/svc/console`)
  await page.getByLabel('Name').waitFor()
  await take('sign-in')
  await page.getByLabel('Name').fill('root')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Audit' }).waitFor()
  for (const [name, path, ready] of PAGES.filter(([each]) => isWanted(each))) {
    await page.goto(`${origin}/svc/console${path}`)
    await ready(page)
    await take(name)
  }
  await context.close()
}
await browser.close()
receiver.close()
await app.close()
