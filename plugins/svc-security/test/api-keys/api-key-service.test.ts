/** Making, verifying, listing and revoking API keys. */
import { createAccessToken } from 'svc-kernel'
import t from 'tap'
import { newApiKey } from '../../src/api-keys/opaque-token.ts'
import { causeOf, overriding, tokenWorld } from '../support/token-world.ts'

const DAY_MS = 86_400_000
const REFUSED = '401 INVALID_TOKEN'

t.test('a key is shown once and acts for its user', async (t) => {
  const { tokens, clock, store } = tokenWorld()
  const { view, token } = await tokens.apiKeys.create('alice', { name: 'ci', scopes: ['orders:read'] })
  t.match(view, { name: 'ci', subject: 'alice', scopes: ['orders:read'], revokedAt: null, lastUsedAt: null })
  t.equal(view.expiresAt, clock.now() + 90 * DAY_MS)
  t.notMatch(JSON.stringify(view), token.slice(4))
  const stored = JSON.stringify(await store.find(view.id))
  t.notMatch(stored, token.slice(4, 20), 'the store keeps no part of the key')
  const proven = await tokens.apiKeys.verify(token)
  t.match(proven.token, { type: 'apikey', scopes: ['orders:read'], apiKeyId: view.id, tenantId: null })
  t.same(proven.token.user, { identifier: 'alice', roles: ['ROLE_USER'] })
})

t.test('KEY-02, KEY-03, KEY-04: a wrong form is refused without asking the store', async (t) => {
  let asked = 0
  const findByHash = async () => {
    asked += 1
    return null
  }
  const { tokens } = tokenWorld({ wrap: (store) => overriding(store, { findByHash }) })
  const key = newApiKey('svc')
  const swap = (index: number) => key.slice(0, index) + (key[index] === '0' ? '1' : '0') + key.slice(index + 1)
  for (const bad of [swap(10), swap(39), key.slice(0, -1), `${key}0`, '']) {
    t.equal(await causeOf(tokens.apiKeys.verify(bad)), `${REFUSED} form`)
  }
  t.equal(asked, 0)
  t.equal(await causeOf(tokens.apiKeys.verify(key)), `${REFUSED} unknown`)
  t.equal(asked, 1)
})

t.test('KEY-12: an end that is passed, reached, ahead, or none', async (t) => {
  const { tokens, clock } = tokenWorld()
  const { token } = await tokens.apiKeys.create('alice', { name: 'a day', expiresInDays: 1 })
  const { token: endless, view } = await tokens.apiKeys.create('alice', { name: 'endless', expiresInDays: null })
  t.equal(view.expiresAt, null)
  clock.advance(DAY_MS - 1)
  t.equal(await causeOf(tokens.apiKeys.verify(token)), null)
  clock.advance(1)
  t.equal(await causeOf(tokens.apiKeys.verify(token)), `${REFUSED} expired`)
  clock.advance(400 * DAY_MS)
  t.equal(await causeOf(tokens.apiKeys.verify(endless)), null)
})

t.test('KEY-13: a threshold later than the key, at it, before it', async (t) => {
  for (const [offset, cause] of [
    [1, `${REFUSED} invalid_before`],
    [0, null],
    [-1, null]
  ] as const) {
    const { tokens, clock, store } = tokenWorld()
    const { token, view } = await tokens.apiKeys.create('alice', { name: 'k' })
    await store.invalidateBefore('alice', view.createdAt + offset)
    clock.advance(10)
    t.equal(await causeOf(tokens.apiKeys.verify(token)), cause, String(offset))
    t.equal(await tokens.holds(heldToken(view.id)), cause === null)
  }
})

t.test('KEY-11: revoking is final, at once, and keeps its first date and reason', async (t) => {
  const { tokens, clock, audited } = tokenWorld()
  const { token, view } = await tokens.apiKeys.create('alice', { name: 'k' })
  const revoked = await tokens.apiKeys.revoke(view.id, 'compromised')
  t.match(revoked, { revokedAt: clock.now(), revokedReason: 'compromised' })
  t.equal(await causeOf(tokens.apiKeys.verify(token)), `${REFUSED} revoked`)
  clock.advance(1000)
  t.match(await tokens.apiKeys.revoke(view.id, 'manual'), revoked)
  t.strictSame(
    audited.map(({ action, resource, reason }) => [action, resource, reason]),
    [
      ['apikey.created', view.id, null],
      ['apikey.revoked', view.id, 'compromised']
    ]
  )
})

t.test('somebody else neither revokes nor sees a key', async (t) => {
  const { tokens } = tokenWorld()
  const { token, view } = await tokens.apiKeys.create('alice', { name: 'k' })
  t.equal(await tokens.apiKeys.revoke(view.id, 'manual', 'mallory'), null)
  t.equal(await tokens.apiKeys.revoke('no-such-id'), null)
  t.equal(await causeOf(tokens.apiKeys.verify(token)), null)
  t.equal((await tokens.apiKeys.list({ subject: 'mallory' }, {})).items.length, 0)
  t.equal((await tokens.apiKeys.list({ subject: 'alice' }, {})).items.length, 1)
})

t.test('the subject is loaded anew for each use', async (t) => {
  const { tokens, accounts } = tokenWorld()
  const { token } = await tokens.apiKeys.create('alice', { name: 'k' })
  accounts.get('alice').roles = ['ROLE_ADMIN']
  t.same((await tokens.apiKeys.verify(token)).token.user.roles, ['ROLE_ADMIN'])
  accounts.get('alice').locked = true
  t.equal(await causeOf(tokens.apiKeys.verify(token)), `${REFUSED} subject_locked`)
  accounts.add({ identifier: 'alice', roles: [], enabled: false })
  t.equal(await causeOf(tokens.apiKeys.verify(token)), `${REFUSED} subject_disabled`)
  accounts.records.delete('alice')
  t.equal(await causeOf(tokens.apiKeys.verify(token)), `${REFUSED} unknown_subject`)
})

t.test('the limit holds, also for keys that are asked for at once; a revoked one makes room', async (t) => {
  const { tokens } = tokenWorld({ maxPerSubject: 3 })
  const asked = Array.from({ length: 8 }, (_, index) => causeOf(tokens.apiKeys.create('alice', { name: `k${index}` })))
  const answers = await Promise.all(asked)
  t.equal(answers.filter((answer) => answer === null).length, 3)
  t.equal(answers.filter((answer) => answer?.startsWith('409 the user has 3 API keys already')).length, 5)
  const [first] = (await tokens.apiKeys.list({ subject: 'alice' }, {})).items
  await tokens.apiKeys.revoke(first?.id ?? '')
  t.equal(await causeOf(tokens.apiKeys.create('alice', { name: 'again' })), null)
})

t.test('a store that fails means "not able now", never "unknown"', async (t) => {
  const findByHash = () => Promise.reject(new Error('down'))
  const { tokens } = tokenWorld({ wrap: (store) => overriding(store, { findByHash }) })
  t.match(await causeOf(tokens.apiKeys.verify(newApiKey('svc'))), /^503 /)
})

/** The token of a key of alice, as an open connection holds it. */
function heldToken(apiKeyId: string) {
  return createAccessToken({ type: 'apikey', user: { identifier: 'alice' }, apiKeyId })
}
