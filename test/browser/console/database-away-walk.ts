/** A console whose sessions are in a database that goes away: it says which one, since when, and goes on afterwards. */
import { fastify as createFastify } from 'fastify'
import type { Browser } from 'playwright-core'
import svcAudit from 'svc-audit'
import svcConsole from 'svc-console'
import svcOps from 'svc-ops'
import svcSecurity from 'svc-security'
import svcSqlorm from 'svc-sqlorm'
import type { Test } from 'tap'
import { freePort } from '../../support/ports.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import { PASSWORD } from './console-app.ts'
import { Visitor } from './visitor.ts'

async function startApp(t: Test, url: string) {
  const port = await freePort()
  const app = createFastify({ logger: { level: 'fatal' } })
  t.teardown(() => app.close())
  await app.register(svcSqlorm, { connectors: { main: { url } } })
  await app.register(svcAudit)
  await app.register(svcSecurity, { users: {}, passwords: { memoryKib: 7168, passes: 1 } })
  await app.register(svcOps)
  await app.register(svcConsole)
  await app.listen({ host: '127.0.0.1', port })
  await app.userAccounts.create({ identifier: 'root', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  return `http://localhost:${port}`
}

/** @param programs of PostgreSQL */
export async function databaseAwayWalk(t: Test, browser: Browser, programs: string): Promise<void> {
  const server = await PostgresServer.start(programs)
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  const origin = await startApp(t, server.url('postgres'))
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  const word = page.getByText('The database main does not answer')
  const away = page.getByRole('status').filter({ has: word })

  await t.test('Q13: with the database away the console says which one, and since when', async (t) => {
    await visitor.goto('/system')
    await visitor.signIn()
    await page.getByRole('heading', { name: 'System' }).waitFor()
    const before = Date.now()
    await server.stop()
    const after = Date.now()
    // A page that was not opened before: its files are there all the same.
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByRole('heading', { name: 'Data' }).waitFor()
    await away.waitFor()
    const since = Date.parse((await away.locator('time').getAttribute('title')) ?? '')
    t.ok(since >= before - 1000 && since <= after + 60_000, 'since it was stopped')
    t.equal(await page.getByText('was updated').count(), 0)
    t.strictSame(await visitor.violations(), [])
  })

  await t.test('Q13: a page that is opened meanwhile is one for people, and goes on by itself', async (t) => {
    const answer = await page.goto(`${visitor.base}/people`)
    t.equal(answer?.status(), 503)
    t.match(answer?.headers(), { 'content-type': /text\/html/, 'retry-after': '3', 'cache-control': 'no-store' })
    await page.getByRole('heading', { name: 'The console cannot be shown now' }).waitFor()
    await away.waitFor()
    t.strictSame(await visitor.violations(), [])
    const program = await fetch(`${visitor.base}/people`, { headers: { cookie: await cookieOf(visitor) } })
    t.equal(program.status, 503)
    t.match(await program.json(), { statusCode: 503 })
    const outage = (await (await fetch(`${visitor.base}/outage`)).json()) as object
    t.match(outage, { outages: [{ name: 'database main', since: Number }] })
    t.notMatch(JSON.stringify(outage), /127\.0\.0\.1|postgres/, 'no place, no credential')
    await server.start()
    await page.getByRole('heading', { name: 'People' }).waitFor()
    t.equal(page.url(), `${visitor.base}/people`)
  })

  await t.test('Q13: what failed meanwhile is read again when the database is back', async (t) => {
    await page.getByRole('link', { name: 'root' }).waitFor()
    await server.stop()
    await page.getByRole('link', { name: 'Audit' }).click()
    await away.waitFor()
    await server.start()
    await away.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'login.success' }).first().waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
  })
}

async function cookieOf({ page }: Visitor): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
}
