/**
 * The console in a real browser, as an administrator and as a user without the role, with the keyboard, on a phone, and
 * with text of strangers in every field. Needs Chromium, at /usr/bin/chromium or where CHROMIUM says.
 */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import t from 'tap'
import { accessWalk } from './console/access-walk.ts'
import { accountWalk } from './console/account-walk.ts'
import { auditWalk } from './console/audit-walk.ts'
import { startConsole } from './console/console-app.ts'
import { dataWalk } from './console/data-walk.ts'
import { operationsWalk } from './console/operations-walk.ts'
import { peopleWalk } from './console/people-walk.ts'
import { signInWalk } from './console/sign-in-walk.ts'
import { webhooksWalk } from './console/webhooks-walk.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

t.test('the console', { timeout: 120_000 }, async (t) => {
  if (!existsSync(CHROMIUM)) {
    t.plan(0, `THE BROWSER TEST DID NOT RUN: there is no ${CHROMIUM}; apt-get install chromium, or set CHROMIUM`)
    return
  }
  const console = await startConsole()
  t.teardown(() => console.app.close())
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  await signInWalk(t, browser, console)
  await auditWalk(t, browser, console)
  await webhooksWalk(t, browser, console)
  await accessWalk(t, browser, console)
  await operationsWalk(t, browser, console)
  await dataWalk(t, browser, console)
  await peopleWalk(t, browser, console)
  await accountWalk(t, browser, console)
})
