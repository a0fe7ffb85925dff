/** Area `scope`: who is narrowed by scopes, and that a scope is matched whole. */
import { adoptAccessToken } from 'svc-kernel/plugin'
import { NON_SCOPABLE_TOKEN_TYPES } from 'svc-security'
import { juryApp, tokenOf } from './jury-app.ts'
import { securityCase } from './security-case.ts'

const SCOPE = 'orders:read'

securityCase('SCO-02', async (t) => {
  const { jury } = await juryApp(t, [])
  for (const type of ['apikey', 'jwt', 'oauth2', 'mtls', 'agent', 'foo']) {
    t.match(await jury.explain(tokenOf({ type, scopes: ['a:b', SCOPE] }), SCOPE), {
      granted: true,
      votes: [{ voter: 'scope', vote: 'GRANT' }]
    })
    t.match(await jury.explain(tokenOf({ type, scopes: ['a:b'] }), SCOPE), {
      granted: false,
      reason: 'abstain',
      votes: [{ voter: 'scope', vote: 'ABSTAIN' }]
    })
  }
  for (const type of NON_SCOPABLE_TOKEN_TYPES) {
    t.equal(jury.decide(tokenOf({ type }), SCOPE), true, `a person's ${type} is never narrowed`)
  }
})

securityCase('SCO-03', async (t) => {
  const { jury } = await juryApp(t, [])
  for (const scope of ['orders:*', '*', '*:*', 'orders', 'orders:', 'ORDERS:READ', 'orders:read ', 'orders:readonly']) {
    t.match(await jury.explain(tokenOf({ type: 'jwt', scopes: [scope] }), SCOPE), { granted: false, reason: 'abstain' })
  }
})

securityCase('SCO-04', async (t) => {
  const { jury } = await juryApp(t, [])
  const machine = tokenOf({ type: 'jwt', scopes: ['ROLE_A:b'] })
  t.match(await jury.explain(machine, 'ROLE_A:b'), { granted: false, votes: [{ voter: 'role', vote: 'ABSTAIN' }] })
  t.match(await jury.explain(tokenOf({ roles: ['ROLE_A:b'] }), 'ROLE_A:b'), {
    votes: [{ voter: 'role', vote: 'GRANT' }]
  })
})

securityCase('SCO-05', async (t) => {
  const { jury } = await juryApp(t, [])
  const machine = tokenOf({ type: 'jwt', scopes: ['read'] })
  t.match(await jury.explain(machine, 'read'), { granted: false, reason: 'no-voter', votes: [] })
  t.match(await jury.explain(tokenOf(), 'read'), { granted: false, reason: 'no-voter' }, 'nor for a person')
})

securityCase('SCO-07', async (t) => {
  class Inherits {
    readonly user = { identifier: 'bot' }
    getUserIdentifier(): string {
      return 'bot'
    }
  }
  Object.defineProperty(Inherits.prototype, 'type', { value: 'session' })
  const { jury, ask } = await juryApp(t, [], {
    parts: {
      authenticators: {
        bearer: { supports: () => true, createToken: () => '', authenticate: () => new Inherits() }
      }
    }
  })
  for (const token of [new Inherits(), { user: { identifier: 'bot' } }, { type: '', user: { identifier: 'bot' } }]) {
    t.not(adoptAccessToken(token), null, 'it does name somebody')
    t.equal(jury.decide(token as never, SCOPE), false)
  }
  t.equal((await ask('bot', '/post/role')).status, 403, 'served as a machine')
})
