/** Issuing, renewing, revoking: state that no signature shows. */
import { createAccessToken } from 'svc-kernel'
import t from 'tap'
import { KeySet } from '../../src/signing-keys/key-set.ts'
import { newStoredKey, openKey } from '../../src/signing-keys/signing-key.ts'
import { ACCESS_MS, causeOf, overriding, tokenWorld } from '../support/token-world.ts'

const REFUSED = '401 INVALID_TOKEN'
const alice = { identifier: 'alice' }

t.test('issue and verify', async (t) => {
  const { tokens, clock, store, audited } = tokenWorld()
  const issued = await tokens.issue(alice, { scopes: ['orders:read'] })
  t.match(issued, {
    expiresIn: 900,
    scopes: ['orders:read'],
    accessToken: /^[\w-]+\.[\w-]+\.[\w-]+$/,
    refreshToken: /^rt_/
  })
  t.ok(issued.accessToken.length < 600)
  const token = await tokens.verify(issued.accessToken)
  t.match(token, { type: 'jwt', scopes: ['orders:read'], jti: issued.jti, issuedAt: clock.now() })
  t.match(token.proof, { carrier: 'authorization', subject: 'machine' })
  t.equal(token.expiresAt, clock.now() + ACCESS_MS)
  t.match(audited, [
    { category: 'token', action: 'token.issued', outcome: 'success', actor: 'alice', resource: issued.jti }
  ])
  const kept = JSON.stringify([...(await store.list({}, {})).items, await store.find(issued.jti), audited])
  t.notMatch(kept, issued.refreshToken.slice(3), 'neither store nor audit has the refresh token')
  t.notMatch(kept, issued.accessToken)
})

t.test('JWT-57: every cause has one text, and its own word in the audit', async (t) => {
  for (const cacheSize of [0, 10]) {
    const { tokens, clock, accounts } = tokenWorld({ cacheSize })
    const { accessToken } = await tokens.issue(alice)
    const verify = () => causeOf(tokens.verify(accessToken))
    t.equal(await verify(), null)
    accounts.get('alice').locked = true
    t.equal(await verify(), `${REFUSED} subject_locked`)
    accounts.add({ identifier: 'alice', roles: [], enabled: false })
    t.equal(await verify(), `${REFUSED} subject_disabled`)
    accounts.records.delete('alice')
    t.equal(await verify(), `${REFUSED} unknown_subject`)
    accounts.add({ identifier: 'alice', roles: ['ROLE_NEW'] })
    t.same((await tokens.verify(accessToken)).user.roles, ['ROLE_NEW'], 'roles are those of now')
    clock.advance(ACCESS_MS)
    t.equal(await verify(), `${REFUSED} expired`)
  }
})

type World = ReturnType<typeof tokenWorld>

/** The very object for as long as the signature is remembered, another one afterwards. */
async function claimsOf({ tokens }: World, accessToken: string): Promise<unknown> {
  return ((await tokens.verify(accessToken)) as unknown as { claims: unknown }).claims
}

t.test(
  'a token that others pushed out of what is remembered comes back, and is refused for what ended it',
  async (t) => {
    const ends: Record<string, (world: World, token: string) => unknown> = {
      revoked: ({ tokens }, token) => tokens.revoke(token),
      invalid_before: ({ tokens }) => tokens.revokeSubject('alice'),
      subject_locked: ({ accounts }) => {
        accounts.get('alice').locked = true
      },
      expired: ({ clock }) => clock.advance(ACCESS_MS),
      kid: ({ ring }) => ring.replace(new KeySet([openKey(newStoredKey(0))]))
    }
    for (const [cause, end] of Object.entries(ends)) {
      const world = tokenWorld({ cacheSize: 2 })
      const { accessToken } = await world.tokens.issue(alice)
      const first = await claimsOf(world, accessToken)
      t.equal(await claimsOf(world, accessToken), first, 'remembered')
      for (let other = 0; other < 2; other += 1)
        await world.tokens.verify((await world.tokens.issue(alice)).accessToken)
      t.not(await claimsOf(world, accessToken), first, 'pushed out, and read anew')
      for (let other = 0; other < 2; other += 1)
        await world.tokens.verify((await world.tokens.issue(alice)).accessToken)
      await end(world, accessToken)
      t.equal(await causeOf(world.tokens.verify(accessToken)), `${REFUSED} ${cause}`)
    }
  }
)

t.test('tokens that are refused push nothing out of what is remembered', async (t) => {
  const world = tokenWorld({ cacheSize: 1 })
  const { accessToken } = await world.tokens.issue(alice)
  const remembered = await claimsOf(world, accessToken)
  const [head, body, signature = ''] = accessToken.split('.')
  for (let index = 0; index < signature.length - 1; index += 1) {
    const other = signature[index] === 'A' ? 'B' : 'A'
    const forged = `${head}.${body}.${signature.slice(0, index)}${other}${signature.slice(index + 1)}`
    t.match(await causeOf(world.tokens.verify(forged)), REFUSED)
  }
  t.equal(await claimsOf(world, accessToken), remembered)
})

