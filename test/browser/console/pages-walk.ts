/**
 * Every page, with text of strangers in all that it shows: as an administrator on the narrowest and on the widest screen, and
 * as a user without the role, who sees none of it.
 */
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { until } from '../../support/until.ts'
import { type ConsoleApp, JOB, PASSWORD } from './console-app.ts'
import { HOSTILE, hostileRecords } from './hostile-text.ts'
import { MOVED, Visitor } from './visitor.ts'

const [script = '', image = '', drawing = ''] = HOSTILE
/** A word without a place to break it. */
const LONG = 'canary'.repeat(15)

/** @returns addresses below the console, each with a text that is there once the page is */
async function filled({ app }: ConsoleApp): Promise<readonly [path: string, text: string | RegExp][]> {
  for (const record of hostileRecords()) app.audit.record(record)
  const event = app.audit.recent(100).find(({ metadata }) => 'word' in metadata)
  const name = `mia ${image} ${LONG}`
  await app.userAccounts.create({ identifier: name, password: PASSWORD, roles: ['ROLE_USER'] })
  const { items } = await app.userAccounts.list({ q: 'mia' }, { limit: 1, offset: 0 })
  const user = items[0]?.id ?? ''
  await app.inject({
    method: 'POST',
    url: '/svc/security/api/auth/login',
    headers: { 'user-agent': script },
    payload: { username: name, password: PASSWORD }
  })
  await app.tokens.apiKeys.create(name, { name: drawing + LONG })
  app.ops.addCheck(`check ${image}${LONG}`, () => undefined)
  app.queueDepths.add(`queue ${drawing}${LONG}`, () => 1)
  const { endpoint } = await app.webhooks.create({
    url: `http://127.0.0.1:1/${script}?q=${image}`,
    events: ['config.update'],
    description: `endpoint ${image} ${LONG}`,
    headers: { 'x-canary': image }
  })
  const url = `/shop/orders/${encodeURIComponent(script)}?q=${encodeURIComponent(image)}`
  await app.inject({ url, headers: { 'user-agent': drawing, 'x-canary': script } })
  await app.limits.take('shop.orders', script)
  const { messageId } = await app.webhooks.sendTest(endpoint.id)
  const job = await app.jobs.add(JOB, { [script]: image, long: LONG })
  await app.jobs.add(JOB, {}, { delayS: 3600 })
  const mail = { to: `"${LONG}" <ada@example.org>`, subject: `mail ${image} ${LONG}`, text: script + LONG }
  await app.mail.send({ ...mail, html: `<p>mail ${LONG}</p>` })
  const { number } = await app.mail.outbox.next()
  await until(async () => (await app.jobs.counts()).states.failed > 0, 'the failure of a job')
  const fill = (path: string) => `/access?method=GET&path=${encodeURIComponent(path)}&user=${encodeURIComponent(name)}`
  return [
    ['/audit?outcome=denied&q=canary', drawing],
    [`/audit/${event?.id}`, 'metadata-canary'],
    ['/requests?status=4xx', /shop\/orders\/.*canary/],
    ['/webhooks', /endpoint .*canary/],
    ['/webhooks/new', 'Custom headers'],
    [`/webhooks/${endpoint.id}`, 'x-canary'],
    [`/webhooks/${endpoint.id}/deliveries`, 'webhook.test'],
    [`/webhooks/${endpoint.id}/deliveries/${messageId}`, /Attempt 1/],
    [`/webhooks/${endpoint.id}/recover`, 'From'],
    [`/webhooks/${endpoint.id}/edit`, 'Replace the custom headers'],
    ['/jobs', drawing],
    [`/jobs/job/${job.id}`, LONG],
    ['/jobs/dead', drawing],
    ['/jobs/queues', script],
    ['/jobs/schedules', /order\.canary/],
    ['/mail', /mail .*canary/],
    [`/mail/${number}`, script],
    [fill(`/shop/${script}`), /not found/],
    ['/access/matrix?path=shop', '/shop/orders/:id'],
    ['/access/zones', 'Role'],
    ['/access/warnings', 'SVC_WEBHOOKS_PLAIN_HTTP'],
    ['/people', /mia .*canary/],
    [`/people/${user}`, drawing],
    ['/data', 'Entities'],
    ['/data/connectors', 'memory'],
    ['/data/entities/memory/Order', script],
    ['/data/entities/memory/Customer/rows', script],
    ['/limits', 'shop.orders'],
    ['/limits/shop.orders', /hash .{43}/],
    ['/system', /queue .*canary/],
    ['/account', 'this browser'],
    ['/nowhere', 'The console has no page nowhere.']
  ]
}

