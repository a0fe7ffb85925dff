/** Where the application keeps no accounts, their decorators say which option switches them on. */
import { decoratorOf } from 'svc-kernel'
import t from 'tap'
import { securedApp } from '../support/guarded-app.ts'

const NAMES = ['sessions', 'tokens', 'gates', 'userAccounts', 'userEndings'] as const
const visitors = { areas: { in: { pattern: '^/in', authenticators: ['anonymous'] } } }

t.test('E8: without accounts each decorator throws our code and the fix, not a TypeError', async (t) => {
  const app = await securedApp(visitors)
  t.teardown(() => app.close())
  const refused = (name: string, fix: RegExp) => ({
    code: 'SVC_SEC_ACCOUNTS_OFF',
    message: new RegExp(`^fastify\\.${name} is off, .*${fix.source}`)
  })
  t.throws(() => app.tokens.issue({ identifier: 'ada' }), refused('tokens', /list jwt or apikey in an area/))
  t.throws(() => app.sessions.revokeUser('ada'), refused('sessions', /the option session or parts\.users/))
  t.throws(() => app.userAccounts.find('ada'), refused('userAccounts', /list session in an area/))
  t.throws(() => app.gates.csrf, refused('gates', /list session in an area/))
  t.throws(() => app.getDecorator('tokens'), refused('tokens', /jwt/))
})

t.test('E8: a handler that reads one answers 500 with the code, not with a TypeError', async (t) => {
  const app = await securedApp(visitors)
  t.teardown(() => app.close())
  app.get('/in/tokens', async () => ({ keys: app.tokens.jwks() }))
  const answer = await app.inject('/in/tokens')
  t.match(answer.json(), { statusCode: 500, code: 'SVC_SEC_ACCOUNTS_OFF' })
})

t.test('E8: a plugin can ask whether they are on', async (t) => {
  const without = await securedApp(visitors)
  const given = await securedApp({
    parts: { users: { findByIdentifier: () => null } }
  })
  t.teardown(() => Promise.all([without.close(), given.close()]))
  for (const name of NAMES) {
    t.equal(decoratorOf(without, name), null, name)
    t.equal(decoratorOf(given, name), given[name], name)
    t.ok(given[name], name)
  }
})
