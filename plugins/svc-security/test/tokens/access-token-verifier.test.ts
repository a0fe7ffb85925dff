/** The signature path against an independent implementation: jose signs what is right and what attacks. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { exportJWK, importJWK, jwtVerify, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { KeySet } from '../../src/signing-keys/key-set.ts'
import { newStoredKey, openKey, type StoredKey } from '../../src/signing-keys/signing-key.ts'
import { ACCESS_MS, AUDIENCE, causeOf, ISSUER, type TokenWorld, tokenWorld } from '../support/token-world.ts'

const REFUSED = '401 INVALID_TOKEN'
const world = tokenWorld()
const S = world.clock.now() / 1000
const claims = { sub: 'alice', jti: 'j-1', iat: S, exp: S + 60, iss: ISSUER, aud: AUDIENCE }
const header = { alg: 'EdDSA', typ: 'at+jwt', kid: world.key.kid }

/** Signed by jose with our own key: every token of this file differs from a good one in one thing. */
async function signed(
  changedHeader: Record<string, unknown> = {},
  changedClaims: Record<string, unknown> = {},
  key: StoredKey = world.key
): Promise<string> {
  const text = Object.fromEntries(
    Object.entries({ ...header, ...changedHeader }).filter(([, value]) => value !== undefined)
  )
  return new SignJWT({ ...claims, ...changedClaims })
    .setProtectedHeader(text as never)
    .sign(await importJWK({ ...key }, 'EdDSA'))
}

