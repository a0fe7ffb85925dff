/** Jobs, schedules, queues and mails in the console, in a real browser, over a database on disk. */
import Fastify from 'fastify'
import svcConsole from 'svc-console'
import svcSecurity, { hashPassword } from 'svc-security'
import t from 'tap'
import { openChromium } from '../support/chromium.ts'
import { freePort } from '../support/ports.ts'
import { PASSWORD } from './console/console-app.ts'
import { startJobs } from './console/jobs-app.ts'
import { jobsWalk } from './console/jobs-walk.ts'
import { mailWalk } from './console/mail-walk.ts'
import { Visitor } from './console/visitor.ts'

t.test('the work of an application', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const jobs = await startJobs(t)
  await jobsWalk(t, browser, jobs)
  await mailWalk(t, browser, jobs)
})

t.test(
  'an application without jobs and mails has no such pages, and says how to get them',
  { timeout: 0 },
  async (t) => {
    const browser = await openChromium(t)
    if (browser === null) return
    const app = Fastify()
    t.teardown(() => app.close())
    const password = await hashPassword(PASSWORD, { memoryKib: 7168, passes: 1, parallelism: 1 })
    const root = { identifier: 'root', roles: ['ROLE_SVC_ADMIN'], password }
    await app.register(svcSecurity, { parts: { users: { findByIdentifier: () => root } } })
    await app.register(svcConsole)
    const port = await freePort()
    await app.listen({ host: '127.0.0.1', port })
    const visitor = await Visitor.open(t, browser, `http://localhost:${port}`)
    const { page } = visitor
    await visitor.goto('/jobs')
    await visitor.signIn()
    await page.getByText('npx svc module:add jobs').waitFor()
    const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()
    t.strictSame(links, ['Audit', 'Requests', 'Webhooks', 'Access', 'People', 'Limits', 'Data', 'System', 'Account'])
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    t.equal(await page.getByRole('dialog').getByText('Jobs').count(), 0)
    await visitor.goto('/mail')
    await page.getByText('npx svc module:add mail').waitFor()
    await page.getByText('It has an outbox in development and tests, without a transport.').waitFor()
    t.strictSame(await visitor.violations(), [])
    t.strictSame(visitor.complaints, [])
  }
)
