/** A refresh token that comes again: within the grace its successor, otherwise the end of its family. Thresholds, and what a store may hold. */
import t from 'tap'
import { secretHash } from '../../src/api-keys/opaque-token.ts'
import { KeySet } from '../../src/signing-keys/key-set.ts'
import { newStoredKey, openKey } from '../../src/signing-keys/signing-key.ts'
import type { NewToken } from '../../src/token-store/token-record.ts'
import { isRefreshToken, newRefreshToken } from '../../src/tokens/refresh-tokens.ts'
import { ACCESS_MS, causeOf, overriding, tokenWorld } from '../support/token-world.ts'

const REFUSED = '401 INVALID_TOKEN'
const REUSED = `${REFUSED} reuse_detected`
const GRACE_MS = 10_000
const WEEK_MS = 604_800_000
const alice = { identifier: 'alice' }

t.test('within the grace a token that comes again gives the same successor, to the millisecond', async (t) => {
  const { tokens, clock, audited } = tokenWorld({ refreshGraceMs: GRACE_MS })
  const first = await tokens.issue(alice, { scopes: ['a:b'] })
  const second = await tokens.refresh(first.refreshToken)
  clock.advance(GRACE_MS - 1)
  const again = await tokens.refresh(first.refreshToken)
  t.same([again.refreshToken, again.jti, again.scopes], [second.refreshToken, second.jti, ['a:b']])
  t.equal(await causeOf(tokens.verify(again.accessToken)), null)
  t.match(audited.at(-1), { action: 'token.refreshed', resource: second.jti, metadata: { replaces: first.jti } })
  clock.advance(1)
  t.equal(await causeOf(tokens.refresh(first.refreshToken)), REUSED)
  t.equal(await causeOf(tokens.refresh(second.refreshToken)), `${REFUSED} revoked`)
})

t.test('pages that renew at once get one successor', async (t) => {
  const { tokens, audited } = tokenWorld({ refreshGraceMs: GRACE_MS })
  const { refreshToken } = await tokens.issue(alice)
  const answers = await Promise.all(Array.from({ length: 8 }, () => tokens.refresh(refreshToken)))
  t.equal(new Set(answers.map((answer) => answer.refreshToken)).size, 1)
  t.equal(new Set(answers.map(({ jti }) => jti)).size, 1)
  t.notOk(audited.some(({ action }) => action === 'token.reuse_detected'))
})

t.test('no grace for what was ended, or is not the one before the newest', async (t) => {
  type End = (world: ReturnType<typeof tokenWorld>, jti: string, missing: Set<string>) => unknown
  const third = aToken({ id: 'third', secretHash: 'c'.repeat(43) })
  const cases: Record<string, [end: End, cause: string]> = {
    'its successor was ended by the holder': [({ store }, jti) => store.revoke(jti, 'logout'), REUSED],
    'its successor was renewed': [({ store }, jti) => store.rotate(jti, third), REUSED],
    'its successor is not in the store any more': [(_world, jti, missing) => missing.add(jti), REUSED],
    'the subject was cut off': [
      ({ store, clock }) => store.invalidateBefore('alice', clock.now()),
      `${REFUSED} invalid_before`
    ]
  }
  for (const [title, [end, cause]] of Object.entries(cases)) {
    const missing = new Set<string>()
    const world = tokenWorld({
      refreshGraceMs: GRACE_MS,
      wrap: (store) => overriding(store, { find: (id) => (missing.has(id) ? null : store.find(id)) })
    })
    const first = await world.tokens.issue(alice)
    const second = await world.tokens.refresh(first.refreshToken)
    await end(world, second.jti, missing)
    t.equal(await causeOf(world.tokens.refresh(first.refreshToken)), cause, title)
  }
})

t.test('the successor is given again after the next key signs, and not once its own key is gone', async (t) => {
  const { tokens, clock, ring, key } = tokenWorld({ refreshGraceMs: GRACE_MS })
  const first = await tokens.issue(alice)
  const second = await tokens.refresh(first.refreshToken)
  const next = newStoredKey(clock.now())
  ring.replace(new KeySet([openKey(next), openKey(key)]))
  t.equal((await tokens.refresh(first.refreshToken)).refreshToken, second.refreshToken)
  ring.replace(new KeySet([openKey(next)]))
  t.equal(await causeOf(tokens.refresh(first.refreshToken)), REUSED)
})

t.test('what was issued to a subject until the threshold is not renewed, though its record says nothing', async (t) => {
  for (const [offset, cause] of [
    [-1, null],
    [0, `${REFUSED} invalid_before`],
    [1, `${REFUSED} invalid_before`]
  ] as const) {
    const { tokens, clock, store } = tokenWorld()
    const { refreshToken } = await tokens.issue(alice)
    await store.invalidateBefore('alice', clock.now() + offset)
    t.equal(await causeOf(tokens.refresh(refreshToken)), cause, `${offset} ms`)
  }
})

