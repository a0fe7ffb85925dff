/** Every store writes on over records of an older version: what happens once, what is unique, what never goes back. */
import { createHash } from 'node:crypto'
import { SecretBox } from 'svc-kernel/plugin'
import type { NewToken } from 'svc-security/stores'
import type { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import type { OlderApp } from './older-app.ts'
import type { OlderRecords } from './vectors.ts'

const DAY_MS = 86_400_000
const TAKEN = { code: 'SVC_STORE_DUPLICATE', statusCode: 409 }

/** As the records were named. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

export async function storesWriteOn(
  t: Test,
  app: OlderApp,
  { clock, records: { ids, owner, now } }: { clock: ManualClock; records: OlderRecords }
): Promise<void> {
  await t.test('sessions', async (t) => {
    const store = app.store('session')
    const id = hash('s-1')
    await t.rejects(store.create({ id, user: 'mallory', content: {}, flash: {}, meta: {} }), TAKEN)
    clock.advance(1000)
    t.equal(await store.update(id, { content: { cart: [] } }), true)
    t.match(await store.find(id), { content: { cart: [] }, flash: { info: ['hi', 'there'] }, updatedAt: clock.now() })
    t.equal(await store.touch(hash('s-4')), true)
    t.equal(await store.destroyByUser('carol', id), 1)
    t.equal(await store.count({ user: 'carol' }), 1)
    t.equal(await store.destroy(id), true)
    t.equal(await store.destroy(id), false)
    t.equal(await store.touch(id), false, 'what is gone stays gone')
    clock.advance(120_000)
    t.equal(await store.purge({ idleTimeoutS: 7200, absoluteTimeoutS: 0 }), 0)
    const kept = await store.count({})
    t.equal(await store.purge({ idleTimeoutS: 60, absoluteTimeoutS: 0 }), kept)
    t.equal(await store.count({}), 0)
  })

  await t.test('users', async (t) => {
    const store = app.store('user')
    await t.rejects(store.create({ identifier: 'dave' }), TAKEN)
    await t.rejects(store.update(ids.dave, { identifier: 'erin' }), TAKEN)
    await t.rejects(store.linkSocialAccount(ids.erin, 'github', '583231'), TAKEN)
    t.equal(await store.linkSocialAccount(ids.carol, 'github', '583231'), true, 'linked already')
    t.equal(await store.unlinkSocialAccount(ids.carol, 'google', '10769150350006150715113082367'), true)
    t.equal(await store.findBySocialAccount('google', '10769150350006150715113082367'), null)
    t.equal(await store.linkSocialAccount(ids.erin, 'google', '10769150350006150715113082367'), true)
    t.equal((await store.findBySocialAccount('google', '10769150350006150715113082367'))?.id, ids.erin)
    const { password = null } = (await store.find(ids.carol)) ?? {}
    t.equal(await store.replacePassword(ids.carol, 'another', 'new'), false)
    t.equal(await store.replacePassword(ids.carol, password, 'new'), true)
    t.match(await store.update(ids.carol, { roles: ['ROLE_AUDITOR'], metadata: { locale: 'fr' } }), {
      roles: ['ROLE_AUDITOR'],
      metadata: { locale: 'fr' },
      socialAccounts: [{ provider: 'github', subject: '583231' }]
    })
    t.equal(await store.count({ role: 'ROLE_EDITOR' }), 0)
    t.equal(await store.count({ role: 'ROLE_AUDITOR' }), 1)
    t.equal(await store.delete(ids.dave), true)
    t.equal(await store.linkSocialAccount(ids.erin, 'github', '583232'), true, 'free again')
    t.equal((await store.create({ identifier: 'dave' })).enabled, true)
  })

  await t.test('tokens', async (t) => {
    const store = app.store('tokens')
    const token = (id: string, more: Partial<NewToken> = {}): NewToken => ({
      id,
      kind: 'refresh',
      name: null,
      subject: 'carol',
      tenantId: null,
      scopes: [],
      secretHash: hash(id),
      family: 'f-1',
      expiresAt: now + DAY_MS,
      ...more
    })
    await t.rejects(store.create(token('t-key')), TAKEN)
    await t.rejects(store.create(token('t-other', { secretHash: hash('t-key') })), TAKEN)
    t.equal(await store.rotate('t-refresh-1', token('t-refresh-5')), false, 'rotated then: a reuse now')
    t.equal(await store.rotate('t-refresh-2', token('t-refresh-4')), true)
    t.match(await store.find('t-refresh-2'), { replacedBy: 't-refresh-4', revokedReason: 'rotated' })
    t.equal(await store.revokeFamily('f-1', 'reuse'), 2)
    t.equal(await store.revoke('t-refresh-3', 'again'), false)
    t.match(await store.find('t-refresh-3'), { revokedReason: 'logout' }, 'the first reason stays')
    t.equal(await store.markUsed('t-key-2', 365 * DAY_MS), false)
    t.equal(await store.markUsed('t-key-2', 1), true)
    await store.deny('j-1', now + 1)
    t.equal(await store.isDenied('j-1'), true, 'the later expiry holds')
    t.equal(await store.invalidateBefore('dave', 1), Date.UTC(2026, 0, 15, 12) + 5000, 'never back')
    t.equal(await store.invalidateBefore('dave', now), now)
    t.equal(await store.revokeBySubject('carol', 'gone', 'apikey'), 3)
    t.equal(await store.purge(0), 2, 'the expired key, and the expired denial')
    t.equal(await store.find('t-key-old'), null)
    t.equal((await store.find('t-key'))?.revokedReason, 'gone')
  })

  await t.test('passkeys', async (t) => {
    const store = app.store('passkeys')
    const first = await store.find('cred-1')
    t.equal(await store.advance('cred-1', 9, true), false, 'a replay')
    t.equal(await store.advance('cred-1', 10, false), true)
    t.equal(await store.advance('cred-2', 0, false), true, 'an authenticator that does not count')
    if (first === null) throw new Error('the passkey is gone')
    const { createdAt, lastUsedAt: _, ...passkey } = first
    await t.rejects(store.save({ ...passkey, userId: 'u-2' }), TAKEN)
    t.match(await store.save({ ...passkey, counter: 3 }), { createdAt, counter: 10 })
    t.equal(await store.rename('cred-2', 'u-2', 'mine'), false, "another user's")
    t.equal(await store.rename('cred-2', 'u-1', 'Tablet'), true)
    t.equal(await store.count({ q: 'tab' }), 1)
    t.equal(await store.remove('cred-1', 'u-1'), true)
    t.equal(await store.removeByUser('u-1'), 1)
  })

  await t.test('one-time codes', async (t) => {
    const store = app.store('totp')
    t.equal(await store.enroll('u-1', 'gcm1.YW5vdGhlcg'), false, 'a confirmed one is kept')
    t.equal(await store.useStep('u-1', 1002), false)
    t.equal(await store.useStep('u-1', 1003), true)
    t.equal(await store.useRecoveryCode('u-1', hash('h-2')), false, 'used then')
    t.equal(await store.useRecoveryCode('u-1', hash('h-1')), true)
    t.equal(await store.replaceRecoveryCodes('u-1', [hash('h-4')]), true)
    t.match(await store.find('u-1'), { lastStep: 1003, recoveryHashes: [hash('h-4')] })
    t.equal(await store.confirm('u-2', 'gcm1.c2VjcmV0', 5, []), false, 'of another secret')
    t.equal(await store.confirm('u-2', 'gcm1.d2FpdGluZw', 5, []), true)
    t.equal(await store.remove('u-2'), true)
  })

  await t.test('webhook endpoints', async (t) => {
    const store = app.store('webhooks')
    const first = await store.find('wh_1')
    if (first === null) throw new Error('the endpoint is gone')
    const secret = `whsec_${Buffer.alloc(32, 'wh_1').toString('base64')}`
    t.equal(new SecretBox(app.encryptionKey, 'svc-webhooks/secret').open(first.secretEnc), secret)
    await t.rejects(store.create(first), TAKEN)
    t.equal(await store.recordFailure('wh_3', 503, 'status 503'), 3)
    t.equal(await store.disable('wh_3', 4), false)
    t.equal(await store.disable('wh_3', 3), true)
    t.equal(await store.disable('wh_3', 3), false)
    t.equal(await store.recordSuccess('wh_3', 200), true)
    t.match(await store.update('wh_2', { enabled: true, url: 'https://Third.example/', events: ['user.*'] }), {
      enabled: true,
      failureCount: 0,
      createdAt: (await store.find('wh_2'))?.createdAt
    })
    t.equal(await store.count({ q: 'THIRD' }), 1)
    t.equal(await store.count({ event: 'user.*' }), 1)
    t.match(await store.stats({}), { total: 4, active: 3, disabled: 1, failing: 0 })
    t.equal(await store.delete('wh_1'), true)
  })

  await t.test('the journal', async (t) => {
    const store = app.store('audit')
    const page = await store.list({ actor: 'carol' }, { limit: 2 })
    t.same(
      page.items.map(({ id }) => id),
      ['aud_1', 'aud_3']
    )
    const cursor = page.nextCursor ?? ''
    const next = await store.list({ actor: 'carol' }, { limit: 2, cursor })
    t.same(
      next.items.map(({ id }) => id),
      ['aud_400']
    )
    const [first] = page.items
    if (first === undefined) throw new Error('the event is gone')
    await store.append([
      { ...first, actor: 'mallory' },
      { ...first, id: 'aud_new', ts: clock.now() }
    ])
    t.same(
      (await store.list({ actor: 'carol' }, { limit: 10 })).items.map(({ id }) => id),
      ['aud_new', 'aud_1', 'aud_3', 'aud_400'],
      'an event of then is left as it is'
    )
    t.equal(await store.purge(365), 1)
    t.equal((await store.list({ actor: 'carol' }, { limit: 10 })).items.length, 3)
  })

  await t.test('idempotency keys', async (t) => {
    const store = app.store('idempotency')
    const answer = { status: 200, headers: {}, body: 'done' }
    t.equal(await store.complete(hash('i-2'), 'own_another', answer), false)
    t.equal(await store.complete(hash('i-2'), owner, answer), true)
    t.same(await store.begin(hash('i-2'), 'fingerprint-2', 1000), { state: 'completed', answer })
    t.match(await store.begin(hash('i-3'), 'fingerprint-3', 1000), { state: 'started' }, 'expired then, free now')
    clock.advance(8 * DAY_MS)
    await store.purge()
    t.equal(await store.purge(), 0)
    t.match(await store.begin(hash('i-1'), 'fingerprint-1', 1000), { state: 'completed' }, 'kept for thirty days')
  })
}