/** Any header and any payload text, signed with our key by the bare primitive: what no library would sign. */
function forged(
  headerText: string,
  payloadText: string,
  key: KeyObject = openKey(world.key).privateKey as KeyObject
): string {
  const input = `${part(headerText)}.${part(payloadText)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}

function part(text: string): string {
  return Buffer.from(text).toString('base64url')
}

async function refused(t: Test, title: string, token: string, cause: string, at: TokenWorld = world) {
  t.equal(await causeOf(at.tokens.verify(token)), `${REFUSED} ${cause}`, title)
}

t.test('what jose signs we verify, and what we sign jose verifies', async (t) => {
  const token = await world.tokens.verify(await signed({}, { scope: 'orders:read orders:write' }))
  t.match(token, { type: 'jwt', jti: 'j-1', scopes: ['orders:read', 'orders:write'], expiresAt: claims.exp * 1000 })
  t.same(token.user, { identifier: 'alice', roles: ['ROLE_USER'] })

  const { accessToken, jti } = await world.tokens.issue({ identifier: 'alice' }, { scopes: ['orders:read'] })
  const [jwk] = world.tokens.jwks().keys
  const { payload, protectedHeader } = await jwtVerify(accessToken, await importJWK({ ...jwk }, 'EdDSA'), {
    issuer: ISSUER,
    audience: AUDIENCE,
    typ: 'at+jwt',
    algorithms: ['EdDSA'],
    currentDate: new Date(world.clock.now())
  })
  t.strictSame(protectedHeader, { alg: 'EdDSA', typ: 'at+jwt', kid: world.key.kid })
  t.strictSame(payload, {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'alice',
    jti,
    scope: 'orders:read',
    iat: S,
    exp: S + ACCESS_MS / 1000
  })
})

t.test('JWT-20, JWT-21: other spellings that mean the same', async (t) => {
  for (const token of [
    await signed({ typ: 'application/at+jwt' }),
    await signed({ typ: 'AT+JWT' }),
    await signed({}, { aud: ['https://other.example', AUDIENCE] })
  ]) {
    t.equal(await causeOf(world.tokens.verify(token)), null)
  }
})

t.test('headers that attack', async (t) => {
  const mine = generateKeyPairSync('ed25519')
  const jwk = await exportJWK(mine.publicKey)
  const attacker = newStoredKey(0)
  const rows: [title: string, token: string, cause: string][] = [
    ['JWT-18: typ absent', await signed({ typ: undefined }), 'invalid_type'],
    ['JWT-19: a refresh token', await signed({ typ: 'rt+jwt' }), 'invalid_type'],
    ['typ JWT', await signed({ typ: 'JWT' }), 'invalid_type'],
    [
      'typ that is no text',
      forged(JSON.stringify({ ...header, typ: ['at+jwt'] }), JSON.stringify(claims)),
      'invalid_type'
    ],
    ['JWT-08: kid unknown', await signed({ kid: 'nobody' }), 'kid'],
    ['kid absent', await signed({ kid: undefined }), 'kid'],
    ['kid a number', forged(JSON.stringify({ ...header, kid: 1 }), JSON.stringify(claims)), 'kid'],
    ['JWT-10: kid __proto__', await signed({ kid: '__proto__' }), 'kid'],
    ['JWT-10: kid constructor', await signed({ kid: 'constructor' }), 'kid'],
    ['JWT-10: kid toString', await signed({ kid: 'toString' }), 'kid'],
    ['JWT-24: crit unknown', forged(JSON.stringify({ ...header, crit: ['x'], x: 1 }), JSON.stringify(claims)), 'crit'],
    ['crit empty', forged(JSON.stringify({ ...header, crit: [] }), JSON.stringify(claims)), 'crit'],
    ['crit null', forged(JSON.stringify({ ...header, crit: null }), JSON.stringify(claims)), 'crit'],
    [
      'JWT-15: the attacker brings the key',
      await signed({ jwk }, {}, { ...attacker, kid: world.key.kid }),
      'invalid_signature'
    ],
    ['jku', await signed({ jku: 'https://evil.example/jwks' }, {}, attacker), 'invalid_signature'],
    ['JWT-16: x5c', await signed({ x5c: ['AAAA'] }, {}, attacker), 'invalid_signature'],
    ['another key', await signed({}, {}, attacker), 'invalid_signature'],
    ['a header that is no object', forged('[]', JSON.stringify(claims)), 'kid'],
    ['a header that is null', forged('null', JSON.stringify(claims)), 'kid'],
    ['a header that is no JSON', forged('{', JSON.stringify(claims)), 'kid']
  ]
  for (const [title, token, cause] of rows) await refused(t, title, token, cause)
  t.equal(
    await causeOf(world.tokens.verify(await signed({ jwk }))),
    null,
    'a jwk beside our own signature is not looked at'
  )
})

t.test('JWT-01 to JWT-06: algorithms that attack', async (t) => {
  const publicKey = createPublicKey({ key: { ...world.key, d: undefined } as never, format: 'jwk' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  for (const alg of ['none', 'nOnE', 'NONE', 'None', '']) {
    const text = `${part(JSON.stringify({ ...header, alg }))}.${part(JSON.stringify(claims))}`
    await refused(t, `${alg} without a signature`, `${text}.`, 'signature_form')
    await refused(t, `${alg} with any signature`, `${text}.${'A'.repeat(86)}`, 'invalid_algorithm')
    await refused(
      t,
      `${alg} with ours`,
      forged(JSON.stringify({ ...header, alg }), JSON.stringify(claims)),
      'invalid_algorithm'
    )
  }
  const secrets: [title: string, secret: Buffer][] = [
    ['the PEM', Buffer.from(pem)],
    ['the PEM without its end', Buffer.from(pem.trim())],
    ['the raw 32 bytes', Buffer.from(world.key.x, 'base64url')],
    ['the JWK as JSON', Buffer.from(JSON.stringify(world.tokens.jwks().keys[0]))],
    ['the DER', publicKey.export({ type: 'spki', format: 'der' })]
  ]
  for (const [title, secret] of secrets) {
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const token = await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(secret)
      t.match(await causeOf(world.tokens.verify(token)), new RegExp(`^${REFUSED} `), `${alg} keyed with ${title}`)
    }
  }
  for (const alg of ['RS256', 'ES256', 'PS256', 'Ed25519', 'Ed448', 'EDDSA']) {
    await refused(t, alg, forged(JSON.stringify({ ...header, alg }), JSON.stringify(claims)), 'invalid_algorithm')
  }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'RS256' }).sign(rsa.privateKey)
  await refused(t, 'a real RS256', foreign, 'signature_form')
})

t.test('claims that attack', async (t) => {
  const text = JSON.stringify(claims)
  const withExp = (exp: string) => text.replace(`"exp":${claims.exp}`, `"exp":${exp}`)
  const rows: [title: string, token: string, cause: string][] = [
    ['JWT-26: exp missing', await signed({}, { exp: undefined }), 'missing_required_claim'],
    ['exp 1e400', forged(JSON.stringify(header), withExp('1e400')), 'exp'],
    ['exp null', forged(JSON.stringify(header), withExp('null')), 'exp'],
    ['exp a text', forged(JSON.stringify(header), withExp(`"${claims.exp}"`)), 'exp'],
    ['JWT-28: exp now', await signed({}, { exp: S }), 'expired'],
    ['JWT-31: iat ahead', await signed({}, { iat: S + 3600 }), 'future'],
    ['JWT-32: iat missing', await signed({}, { iat: undefined }), 'missing_required_claim'],
    ['JWT-33: sub empty', await signed({}, { sub: '' }), 'sub'],
    ['sub of another user', await signed({}, { sub: 'mallory' }), 'unknown_subject'],
    ['iss of another', await signed({}, { iss: 'https://evil.example' }), 'invalid_claim_value'],
    ['iss longer by a blank', await signed({}, { iss: `${ISSUER} ` }), 'invalid_claim_value'],
    ['iss missing', await signed({}, { iss: undefined }), 'missing_required_claim'],
    ['aud of another', await signed({}, { aud: 'https://other.example' }), 'invalid_claim_value'],
    ['aud empty', await signed({}, { aud: [] }), 'invalid_claim_value'],
    ['aud that begins like ours', await signed({}, { aud: `${AUDIENCE}.evil.example` }), 'invalid_claim_value'],
    ['aud missing', await signed({}, { aud: undefined }), 'missing_required_claim'],
    ['bound to a certificate', await signed({}, { cnf: { 'x5t#S256': 'x' } }), 'cnf'],
    [
      'JWT-49: __proto__',
      forged(JSON.stringify(header), text.replace('{', '{"__proto__":{"roles":["ROLE_ADMIN"]},')),
      'claims'
    ],
    [
      'JWT-49: __proto__ inside',
      forged(JSON.stringify(header), text.replace('{', '{"a":[{"__proto__":{"b":1}}],')),
      'claims'
    ],
    ['a payload that is no object', forged(JSON.stringify(header), '"alice"'), 'invalid_payload'],
    ['a payload that is no JSON', forged(JSON.stringify(header), '{'), 'malformed']
  ]
  for (const [title, token, cause] of rows) await refused(t, title, token, cause)
  const twice = await world.tokens.verify(forged(JSON.stringify(header), text.replace('{', '{"sub":"bob",')))
  t.equal(twice.getUserIdentifier(), 'alice', 'JWT-48: of two members the last one counts')
  t.equal(({} as Record<string, unknown>).roles, undefined)
})

t.test('JWT-45, JWT-47, JWT-51, JWT-52: forms that are not the one form', async (t) => {
  const token = await signed()
  const [head = '', body = '', signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const rows: [title: string, token: string, cause: string][] = [
    ['truncated', token.slice(0, -1), 'signature_form'],
    ['padded', `${token}==`, 'signature_form'],
    ['the other alphabet', `${head}.${body}.+/${signature.slice(2)}`, 'signature_form'],
    ['something behind', `${token}A`, 'signature_form'],
    ['a blank behind', `${token} `, 'signature_form'],
    ['a line behind', `${token}\n`, 'signature_form'],
    ['four parts', `${token}.${signature}`, 'malformed'],
    ['JWT-47: S + L', `${head}.${body}.${plusOrder(bytes).toString('base64url')}`, 'invalid_signature'],
    ['a signature of zeros', `${head}.${body}.${'A'.repeat(86)}`, 'invalid_signature'],
    ['a blank in the payload', `${head}.${body.slice(0, 4)} ${body.slice(4)}.${signature}`, 'malformed'],
    ['JWT-52: 200 KB', `${head}.${'A'.repeat(200_000)}.${signature}`, 'length']
  ]
  for (const [title, mutant, cause] of rows) {
    await refused(t, title, mutant, cause)
  }
  const unused = 'AQgw'.includes(signature.at(-1) ?? '')
  t.ok(unused, 'our own signature has its only spelling')
  const next = String.fromCharCode((signature.at(-1) ?? 'A').charCodeAt(0) + 1)
  await refused(t, 'a last character that decodes to the same bytes', token.slice(0, -1) + next, 'signature_form')
})

t.test('claims are frozen through and through, and the next verification reads none of what was tried', async (t) => {
  for (const cacheSize of [0, 10]) {
    const at = tokenWorld({ cacheSize })
    const token = await at.tokens.issue({ identifier: 'alice' }).then(({ accessToken }) => accessToken)
    const { claims: first } = (await at.tokens.verify(token)) as unknown as { claims: Record<string, unknown> }
    t.throws(() => {
      first.sub = 'root'
    }, TypeError)
    const again = await at.tokens.verify(token)
    t.equal(again.getUserIdentifier(), 'alice')
  }
})

t.test('JWT-54, JWT-56: rotation', async (t) => {
  const at = tokenWorld({ cacheSize: 10 })
  const old = openKey(at.key)
  const next = newStoredKey(at.clock.now() + 120_000)
  const before = (await at.tokens.issue({ identifier: 'alice' })).accessToken
  t.equal(await causeOf(at.tokens.verify(before)), null)

  at.ring.replace(new KeySet([openKey(next), old]))
  t.equal(at.tokens.jwks().keys.length, 2, 'the next key is known before it signs')
  t.equal(kidOf((await at.tokens.issue({ identifier: 'alice' })).accessToken), old.kid)

  at.clock.advance(120_000)
  const after = (await at.tokens.issue({ identifier: 'alice' })).accessToken
  t.equal(kidOf(after), next.kid)
  t.equal(await causeOf(at.tokens.verify(after)), null)
  t.equal(await causeOf(at.tokens.verify(before)), null, 'a token of the old key lives on')

  const late = await new SignJWT({ ...claims, iat: at.clock.now() / 1000 + 1, exp: at.clock.now() / 1000 + 60 })
    .setProtectedHeader({ ...header, kid: old.kid })
    .sign(await importJWK({ ...at.key }, 'EdDSA'))
  at.clock.advance(2000)
  await refused(t, 'a token that a stolen old key signs afterwards', late, 'retired_key', at)

  at.clock.advance(ACCESS_MS)
  t.equal(at.tokens.jwks().keys.length, 1, 'a key without living tokens is not published any more')

  const cached = (await at.tokens.issue({ identifier: 'alice' })).accessToken
  t.equal(await causeOf(at.tokens.verify(cached)), null)
  at.ring.replace(new KeySet([openKey(newStoredKey(0))]))
  await refused(t, 'a key that is removed takes its tokens along at once, remembered or not', cached, 'kid', at)
})

function kidOf(token: string): string {
  return (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
}

/** The same signature with S + L: RFC 8032, 5.1.7 demands that it is refused. */
function plusOrder(signature: Buffer): Buffer {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order
  const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signature.subarray(0, 32), bytes])
}
