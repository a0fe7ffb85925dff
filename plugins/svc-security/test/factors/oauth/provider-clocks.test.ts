/** Clocks of a provider that go before or after this one: half a minute is let pass, more is not. */
import t from 'tap'
import { Browser } from '../../support/login-app.ts'
import { providerApp } from '../../support/provider-app.ts'

t.test('an ID token of a clock that is a little off logs in, and of one that is far off does not', async (t) => {
  const { app, server, callback, begin, link } = await providerApp(t)
  await link('alice')
  // The library reads the time of the machine; what it takes leaves room for a slow one.
  const now = Math.floor(Date.now() / 1000)
  for (const [what, claims, status] of [
    ['over, by a clock that is behind', { exp: now - 5 }, 303],
    ['not valid yet, by a clock that is ahead', { nbf: now + 20 }, 303],
    ['long over', { exp: now - 90 }, 401],
    ['not valid for long', { nbf: now + 900 }, 401]
  ] as const) {
    const browser = new Browser(app)
    const query = await server.visit(await begin(browser))
    server.claims = claims
    t.equal((await callback(browser, query)).statusCode, status, what)
    server.claims = {}
  }
})
