/** What `svc explain` asks of a zone: its authenticators, each with the type of token that it makes. */
import createFastify from 'fastify'
import t from 'tap'
import svcSecurity, { type Firewall } from '../../src/index.ts'

t.test('the authenticators of a zone, in the order in which they are tried', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const badge = {
    supports: () => false,
    createToken: () => null,
    authenticate: () => ({ type: 'badge', user: { identifier: 'ann', roles: [] } })
  }
  await fastify.register(svcSecurity, {
    areas: {
      all: { pattern: '^/', authenticators: ['session', 'userpassword', 'badge', 'anonymous'] }
    },
    parts: { users: { findByIdentifier: () => null }, authenticators: { badge: () => badge } } as never
  })
  await fastify.ready()
  const firewall: Firewall = fastify.firewall
  const zone = firewall.zoneOf('/anything')
  t.ok(zone)
  if (zone === null) return
  const proofs = firewall.proofsOf(zone)
  t.strictSame(
    proofs.map(({ authenticator }) => authenticator),
    ['session', 'userpassword', 'badge', 'anonymous']
  )
  t.equal(
    proofs.find(({ authenticator }) => authenticator === 'badge')?.token,
    'badge',
    'its name, where it does not say'
  )
  t.ok(proofs.every(({ token }) => token.length > 0))
})
