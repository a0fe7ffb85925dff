/** Secrets: the form of a new one, and the strictness of reading one. */
import t from 'tap'
import { decodeSecret, generateSecret } from '../../src/signature/sign-message.ts'

t.test('a new secret has 256 random bits', async (t) => {
  const secrets = Array.from({ length: 50 }, generateSecret)
  for (const secret of secrets) {
    t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    t.equal(decodeSecret(secret).length, 32)
  }
  t.equal(new Set(secrets).size, secrets.length)
})

t.test('the prefix is no part of the key, and may be missing', async (t) => {
  const key = Buffer.alloc(32, 7)
  t.strictSame(decodeSecret(`whsec_${key.toString('base64')}`), key)
  t.strictSame(decodeSecret(key.toString('base64')), key)
})

const base64 = (bytes: number) => Buffer.alloc(bytes, 0xfb).toString('base64')
const refused: readonly [case_: string, secret: string, finding: RegExp][] = [
  ['empty', '', /decodes to 0 bytes/],
  ['the prefix alone', 'whsec_', /decodes to 0 bytes/],
  ['23 bytes', base64(23), /decodes to 23 bytes, needs 24 to 64/],
  ['65 bytes', base64(65), /decodes to 65 bytes/],
  ['another prefix', `whpk_${base64(32)}`, /is not base64/],
  ['the prefix twice', `whsec_whsec_${base64(32)}`, /is not base64/],
  ['base64url', Buffer.alloc(32, 0xfb).toString('base64url'), /is not base64/],
  ['without padding', base64(32).replace('=', ''), /is not base64/],
  ['a space before', ` ${base64(32)}`, /is not base64/],
  ['a newline after', `${base64(32)}\n`, /is not base64/],
  ['a space for a plus, as an unencoded query leaves it', base64(32).replaceAll('+', ' '), /is not base64/],
  ['stray bits in the last character', `${'A'.repeat(42)}B=`, /is not base64/],
  ['hex', 'fb'.repeat(33), /is not base64|decodes to/]
]

for (const [name, secret, finding] of refused) {
  t.test(`refused: ${name}`, async (t) => {
    const error = t.throws(() => decodeSecret(secret), { code: 'SVC_WEBHOOKS_BAD_SECRET', message: finding })
    if (secret.length > 20) t.notOk(String(error).includes(secret.trim()), 'the text does not repeat the secret')
  })
}

for (const bytes of [24, 32, 64]) {
  t.equal(decodeSecret(`whsec_${base64(bytes)}`).length, bytes, `${bytes} bytes are taken`)
}