t.test('JWT-35, JWT-37, JWT-55: revocation counts at once, remembered or not, until the token is over', async (t) => {
  for (const cacheSize of [0, 10]) {
    const { tokens, clock, audited } = tokenWorld({ cacheSize })
    const { accessToken, refreshToken, jti } = await tokens.issue(alice)
    t.equal(await causeOf(tokens.verify(accessToken)), null)
    t.equal(await tokens.revoke(accessToken), true)
    t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} revoked`)
    t.equal(await causeOf(tokens.refresh(refreshToken)), `${REFUSED} revoked`, 'its refresh token goes with it')
    t.equal(await tokens.revoke(accessToken), false, 'a second time nothing happens')
    t.match(audited.at(-1), { action: 'token.revoked', actor: 'alice', resource: jti, reason: 'logout' })
    t.equal(audited.filter(({ action }) => action === 'token.revoked').length, 1)
    clock.advance(ACCESS_MS - 1)
    t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} revoked`)
    clock.advance(1)
    t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} expired`)
  }
})

t.test('with a tolerance the denial lasts as long as the token could', async (t) => {
  const { tokens, clock } = tokenWorld({ toleranceMs: 5000, accessAliveMs: ACCESS_MS + 5000 })
  const { accessToken } = await tokens.issue(alice)
  await tokens.revoke(accessToken)
  clock.advance(ACCESS_MS + 4999)
  t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} revoked`)
})

t.test('JWT-38, JWT-39, JWT-40: the threshold of a subject, in milliseconds against seconds', async (t) => {
  for (const [offset, cause] of [
    [-1, null],
    [0, `${REFUSED} invalid_before`],
    [1, `${REFUSED} invalid_before`],
    [999, `${REFUSED} invalid_before`]
  ] as const) {
    const { tokens, clock, store } = tokenWorld()
    const { accessToken } = await tokens.issue(alice)
    await store.invalidateBefore('alice', clock.now() + offset)
    t.equal(await causeOf(tokens.verify(accessToken)), cause, `${offset} ms`)
  }
  const { tokens, clock } = tokenWorld()
  clock.advance(500)
  await tokens.revokeSubject('alice')
  clock.advance(100)
  const { accessToken: sameSecond } = await tokens.issue(alice)
  t.equal(await causeOf(tokens.verify(sameSecond)), `${REFUSED} invalid_before`)
  clock.advance(400)
  const { accessToken: nextSecond } = await tokens.issue(alice)
  t.equal(await causeOf(tokens.verify(nextSecond)), null)
})

t.test('JWT-58: a token that is bound to a key holds with the proof of that key alone', async (t) => {
  const { tokens } = tokenWorld()
  const dpop = (jkt: string) => ({ jkt, use: async () => undefined })
  const bound = await tokens.issue({ identifier: 'alice' }, { dpop: dpop('key of alice') })
  t.equal(bound.jkt, 'key of alice')
  t.equal(await causeOf(tokens.verify(bound.accessToken)), '401 INVALID_TOKEN cnf')
  t.equal((await tokens.prove(bound.accessToken, 'key of alice')).getUserIdentifier(), 'alice')
  t.equal(await causeOf((async () => tokens.prove(bound.accessToken, 'key of eve'))()), '401 INVALID_TOKEN cnf')
  const bearer = await tokens.issue({ identifier: 'alice' })
  t.equal(await causeOf((async () => tokens.prove(bearer.accessToken, 'key of alice'))()), '401 INVALID_TOKEN cnf')
  t.equal(await causeOf(tokens.refresh(bound.refreshToken)), '401 INVALID_TOKEN key')
  t.equal((await tokens.refresh(bound.refreshToken, dpop('key of alice'))).jkt, 'key of alice')
})

t.test('a refresh token is used once', async (t) => {
  const { tokens, audited } = tokenWorld()
  const first = await tokens.issue(alice, { scopes: ['a:b'] })
  const second = await tokens.refresh(first.refreshToken)
  t.same(second.scopes, ['a:b'])
  t.not(second.refreshToken, first.refreshToken)
  t.equal(await causeOf(tokens.verify(second.accessToken)), null)
  t.equal(await causeOf(tokens.verify(first.accessToken)), null, 'requests that are under way keep theirs')
  t.match(audited.at(-1), { action: 'token.refreshed', actor: 'alice', resource: second.jti })
})

