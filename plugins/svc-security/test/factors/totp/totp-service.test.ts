/** The second factor over the memory store: enrolment, single use, recovery, what fails. */
import { randomBytes } from 'node:crypto'
import { TOTP } from 'otpauth'
import { SecretBox } from 'svc-kernel/plugin'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { TOTP_CONTEXT, TotpService } from '../../../src/factors/totp/totp-service.ts'
import { type TotpStore, totpStore } from '../../../src/factors/totp/totp-store.ts'
import { guardedStore } from '../../../src/stores/guarded-store.ts'

const alice = { id: '7', identifier: 'alice' }
const wrong = { statusCode: 401, message: 'INVALID_CREDENTIALS', reason: 'mfa_invalid' }

const guarded = (store: TotpStore | null) => guardedStore(totpStore, store)

function setUp(key = randomBytes(32)) {
  const clock = new ManualClock()
  const store = inMemory(totpStore, { clock })
  const totp = new TotpService({ store: guarded(store), box: new SecretBox(key, TOTP_CONTEXT), clock, issuer: 'shop' })
  const code = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now() })
  return { clock, store, totp, code }
}

async function enrolled(parts: ReturnType<typeof setUp>) {
  const { secret } = await parts.totp.enroll(alice)
  const recoveryCodes = await parts.totp.confirm(alice, parts.code(secret))
  return { secret, recoveryCodes }
}

t.test('nothing is enabled before a first code', async (t) => {
  const parts = setUp()
  const { totp, code } = parts
  const { secret, uri } = await totp.enroll(alice)
  t.match(uri, `secret=${secret}`)
  t.strictSame(await totp.status(alice), { enabled: false, recoveryCodesLeft: 0 })
  await t.rejects(totp.verify(alice, code(secret)), wrong, 'a waiting enrolment lets nobody in')
  await t.rejects(totp.confirm(alice, '000000'), wrong)
  t.equal((await totp.confirm(alice, code(secret))).length, 10)
  t.strictSame(await totp.status(alice), { enabled: true, recoveryCodesLeft: 10 })
  await t.rejects(totp.confirm(alice, code(secret)), { statusCode: 409, code: 'SVC_SEC_TOTP_NOT_STARTED' })
})

t.test('enrolling anew replaces a waiting secret, never a confirmed one', async (t) => {
  const { totp, code } = setUp()
  const first = await totp.enroll(alice)
  const second = await totp.enroll(alice)
  await t.rejects(totp.confirm(alice, code(first.secret)), wrong)
  await totp.confirm(alice, code(second.secret))
  await t.rejects(totp.enroll(alice), { statusCode: 409, code: 'SVC_SEC_TOTP_ENROLLED' })
})

t.test('a step works once, whoever asks at the same time', async (t) => {
  const parts = setUp()
  const { totp, clock, code } = parts
  const { secret } = await enrolled(parts)
  await t.rejects(totp.verify(alice, code(secret)), wrong, 'the first code confirmed, it cannot log in too')
  clock.advance(30_000)
  const now = code(secret)
  const answers = await Promise.allSettled([1, 2, 3].map(() => totp.verify(alice, now)))
  t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  clock.advance(60_000)
  const next = code(secret)
  clock.advance(30_000)
  t.equal(await totp.verify(alice, code(secret)), 'totp')
  await t.rejects(totp.verify(alice, next), wrong, 'a step before the last one, though within the window')
})

t.test("a recovery code works once and is its user's", async (t) => {
  const parts = setUp()
  const { totp } = parts
  const { recoveryCodes } = await enrolled(parts)
  const [first = '', second = ''] = recoveryCodes
  t.equal(await totp.verify(alice, first.toUpperCase()), 'recovery')
  await t.rejects(totp.verify(alice, first), wrong)
  await t.rejects(totp.verify({ id: '8', identifier: 'bob' }, second), wrong)
  t.equal((await totp.status(alice)).recoveryCodesLeft, 9)
})

t.test('disabling takes a code', async (t) => {
  const parts = setUp()
  const { totp, clock, code } = parts
  const { secret } = await enrolled(parts)
  await t.rejects(totp.disable(alice, '123'), wrong)
  clock.advance(30_000)
  await totp.disable(alice, code(secret))
  t.strictSame(await totp.status(alice), { enabled: false, recoveryCodesLeft: 0 })
})

t.test('the stored secret opens in no other context', async (t) => {
  const key = randomBytes(32)
  const { totp, store } = setUp(key)
  const { secret } = await totp.enroll(alice)
  const { secretEnc = '' } = (await store.find(alice.id)) ?? {}
  t.notMatch(secretEnc, secret)
  t.equal(new SecretBox(key, 'svc-security/totp').open(secretEnc), secret, 'the context never changes')
  t.throws(() => new SecretBox(key, 'svc-webhooks/secret').open(secretEnc), { code: 'SVC_KERNEL_SECRET_BOX' })
})

t.test('another key, a failing store and no store: not able now', async (t) => {
  const { store, clock, totp, code } = setUp()
  const { secret } = await totp.enroll(alice)
  const setting = { box: new SecretBox(randomBytes(32), TOTP_CONTEXT), clock, issuer: 'shop' }
  await t.rejects(new TotpService({ ...setting, store: guarded(store) }).confirm(alice, code(secret)), {
    code: 'SVC_SEC_UNAVAILABLE'
  })
  await t.rejects(new TotpService({ ...setting, store: guarded(null) }).status(alice), { code: 'SVC_SEC_UNAVAILABLE' })
  const broken = Object.assign(inMemory(totpStore, { clock }), { find: async () => Promise.reject(new Error('down')) })
  await t.rejects(new TotpService({ ...setting, store: guarded(broken) }).verify(alice, '000000'), {
    code: 'SVC_SEC_UNAVAILABLE'
  })
})
