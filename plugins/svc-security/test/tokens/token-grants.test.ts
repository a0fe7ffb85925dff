/** Logins by tokens: what a user sees of them, and how one or all of them end. */
import t from 'tap'
import { ACCESS_MS, causeOf, tokenWorld } from '../support/token-world.ts'

const REFUSED = '401 INVALID_TOKEN'
const alice = { identifier: 'alice' }
const WEEK_MS = 604_800_000

t.test('each login is there once, the last renewed first; keys and logins of others are not', async (t) => {
  const { tokens, clock, accounts } = tokenWorld()
  accounts.add({ identifier: 'erin', roles: [] })
  const begun = clock.now()
  const phone = await tokens.issue(alice, { scopes: ['a:b', 'c:d'] })
  await tokens.issue({ identifier: 'erin' })
  await tokens.apiKeys.create('alice', { name: 'k' })
  clock.advance(1000)
  const laptop = await tokens.issue(alice)
  clock.advance(1000)
  const found = await tokens.grants.list('alice')
  t.strictSame(
    found.map(({ ref: _, ...rest }) => rest),
    [
      { device: null, scopes: [], renewedAt: begun + 1000, expiresAt: begun + 1000 + WEEK_MS },
      { device: null, scopes: ['a:b', 'c:d'], renewedAt: begun, expiresAt: begun + WEEK_MS }
    ]
  )
  const [second, first] = found.map(({ ref }) => ref)
  await tokens.refresh(phone.refreshToken)
  t.same(
    (await tokens.grants.list('alice')).map(({ ref, renewedAt }) => [ref, renewedAt]),
    [
      [first, begun + 2000],
      [second, begun + 1000]
    ],
    'the reference outlives a renewal'
  )
  await tokens.revoke(laptop.refreshToken)
  t.same(
    (await tokens.grants.list('alice')).map(({ ref }) => ref),
    [first]
  )
  clock.advance(WEEK_MS)
  t.same(await tokens.grants.list('alice'), [], 'those that are over are not')
})

t.test('one login ends, with its access tokens; others and keys go on', async (t) => {
  const { tokens, audited } = tokenWorld()
  const phone = await tokens.issue(alice)
  const renewed = await tokens.refresh(phone.refreshToken)
  const [{ ref = '' } = {}] = await tokens.grants.list('alice')
  const laptop = await tokens.issue(alice)
  const { token: key } = await tokens.apiKeys.create('alice', { name: 'k' })
  t.equal(await tokens.grants.end('alice', ref), 1)
  const { action, actor, resource, reason, metadata } = audited.at(-1) ?? {}
  t.strictSame(
    [action, actor, resource, reason, metadata],
    ['token.revoked', null, ref, 'manual', { subject: 'alice', revoked: 1 }]
  )
  for (const { accessToken } of [phone, renewed])
    t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} revoked`)
  t.equal(await causeOf(tokens.refresh(renewed.refreshToken)), `${REFUSED} revoked`)
  t.equal(await causeOf(tokens.verify(laptop.accessToken)), null)
  t.equal(await causeOf(tokens.refresh(laptop.refreshToken)), null)
  t.equal(await causeOf(tokens.apiKeys.verify(key)), null)
})

t.test('all logins of a user end; keys go on, and logins of others', async (t) => {
  const { tokens, accounts, audited } = tokenWorld()
  accounts.add({ identifier: 'erin', roles: [] })
  const mine = [await tokens.issue(alice), await tokens.issue(alice)]
  const hers = await tokens.issue({ identifier: 'erin' })
  const { token: key } = await tokens.apiKeys.create('alice', { name: 'k' })
  t.equal(await tokens.grants.end('alice', null, 'sessions_ended'), 2)
  t.match(audited.at(-1), { action: 'token.revoked', resource: 'alice', reason: 'sessions_ended' })
  for (const { accessToken } of mine) t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} revoked`)
  t.equal(await causeOf(tokens.verify(hers.accessToken)), null)
  t.equal(await causeOf(tokens.apiKeys.verify(key)), null)
})

t.test('what is not there to end leaves no trace', async (t) => {
  const { tokens, accounts, audited } = tokenWorld()
  accounts.add({ identifier: 'erin', roles: [] })
  const hers = await tokens.issue({ identifier: 'erin' })
  const [{ ref = '' } = {}] = await tokens.grants.list('erin')
  audited.length = 0
  t.equal(await tokens.grants.end('alice', ref), 0, 'of another user')
  t.equal(await tokens.grants.end('alice', 'unknown'), 0)
  t.equal(await tokens.grants.end('alice', null), 0)
  t.equal(audited.length, 0)
  t.equal(await causeOf(tokens.verify(hers.accessToken)), null)
})

t.test('connections of a login that ends are told', async (t) => {
  const { tokens } = tokenWorld()
  const [phone, laptop] = [await tokens.issue(alice), await tokens.issue(alice)]
  const told: string[] = []
  tokens.whenRevoked(await tokens.verify(phone.accessToken), () => told.push('phone'))
  tokens.whenRevoked(await tokens.verify(laptop.accessToken), () => told.push('laptop'))
  await tokens.grants.end('alice', null)
  t.same(told.sort(), ['laptop', 'phone'])
})

t.test('however many there are, each is listed and each ends', async (t) => {
  const { tokens, clock, store } = tokenWorld()
  const dead = await tokens.issue(alice)
  clock.advance(ACCESS_MS + 1000)
  const issued = []
  for (let count = 0; count < 401; count += 1) issued.push(await tokens.issue(alice))
  const refs = (await tokens.grants.list('alice')).map(({ ref }) => ref)
  t.equal(new Set(refs).size, 402)
  t.equal(await tokens.grants.end('alice', null), 402)
  t.equal((await Promise.all(issued.map(({ jti }) => store.isDenied(jti)))).filter(Boolean).length, 401)
  t.equal(await store.isDenied(dead.jti), false, 'what is over is not denied')
})
