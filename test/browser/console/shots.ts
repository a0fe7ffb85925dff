/** `npm run console:shots`: the pictures of `docs/console`, of an application with something to show. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { PASSWORD, startConsole } from './console-app.ts'

const FOLDER = join(import.meta.dirname, '../../../../docs/console')
const WIDE = { width: 880, height: 520 }

const LOOKS = {
  light: { viewport: WIDE, colorScheme: 'light' },
  dark: { viewport: WIDE, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 640 }, colorScheme: 'dark' }
} as const

type Show = (page: Page) => Promise<unknown>

/** Addresses below the console, and what has to be there for the picture. */
const PAGES: readonly [name: string, path: string, ready: Show][] = [
  ['audit', '/audit', (page) => page.getByRole('link', { name: 'session.opened' }).first().waitFor()]
]

mkdirSync(FOLDER, { recursive: true })
const { app, origin } = await startConsole()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox']
})
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
for (const [look, options] of Object.entries(LOOKS)) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const take = (name: string) => page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) })
  await page.goto(`${origin}/svc/console`)
  await page.getByLabel('Name').waitFor()
  await take('sign-in')
  await page.getByLabel('Name').fill('root')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Audit' }).waitFor()
  for (const [name, path, ready] of PAGES) {
    await page.goto(`${origin}/svc/console${path}`)
    await ready(page)
    await take(name)
  }
  await context.close()
}
await browser.close()
await app.close()
