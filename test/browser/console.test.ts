/**
 * The console in a real browser, as an administrator and as a user without the role, with the keyboard, on a phone, and
 * with text of strangers in every field.
 */
import t from 'tap'
import { openChromium } from '../support/chromium.ts'
import { accessWalk } from './console/access-walk.ts'
import { accountWalk } from './console/account-walk.ts'
import { auditWalk } from './console/audit-walk.ts'
import { chartsWalk } from './console/charts-walk.ts'
import { startConsole } from './console/console-app.ts'
import { dataWalk } from './console/data-walk.ts'
import { keyboardWalk } from './console/keyboard-walk.ts'
import { operationsWalk } from './console/operations-walk.ts'
import { pagesWalk } from './console/pages-walk.ts'
import { peopleWalk } from './console/people-walk.ts'
import { signInWalk } from './console/sign-in-walk.ts'
import { webhooksWalk } from './console/webhooks-walk.ts'

t.test('the console', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const console = await startConsole()
  t.teardown(() => console.app.close())
  await signInWalk(t, browser, console)
  await auditWalk(t, browser, console)
  await webhooksWalk(t, browser, console)
  await keyboardWalk(t, browser, console)
  await accessWalk(t, browser, console)
  await operationsWalk(t, browser, console)
  await chartsWalk(t, browser, console)
  await dataWalk(t, browser, console)
  await peopleWalk(t, browser, console)
  await accountWalk(t, browser, console)
  await pagesWalk(t, browser, console)
})
