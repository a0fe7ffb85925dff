/**
 * What the console says is what is there: with two administrators, after a lost connection, with a database away, and
 * with a hundred thousand events. In the long run: connections are lost, and waited for.
 */
import t from 'tap'
import { openChromium } from '../support/chromium.ts'
import { postgresPrograms } from '../support/postgres-server.ts'
import { startConsole } from './console/console-app.ts'
import { databaseAwayWalk } from './console/database-away-walk.ts'
import { listsWalk } from './console/lists-walk.ts'
import { manyEvents, manyEventsWalk, ownRequestsWalk } from './console/many-events-walk.ts'
import { reconnectWalk } from './console/reconnect-walk.ts'
import { renewalWalk } from './console/renewal-walk.ts'
import { twoUsersWalk } from './console/two-users-walk.ts'

t.test('the console tells the truth', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const console = await startConsole()
  t.teardown(() => console.app.close())
  await ownRequestsWalk(t, browser, console)
  await listsWalk(t, browser, console)
  await reconnectWalk(t, browser, console)
  await renewalWalk(t, browser, console)
  await twoUsersWalk(t, browser, console)
})

t.test('a console over a long journal', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const console = await startConsole({ audit: await manyEvents() })
  t.teardown(() => console.app.close())
  await manyEventsWalk(t, browser, console)
})

t.test('a console whose database goes away', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const programs = postgresPrograms()
  if (programs === null) {
    t.comment('THE TEST OF AN OUTAGE DID NOT RUN: apt-get install postgresql')
    return
  }
  await databaseAwayWalk(t, browser, programs)
})