t.test('one that comes again ends its family, with the access tokens that came of it', async (t) => {
  const { tokens, audited } = tokenWorld()
  const other = await tokens.issue(alice)
  const first = await tokens.issue(alice)
  const second = await tokens.refresh(first.refreshToken)
  const third = await tokens.refresh(second.refreshToken)
  t.equal(await causeOf(tokens.refresh(first.refreshToken)), `${REFUSED} reuse_detected`)
  for (const { accessToken } of [first, second, third]) {
    t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} revoked`)
  }
  t.equal(await causeOf(tokens.refresh(third.refreshToken)), `${REFUSED} revoked`)
  t.match(
    audited.find(({ action }) => action === 'token.reuse_detected'),
    { category: 'token', outcome: 'denied', actor: 'alice', reason: 'reuse_detected' }
  )
  t.equal(await causeOf(tokens.verify(other.accessToken)), null, 'another login of the user is not touched')
  t.equal(await causeOf(tokens.refresh(other.refreshToken)), null)
})

t.test('of many that use it at once one wins, and then the family is over', async (t) => {
  const { tokens } = tokenWorld()
  const { refreshToken } = await tokens.issue(alice)
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => tokens.refresh(refreshToken)))
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  t.equal(won.length, 1)
  t.equal(await causeOf(tokens.refresh(won[0]?.value.refreshToken ?? '')), `${REFUSED} revoked`)
})

t.test('what is no usable refresh token', async (t) => {
  const { tokens, clock, accounts } = tokenWorld()
  const { accessToken, refreshToken } = await tokens.issue(alice)
  const { token: key } = await tokens.apiKeys.create('alice', { name: 'k' })
  const flipped = refreshToken.slice(0, -2) + (refreshToken.at(-2) === 'A' ? 'B' : 'A') + refreshToken.slice(-1)
  for (const text of ['', 'rt_', 'x', accessToken, key, `${refreshToken}A`, ` ${refreshToken}`, flipped]) {
    t.equal(await causeOf(tokens.refresh(text)), `${REFUSED} unknown`, text.slice(0, 8))
  }
  accounts.get('alice').locked = true
  t.equal(await causeOf(tokens.refresh(refreshToken)), `${REFUSED} subject_locked`)
  accounts.get('alice').locked = false
  clock.advance(604_800_000 - 1)
  const { refreshToken: late } = await tokens.refresh(refreshToken)
  clock.advance(604_800_000)
  t.equal(await causeOf(tokens.refresh(late)), `${REFUSED} expired`)
})

t.test('a subject that was cut off renews nothing', async (t) => {
  const { tokens, clock, audited } = tokenWorld()
  const { refreshToken } = await tokens.issue(alice)
  const { token: key } = await tokens.apiKeys.create('alice', { name: 'k' })
  clock.advance(1)
  t.equal(await tokens.revokeSubject('alice'), clock.now())
  const cutOff = { action: 'token.revoked', resource: 'alice', metadata: { all: true, revoked: 2 } }
  t.match(audited.at(-1), { ...cutOff, actor: null }, 'outside of a request nobody asked')
  t.equal(await causeOf(tokens.refresh(refreshToken)), `${REFUSED} revoked`)
  t.equal(await causeOf(tokens.apiKeys.verify(key)), `${REFUSED} revoked`)
})

t.test('revocation of whatever is presented', async (t) => {
  const { tokens } = tokenWorld()
  const { accessToken, refreshToken } = await tokens.issue(alice)
  const { token: key } = await tokens.apiKeys.create('alice', { name: 'k' })
  t.equal(await tokens.revoke(refreshToken), true)
  t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} revoked`)
  t.equal(await tokens.revoke(key), true)
  t.equal(await causeOf(tokens.apiKeys.verify(key)), `${REFUSED} revoked`)
  for (const text of [refreshToken, key, '', 'a.b.c', 'svc_nothing', 'rt_nothing', '\0']) {
    t.equal(await tokens.revoke(text), false)
  }
})

t.test('connections: what is held is asked again, and told at once when it is revoked here', async (t) => {
  const { tokens, clock, accounts } = tokenWorld()
  const { accessToken } = await tokens.issue(alice)
  const { token: key, view } = await tokens.apiKeys.create('alice', { name: 'k' })
  const [jwt, apiKey] = [await tokens.verify(accessToken), (await tokens.apiKeys.verify(key)).token]
  const told: string[] = []
  tokens.whenRevoked(jwt, () => told.push('jwt'))
  tokens.whenRevoked(apiKey, () => told.push('apikey'))
  const stop = tokens.whenRevoked(jwt, () => told.push('nobody listens any more'))
  stop()

  t.same([await tokens.holds(jwt), await tokens.holds(apiKey)], [true, true])
  accounts.get('alice').locked = true
  t.same([await tokens.holds(jwt), await tokens.holds(apiKey)], [false, false])
  accounts.get('alice').locked = false
  await tokens.apiKeys.revoke(view.id)
  t.same([await tokens.holds(jwt), await tokens.holds(apiKey)], [true, false])
  await tokens.revoke(accessToken)
  t.same(told, ['apikey', 'jwt'])
  t.equal(await tokens.holds(jwt), false)

  const { accessToken: second } = await tokens.issue(alice)
  const held = await tokens.verify(second)
  tokens.whenRevoked(held, () => told.push('all'))
  clock.advance(ACCESS_MS)
  t.equal(await tokens.holds(held), false, 'expired')
  await tokens.revokeSubject('alice')
  t.equal(told.at(-1), 'all')
})