t.test('a reuse is in the journal with the family that ended', async (t) => {
  const { tokens, audited, store } = tokenWorld()
  const first = await tokens.issue(alice)
  await tokens.refresh(first.refreshToken)
  const family = (await store.find(first.jti))?.family
  t.type(family, 'string')
  await causeOf(tokens.refresh(first.refreshToken))
  const { metadata, resource } = audited.find(({ action }) => action === 'token.reuse_detected') ?? {}
  t.same([resource, metadata], [first.jti, { family }])
})

t.test('a token that another process ended while it was being renewed is refused, and is no reuse', async (t) => {
  for (const gone of [false, true]) {
    const { tokens, audited } = tokenWorld({
      wrap: (store) => {
        let ended = false
        return overriding(store, {
          rotate: async (id) => {
            ended = gone
            await store.revoke(id, 'logout')
            return false
          },
          find: (id) => (ended ? null : store.find(id))
        })
      }
    })
    const { refreshToken } = await tokens.issue(alice)
    t.equal(await causeOf(tokens.refresh(refreshToken)), `${REFUSED} revoked`)
    t.notOk(audited.some(({ action }) => action === 'token.reuse_detected'))
  }
})

t.test('a record without a family, as an application may keep one, is renewed and ended by itself', async (t) => {
  const { tokens, clock, store } = tokenWorld()
  const secret = newRefreshToken()
  await store.create(
    aToken({ id: 'mine', secretHash: secretHash(secret), family: null, expiresAt: clock.now() + 1000 })
  )
  const { jti } = await tokens.refresh(secret)
  t.type((await store.find(jti))?.family, 'string', 'its successors have one')

  const other = newRefreshToken()
  await store.create(aToken({ id: 'other', secretHash: secretHash(other), family: null, expiresAt: null }))
  clock.advance(WEEK_MS * 10)
  t.equal(await causeOf(tokens.verify((await tokens.refresh(other)).accessToken)), null, 'one that never expires')

  const third = newRefreshToken()
  await store.create(aToken({ id: 'third', secretHash: secretHash(third), family: null }))
  t.same([await tokens.revoke(third), await tokens.revoke(third)], [true, false])
  t.equal(await causeOf(tokens.refresh(third)), `${REFUSED} revoked`)
})

t.test('what cannot be a refresh token is known by its form: 32 bytes in their only spelling', async (t) => {
  const token = `rt_${'x'.repeat(42)}A`
  t.ok(isRefreshToken(token))
  t.ok(isRefreshToken(newRefreshToken()))
  const others = ['', 'rt_', `x${token}`, `${token}A`, `${token}\n`, token.slice(0, -2), token.replace('rt_', 'rt-')]
  for (const text of [...others, `rt_${'x'.repeat(42)}B`, `rt_${'x'.repeat(41)}+A`]) t.notOk(isRefreshToken(text), text)
})

t.test('a token of another kind with the same form renews nothing', async (t) => {
  const { tokens, store } = tokenWorld()
  const secret = newRefreshToken()
  await store.create(aToken({ id: 'k', kind: 'apikey', secretHash: secretHash(secret) }))
  t.equal(await causeOf(tokens.refresh(secret)), `${REFUSED} unknown`)
  t.equal(await tokens.revoke(secret), false)
})

t.test('the access tokens of a family that ends are denied for as long as they may live, and no longer', async (t) => {
  const toleranceMs = 5000
  const { tokens, clock, store } = tokenWorld({
    toleranceMs,
    accessAliveMs: ACCESS_MS + toleranceMs,
    refreshGraceMs: GRACE_MS
  })
  const old = await tokens.issue(alice)
  clock.advance(ACCESS_MS + toleranceMs + GRACE_MS + 1000)
  const young = await tokens.refresh(old.refreshToken)
  const issuedAt = clock.now()
  await tokens.revoke(young.refreshToken)
  t.equal(await store.isDenied(young.jti), true)
  clock.advance(issuedAt + ACCESS_MS + toleranceMs + GRACE_MS + 1000 - clock.now() - 1)
  t.equal(await store.isDenied(young.jti), true, 'given again at the end of the grace, within the second')
  clock.advance(1)
  t.equal(await store.isDenied(young.jti), false)

  const denied: string[] = []
  const world = tokenWorld({
    wrap: (own) =>
      overriding(own, {
        deny: async (jti, until) => {
          denied.push(jti)
          await own.deny(jti, until)
        }
      })
  })
  const first = await world.tokens.issue(alice)
  world.clock.advance(ACCESS_MS + 1000)
  const second = await world.tokens.refresh(first.refreshToken)
  await causeOf(world.tokens.refresh(first.refreshToken))
  t.same(denied, [second.jti], 'what is over is not denied')
})

function aToken(of: Partial<NewToken>): NewToken {
  const unset = { kind: 'refresh', name: null, subject: 'alice', tenantId: null, scopes: [] } as const
  return { id: 'id', secretHash: null, family: null, expiresAt: null, ...unset, ...of }
}
