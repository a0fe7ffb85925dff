/**
 * An authenticator that a factory makes may load users: an application without accounts refuses it.
 *
 * In a process of its own: factories are registered before any application boots.
 */
import { BootError } from 'svc-kernel'
import t from 'tap'
import { registerAuthenticatorFactory } from '../../src/index.ts'
import { securedApp } from '../support/guarded-app.ts'

const badge = {
  carrier: 'header',
  supports: () => false,
  createToken: () => null,
  authenticate: () => ({ type: 'badge', user: { identifier: 'alice' } })
} as const
registerAuthenticatorFactory('needy', () => ({ ...badge, needs: 'accounts' }))
registerAuthenticatorFactory('plain', () => badge)

t.test('an authenticator that loads users, where the application keeps no accounts', async (t) => {
  const areas = { in: { pattern: '^/in', authenticators: ['needy', 'plain'] } }
  const refused = await securedApp({ areas })
    .then((app) => app.ready())
    .catch((error: unknown) => error)
  t.match(refused, BootError)
  t.match((refused as BootError).problems, [{ code: 'SVC_SEC_ACCOUNTS_OFF', message: /"needy" needs accounts/ }])
})

t.test('H6: what an authenticator says of its proofs is asked of the firewall', async (t) => {
  const app = await securedApp({ areas: { in: { pattern: '^/in', authenticators: ['plain'] } } })
  t.teardown(() => app.close())
  await app.ready()
  t.match(app.firewall.proofOf('plain'), { authenticator: 'plain' })
  t.equal(app.firewall.proofOf('unlisted'), null)
})
