/** Names that announce a secret, and names that only sound like it. */
import t from 'tap'
import { isSecretName } from '../../src/redaction/secret-name.ts'

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
  'CSRFToken'
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
  'pin code'
]

for (const name of secret) t.test(`${name} is a secret`, async (t) => t.equal(isSecretName(name), true))
for (const name of open) t.test(`${JSON.stringify(name)} is none`, async (t) => t.equal(isSecretName(name), false))
