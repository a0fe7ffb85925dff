/** Secrets at rest: the frozen context, and that no other key or use opens them. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SecretBox } from 'svc-kernel/plugin'
import t from 'tap'
import { createEndpointSecrets, findKey } from '../../src/endpoints/endpoint-secrets.ts'
import { generateSecret } from '../../src/signature/sign-message.ts'

const published = new URL('../../../../../test/vectors/secret-box.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(published, 'utf8')) as {
  vectors: { title: string; context: string; key: string; plain: string; blob: string }[]
}
const refused = { code: 'SVC_KERNEL_SECRET_BOX' }

t.test('the published blobs of webhooks open, and no other', async (t) => {
  const own = vectors.filter(({ context }) => context === 'svc-webhooks/secret')
  t.equal(own.length, 2)
  for (const { key, blob, plain } of vectors) {
    const open = () => createEndpointSecrets(key).open(blob)
    if (own.some((vector) => vector.blob === blob)) t.equal(open(), plain)
    else t.throws(open, refused)
  }
})

t.test('one-time codes under the same key and webhooks do not open each other', async (t) => {
  const key = randomBytes(32).toString('base64')
  const secrets = createEndpointSecrets(key)
  const totp = new SecretBox(key, 'svc-security/totp')
  t.throws(() => secrets.open(totp.seal('a secret')), refused)
  t.throws(() => totp.open(secrets.seal('a secret')), refused)
})

t.test('what is sealed opens again, reads like noise, and is never the same twice', async (t) => {
  const secrets = createEndpointSecrets(randomBytes(32))
  const secret = generateSecret()
  const blob = secrets.seal(secret)
  t.equal(secrets.open(blob), secret)
  t.match(blob, /^gcm1\.[\w-]+$/)
  t.not(secrets.seal(secret), blob)
})

t.test('a blob that was cut, altered, sealed elsewhere or marked otherwise is refused', async (t) => {
  const secrets = createEndpointSecrets(randomBytes(32))
  const blob = secrets.seal(generateSecret())
  for (let length = 0; length < blob.length; length += 1) t.throws(() => secrets.open(blob.slice(0, length)), refused)
  const flipped = blob.slice(0, 20) + (blob[20] === 'A' ? 'B' : 'A') + blob.slice(21)
  for (const bad of [flipped, blob.replace('gcm1.', 'gcm0.'), blob.replace('gcm1.', 'GCM1.'), blob.slice(5)]) {
    t.throws(() => secrets.open(bad), refused)
  }
  t.throws(() => createEndpointSecrets(randomBytes(32)).open(blob), refused)
})

t.test('a key that is not 32 bytes is refused, and never shown', async (t) => {
  for (const key of ['', 'c2hvcnQ=', randomBytes(31).toString('base64'), randomBytes(33).toString('base64')]) {
    t.throws(() => createEndpointSecrets(key), { code: 'SVC_KERNEL_SECRET_KEY' })
  }
})

/** The key by mode: configured, of the process, or none. */
t.test('a configured key counts in every mode', async (t) => {
  for (const mode of ['development', 'production', 'test'] as const) {
    t.strictSame(findKey('abc', mode), { kind: 'configured', key: 'abc' }, mode)
  }
})

t.test('without one', async (t) => {
  for (const [mode, kind, code] of [
    ['development', 'ephemeral', 'SVC_WEBHOOK_KEY_EPHEMERAL'],
    ['test', 'ephemeral', 'SVC_WEBHOOK_KEY_EPHEMERAL'],
    ['production', 'missing', 'SVC_WEBHOOK_KEY_MISSING']
  ] as const) {
    const verdict = findKey(undefined, mode)
    t.equal(verdict.kind, kind, mode)
    t.match(verdict, { problem: { code, at: 'svc-webhooks.encryptionKey', expected: String, fix: /SVC_WEBHOOK_KEY/ } })
  }
})
