/** Names that say secret, and names that only look like it. */
import t from 'tap'
import { isSecretName, mayBeSecretName } from '../../src/secrets/secret-names.ts'

const secret = [
  'password',
  'userPassword',
  'PASSWORD_HASH',
  'old-passwd',
  'secret',
  'clientSecret',
  'secretEnc',
  'token',
  'accessToken',
  'refresh_tokens',
  'Authorization',
  'x-authorization-header',
  'cookie',
  'Set-Cookie',
  'jwt',
  'apiKey',
  'API_KEY',
  'apikey',
  'privateKeys',
  'encryption.key',
  'credentials',
  'otp',
  'pin',
  'webhookSignature',
  'CSRFToken',
  'passwordHash',
  'tokenHash',
  'api_key_digest',
  'otpSeed',
  'recoveryCodes'
]

const open = [
  'tokenId',
  'token_count',
  'credentialId',
  'keyId',
  'key',
  'keys',
  'signatureVersion',
  'spin',
  'pinned',
  'tokenise',
  'secretary',
  'bypass',
  'scopes',
  'voter',
  '',
  '__proto__',
  'constructor',
  'pin code',
  'hash',
  'commitHash',
  'salt',
  'seed',
  'postCode',
  'keyboard',
  'passport'
]

for (const name of secret) t.test(`${name} is a secret`, async (t) => t.equal(isSecretName(name), true))
for (const name of open) t.test(`${JSON.stringify(name)} is none`, async (t) => t.equal(isSecretName(name), false))

t.test('what may be a secret is what is one, and what sounds like one', async (t) => {
  for (const name of [...secret, 'hash', 'salt', 'key', 'licenseKey', 'tokenId', 'private'])
    t.ok(mayBeSecretName(name), name)
  for (const name of ['title', 'spinning', 'opinion', 'at', 'scopes']) t.notOk(mayBeSecretName(name), name)
})
