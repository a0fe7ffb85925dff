/**
 * The reference page in a real browser: it shows every operation, tries one out,
 * and asks no other host for anything.
 */
import helmet from '@fastify/helmet'
import { fastify as createFastify } from 'fastify'
import svcDecorators, { controller, Get, IsGranted } from 'svc-decorators'
import svcOpenapi from 'svc-openapi'
import svcSecurity from 'svc-security'
import t, { type Test } from 'tap'
import { openChromium } from '../support/chromium.ts'

@controller('/api')
class Shop {
  @Get('/hello')
  hello(): { readonly hello: string } {
    return { hello: 'of the shop' }
  }

  @IsGranted('ROLE_CLERK')
  @Get('/orders')
  orders(): readonly string[] {
    return []
  }
}

async function startShop(t: Test): Promise<string> {
  const app = createFastify()
  t.teardown(() => app.close())
  // As the presets register it.
  await app.register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }, hsts: false })
  await app.register(svcSecurity, {
    areas: { api: { pattern: '^/api', authenticators: ['session', 'anonymous'] } },
    parts: { users: { findByIdentifier: () => null } }
  })
  await app.register(svcOpenapi, { open: true, path: '/docs' })
  await app.register(svcDecorators, { controllers: [Shop] })
  return app.listen({ host: '127.0.0.1', port: 0 })
}

t.test('the page', async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const origin = await startShop(t)
  const page = await browser.newPage()
  const complaints: string[] = []
  const asked: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => asked.push(request.url()))

  // Without its slash, as it is typed.
  await page.goto(`${origin}/docs`)
  const hello = page.locator('.opblock', { hasText: '/api/hello' })
  await hello.waitFor()
  t.equal(await page.locator('.opblock', { hasText: '/api/orders' }).count(), 1)

  await hello.locator('.opblock-summary').click()
  await hello.getByText('Try it out').click()
  await hello.getByText('Execute').click()
  await hello.locator('.live-responses-table', { hasText: 'of the shop' }).waitFor()
  t.ok(asked.includes(`${origin}/api/hello`), 'tried out')

  t.strictSame(complaints, [])
  const elsewhere = asked.filter((url) => !url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url))
  t.strictSame(elsewhere, [])
})