t.test('a store or a user source that fails means "not able now", never "not revoked"', async (t) => {
  const down = () => Promise.reject(new Error('down'))
  for (const operations of [{ isDenied: down }, { invalidBefore: down }]) {
    const { tokens } = tokenWorld({ wrap: (store) => overriding(store, operations) })
    const { accessToken } = await tokens.issue(alice)
    t.match(await causeOf(tokens.verify(accessToken)), /^503 .*Error: down/)
  }
  const { tokens, accounts } = tokenWorld()
  const { accessToken, refreshToken } = await tokens.issue(alice)
  const held = await tokens.verify(accessToken)
  accounts.failure = new Error('directory is down')
  t.match(await causeOf(tokens.verify(accessToken)), /^503 /)
  t.match(await causeOf(tokens.refresh(refreshToken)), /^503 /)
  t.match(await causeOf(tokens.holds(held)), /^503 /)
  accounts.failure = null
  t.equal(await causeOf(tokens.refresh(refreshToken)), null, 'the refresh token was not used up')
})

t.test('a token without what decides whether it still holds does not hold', async (t) => {
  const { tokens, clock } = tokenWorld()
  const held = { jti: 'j', issuedAt: clock.now(), expiresAt: clock.now() + 1 }
  const user = { identifier: 'alice', roles: [] }
  const rows: [title: string, traits: object, holds: boolean][] = [
    ['all there', {}, true],
    ['no jti', { jti: undefined }, false],
    ['no time of issue', { issuedAt: undefined }, false],
    ['a time of issue that is a text', { issuedAt: String(held.issuedAt) }, false],
    ['no end', { expiresAt: undefined }, false],
    ['an end that is a text', { expiresAt: String(held.expiresAt) }, false],
    ['an end that is reached', { expiresAt: clock.now() }, false]
  ]
  for (const [title, traits, holds] of rows) {
    const token = createAccessToken({ type: 'jwt', user, ...held, ...traits })
    t.equal(await tokens.holds(token), holds, title)
    t.same((await tokens.renewed(token))?.user.roles, holds ? ['ROLE_USER'] : undefined, 'with the roles of now')
  }
})

t.test('a connection by a token goes on for the tolerance, and no longer', async (t) => {
  const { tokens, clock } = tokenWorld({ toleranceMs: 5000 })
  const token = await tokens.verify((await tokens.issue(alice)).accessToken)
  clock.advance(ACCESS_MS + 4999)
  t.equal(await tokens.holds(token), true)
  clock.advance(1)
  t.equal(await tokens.holds(token), false)
})

t.test('a proof of another authenticator is revoked by the threshold of its subject, or by its own jti', async (t) => {
  const { tokens, clock, store } = tokenWorld()
  const user = { identifier: 'alice', roles: [] }
  const [named, unnamed] = [
    { type: 'mtls', user, jti: 'm-1' },
    { type: 'mtls', user }
  ].map((of) => createAccessToken(of))
  const asked = (since: number) =>
    Promise.all([named, unnamed].map((token) => token !== undefined && tokens.revokedUntil(token, since)))
  const now = clock.now()
  t.same(await asked(now), [false, false], 'nothing was revoked')
  await store.deny('m-1', now + 1000)
  t.same(await asked(now), [true, false])
  await store.invalidateBefore('alice', now)
  t.same(await asked(now - 1), [true, true])
  t.same(await asked(now), [true, true], 'of the very moment')
  t.same(await asked(now + 1), [true, false], 'what began later is not of it')
})

t.test(
  'an access token of which no refresh token is kept is revoked alone, and its connections are told',
  async (t) => {
    const { tokens, audited } = tokenWorld({ wrap: (store) => overriding(store, { find: () => null }) })
    const { accessToken, jti } = await tokens.issue(alice)
    const token = await tokens.verify(accessToken)
    const told: string[] = []
    tokens.whenRevoked(token, () => told.push('ended'))
    audited.length = 0
    t.equal(await tokens.revoke(accessToken, 'stolen'), true)
    t.same(told, ['ended'])
    t.match(audited, [{ action: 'token.revoked', actor: 'alice', resource: jti, reason: 'stolen' }])
    t.equal(await causeOf(tokens.verify(accessToken)), `${REFUSED} revoked`)
  }
)
