/** What is sealed of an endpoint: a secret alone as it always was, two secrets at most, and until when both sign. */
import t from 'tap'
import {
  openCredentials,
  readCredentials,
  rotated,
  sealCredentials,
  signingSecrets
} from '../../src/endpoints/endpoint-credentials.ts'
import { createEndpointSecrets } from '../../src/endpoints/endpoint-secrets.ts'

const secrets = createEndpointSecrets(Buffer.alloc(32, 7))
const other = createEndpointSecrets(Buffer.alloc(32, 8))
const alone = { secret: 'whsec_a', previous: null, headers: {} }

t.test('a secret alone is sealed as it is, and what was sealed so opens', async (t) => {
  t.equal(secrets.open(sealCredentials(secrets, alone)), 'whsec_a')
  t.strictSame(openCredentials(secrets, secrets.seal('whsec_a')), alone)
})

t.test('the rest comes back whole, under the same key alone', async (t) => {
  const full = { secret: 'whsec_b', previous: { secret: 'whsec_a', endsAt: 5 }, headers: { authorization: 'x' } }
  const sealed = sealCredentials(secrets, full)
  t.strictSame(openCredentials(secrets, sealed), full)
  t.notMatch(sealed, /whsec|authorization/)
  t.throws(() => readCredentials(other, sealed), { code: 'SVC_WEBHOOKS_SECRET_UNREADABLE' })
})

t.test('who signs, and when', async (t) => {
  const now = 1_000_000
  const atOnce = rotated(alone, 'whsec_b', { overlapS: 0, now })
  t.strictSame(atOnce, { ...alone, secret: 'whsec_b' })
  const both = rotated(alone, 'whsec_b', { overlapS: 60, now })
  t.strictSame(signingSecrets(both, now + 59_999), ['whsec_b', 'whsec_a'])
  t.strictSame(signingSecrets(both, now + 60_000), ['whsec_b'])
  const third = rotated(both, 'whsec_c', { overlapS: 60, now: now + 1 })
  t.strictSame(signingSecrets(third, now + 1), ['whsec_c', 'whsec_b'], 'the one before last ends')
  t.strictSame(signingSecrets(rotated(both, 'whsec_c', { overlapS: 0, now }), now), ['whsec_c'])
})