/** Runs in the page: when all that moved until now is in `moved`. */
const NOTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

/** Less is a count that took the place of a dash; 1 is the whole page. */
const SEEN_TO_MOVE = 0.005

const NAMES = [
  'audit',
  'requests',
  'webhooks',
  'jobs',
  'mail',
  'access',
  'people',
  'limits',
  'data',
  'system',
  'account'
]

export async function pagesWalk(t: Test, browser: Browser, console: ConsoleApp): Promise<void> {
  const { app, origin, served } = console

  await t.test('an administrator: from 320 pixels to 4 k, and no text of a stranger runs', async (t) => {
    const pages = await filled(console)
    const roles = ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA']
    await app.userAccounts.create({ identifier: 'iris', password: PASSWORD, roles })
    const visitor = await Visitor.open(t, browser, origin, {
      viewport: { width: 320, height: 640 },
      colorScheme: 'dark'
    })
    const { page } = visitor
    await page.addInitScript(MOVED)
    await visitor.goto('/account')
    await visitor.signIn('iris')
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    for (const [path, text] of pages) {
      await page.setViewportSize({ width: 320, height: 640 })
      await page.evaluate(`${NOTED}.then(() => { moved = 0 })`)
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(visitor.base + path)})`)
      await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`)
      await page.locator('#main').getByText(text).first().waitFor({ state: 'attached' })
      await page.locator('#main').getByText('Loading …').first().waitFor({ state: 'detached' })
      const moved = (await page.evaluate(`${NOTED}.then(() => moved)`)) as number
      t.ok(moved < SEEN_TO_MOVE, `${path}: ${moved} of the page moved while it was loaded`)
      t.strictSame(await visitor.violations(), [], `${path} in the dark`)
      for (const width of [320, 721, 3840]) {
        await page.setViewportSize({ width, height: width > 1000 ? 2160 : 640 })
        t.equal(await visitor.tooWide(), 0, `${path} at ${width} pixels`)
      }
      t.equal(await page.evaluate('window.canary'), undefined, path)
      t.strictSame(visitor.complaints.splice(0), [], path)
    }
    t.strictSame(visitor.elsewhere(), [])
    t.equal(await page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)'), 0)
  })

  await t.test('a user without the role: the word on every page, and not one answer of an API', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    await visitor.goto('/account')
    await visitor.signIn('paul')
    const word = visitor.page.getByRole('heading', { name: 'No access' })
    await word.waitFor()
    for (const name of NAMES) {
      await visitor.goto(`/${name}`)
      await word.waitFor()
    }
    const asked = new Set(visitor.asked.map((url) => new URL(url).pathname))
    const own = NAMES.map((name) => `/svc/console/${name}`)
    const more = [...asked].filter((path) => !own.includes(path) && !/^\/svc\/console\/sign-in/.test(path))
    const needed = ['/svc/security/api/auth/login', '/svc/security/api/impersonation']
    t.strictSame(more, needed, 'what the sign-in needs, and whether the session acts as another user')
    t.ok(
      visitor.complaints.every((text) => text.includes('403')),
      'nothing but the refusals'
    )
  })

  await t.test('whatever the console asked for is in the description of the API', async (t) => {
    const { paths } = app.swagger() as { paths: Record<string, Record<string, unknown>> }
    const asked = [...served].filter((route) => / \/svc\/(?:security|ops|orm|jobs|mail)\/api\//.test(route))
    t.ok(asked.length > 50, `${asked.length} routes`)
    for (const route of asked) {
      const [method = '', path = ''] = route.split(' ')
      const described = paths[path.replace(/:(\w+)/g, '{$1}')]
      t.ok(described?.[method.toLowerCase()] !== undefined, `${route} is described`)
    }
  })
}
