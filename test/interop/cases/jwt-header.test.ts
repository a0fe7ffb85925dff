/** Area `jwt`, header and form: the algorithm, the type and the key are ours to choose (RFC 8725, 3.1 and 3.11). */
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { exportJWK, SignJWT } from 'jose'
import { newStoredKey } from 'svc-security/host'
import type { Test } from 'tap'
import { portOf } from '../../support/ports.ts'
import { keyFolder } from './key-folder.ts'
import { securityCase } from './security-case.ts'
import { refused, taken, tokenApp } from './token-app.ts'
import { segment, TokenForge } from './token-forge.ts'

/** Refused without a signature, with one that is none, and with our own over the same bytes. */
async function unsignedRefused(t: Test, alg: string): Promise<void> {
  const app = await tokenApp(t)
  const { header, claims } = app.forge
  const input = `${segment(JSON.stringify({ ...header, alg }))}.${segment(JSON.stringify(claims))}`
  t.equal((await app.present(`${input}.`)).status, 401, `${alg} without a signature`)
  t.equal(app.calls.isDenied, undefined)
  await refused(t, app, `${alg} with an empty one`, `${input}.${'A'.repeat(86)}`, 'invalid_algorithm')
  await refused(t, app, `${alg} with ours`, app.forge.forgedHeader({ alg }), 'invalid_algorithm')
}

securityCase(
  'JWT-01',
  (t) => unsignedRefused(t, 'none'),
  '401; without a third part it is no token of ours, and nobody claims it'
)

securityCase('JWT-02', async (t) => {
  for (const alg of ['nOnE', 'NONE', 'None', 'none ', '']) await unsignedRefused(t, alg)
})

/** The public key in every text a verifier could mistake for a shared secret. */
function publicTexts({ key }: TokenForge): Record<string, Buffer> {
  const { kty, crv, x, kid } = key
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  return {
    'the PEM': Buffer.from(pem),
    'the PEM without its last line break': Buffer.from(pem.trim()),
    'the raw bytes': Buffer.from(x, 'base64url'),
    'the base64url of the raw bytes': Buffer.from(x),
    'the JWK': Buffer.from(JSON.stringify({ kty, crv, kid, x, alg: 'EdDSA', use: 'sig' })),
    'the DER': publicKey.export({ type: 'spki', format: 'der' })
  }
}

async function confusionRefused(t: Test, titles: RegExp): Promise<void> {
  const app = await tokenApp(t)
  const texts = Object.entries(publicTexts(app.forge)).filter(([title]) => titles.test(title))
  t.ok(texts.length > 0)
  for (const [title, secret] of texts) {
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const token = await new SignJWT(app.forge.claims).setProtectedHeader({ ...app.forge.header, alg }).sign(secret)
      // Only a MAC of 64 bytes has the length of a signature of ours.
      const cause = alg === 'HS512' ? 'invalid_algorithm' : 'signature_form'
      await refused(t, app, `${alg} keyed with ${title}`, token, cause)
    }
  }
}

securityCase('JWT-03', (t) => confusionRefused(t, /PEM/))

securityCase('JWT-04', (t) => confusionRefused(t, /raw|JWK|DER/))

securityCase('JWT-06', async (t) => {
  const app = await tokenApp(t)
  const { header, claims } = app.forge
  const foreign = {
    RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  }
  for (const [alg, key] of Object.entries(foreign)) {
    const token = await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(key)
    await refused(t, app, alg, token, alg === 'ES256' ? 'invalid_algorithm' : 'signature_form')
  }
  const ed448 = generateKeyPairSync('ed448').privateKey
  const long = app.forge.forged(JSON.stringify(header), JSON.stringify(claims), ed448)
  await refused(t, app, 'EdDSA over Ed448', long, 'signature_form')
  for (const alg of ['Ed25519', 'Ed448', 'EDDSA', 'eddsa', 'RS256', 'ES256', 'HS256']) {
    await refused(t, app, `${alg} over our own Ed25519 signature`, app.forge.forgedHeader({ alg }), 'invalid_algorithm')
  }
  await refused(t, app, 'a list', app.forge.forgedHeader({ alg: ['EdDSA'] }), 'invalid_algorithm')
})

securityCase('JWT-08', async (t) => {
  const { dir, key } = await keyFolder(t)
  const app = await tokenApp(t, { jwt: { dir } })
  const forge = new TokenForge(key, app.clock.now() / 1000)
  const asked: unknown[] = []
  const elsewhere = createServer((request, response) => {
    asked.push(request.url)
    response.end(JSON.stringify({ keys: [] }))
  }).listen(0, '127.0.0.1')
  t.teardown(() => elsewhere.close())
  await once(elsewhere, 'listening')
  await rm(dir, { recursive: true })
  const url = `http://127.0.0.1:${portOf(elsewhere)}/jwks`
  for (const kid of ['nobody', '', url, '../keyset.json', '/etc/passwd', key.kid.toLowerCase(), `${key.kid} `]) {
    await refused(t, app, kid, await forge.signed({ kid, jku: url, x5u: url }), 'kid')
  }
  for (const kid of [undefined, 1, null, [key.kid]]) {
    await refused(t, app, JSON.stringify(kid) ?? 'none', forge.forgedHeader({ kid }), 'kid')
  }
  t.equal((await app.present(await forge.signed({ jku: url }))).status, 200, 'and ours needs neither')
  t.strictSame(asked, [])
  t.equal(app.book.lookups, 1)
})

securityCase('JWT-10', async (t) => {
  const app = await tokenApp(t)
  for (const kid of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'size', '0']) {
    await refused(t, app, kid, await app.forge.signed({ kid }), 'kid')
  }
})

securityCase('JWT-15', async (t) => {
  const app = await tokenApp(t)
  const attacker = newStoredKey(0)
  const { d: _own, activeFrom: _time, ...jwk } = attacker
  await refused(t, app, 'under our kid', await app.forge.signed({ jwk }, {}, attacker), 'invalid_signature')
  await refused(t, app, 'under its own', await app.forge.signed({ jwk, kid: attacker.kid }, {}, attacker), 'kid')
  await taken(t, app, 'beside our own signature it is not looked at', await app.forge.signed({ jwk }))
})

securityCase('JWT-16', async (t) => {
  const app = await tokenApp(t)
  const attacker = newStoredKey(0)
  const mine = await exportJWK(createPublicKey(new TokenForge(attacker, 0).privateKey))
  const x5c = [Buffer.from(JSON.stringify(mine)).toString('base64')]
  await refused(t, app, 'x5c', await app.forge.signed({ x5c }, {}, attacker), 'invalid_signature')
  await refused(t, app, 'x5t', await app.forge.signed({ x5t: 'AAAA', x5c }, {}, attacker), 'invalid_signature')
})

securityCase('JWT-18', async (t) => {
  const app = await tokenApp(t)
  await refused(t, app, 'typ absent', await app.forge.signed({ typ: undefined }), 'invalid_type')
  for (const typ of [null, '', 1, ['at+jwt'], { toString: 'at+jwt' }]) {
    await refused(t, app, JSON.stringify(typ), app.forge.forgedHeader({ typ }), 'invalid_type')
  }
})

securityCase('JWT-19', async (t) => {
  const app = await tokenApp(t)
  for (const typ of ['rt+jwt', 'JWT', 'jwt', 'dpop+jwt', 'logout+jwt', 'at+jwt2', 'x/at+jwt', 'application/jwt']) {
    await refused(t, app, typ, await app.forge.signed({ typ }), 'invalid_type')
  }
  const { refresh_token } = await app.issue()
  t.equal((await app.present(refresh_token)).status, 401, 'ours has no parts at all')
})

securityCase('JWT-20', async (t) => {
  const app = await tokenApp(t)
  for (const typ of ['application/at+jwt', 'AT+JWT', 'Application/At+Jwt']) {
    await taken(t, app, typ, await app.forge.signed({ typ }))
  }
})

securityCase('JWT-24', async (t) => {
  const app = await tokenApp(t)
  const rows: Array<[title: string, header: Record<string, unknown>]> = [
    ['unknown', { crit: ['x'], x: 1 }],
    ['unknown and absent', { crit: ['x'] }],
    ['known and unknown', { crit: ['b64', 'x'], b64: true, x: 1 }],
    ['b64 (RFC 7797)', { crit: ['b64'], b64: false }],
    ['one of the registered names', { crit: ['alg'] }],
    ['empty', { crit: [] }],
    ['a text', { crit: 'x' }],
    ['null', { crit: null }]
  ]
  for (const [title, header] of rows) {
    await refused(t, app, title, app.forge.forgedHeader(header), 'crit')
  }
})

securityCase('JWT-45', async (t) => {
  const app = await tokenApp(t)
  const token = await app.forge.signed()
  const [head = '', body = '', signature = ''] = token.split('.')
  const last = signature.at(-1) ?? ''
  const claimed: Array<[title: string, token: string]> = [
    ['a character less', token.slice(0, -1)],
    ['half of it', `${head}.${body}.${signature.slice(0, 43)}`],
    ['a character more', `${token}A`],
    ['other unused bits in the last character', token.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1)]
  ]
  for (const [title, mutant] of claimed) await refused(t, app, title, mutant, 'signature_form')
  const unclaimed: Array<[title: string, token: string]> = [
    ['padded', `${token}==`],
    ['padding in the header', `${head}=.${body}.${signature}`],
    ['the other alphabet', `${head}.${body}.+/${signature.slice(2)}`],
    ['junk behind', `${token};`],
    ['a quoted one', `"${token}"`]
  ]
  for (const [title, mutant] of unclaimed) {
    const answer = await app.present(mutant)
    t.equal(answer.status, 401, title)
  }
  await taken(t, app, 'the one spelling', token)
})

securityCase('JWT-47', async (t) => {
  const app = await tokenApp(t)
  const [head = '', body = '', signature = ''] = (await app.forge.signed()).split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const mutant = `${head}.${body}.${plusOrder(bytes).toString('base64url')}`
  await refused(t, app, 'S + L', mutant, 'invalid_signature')
  await refused(t, app, 'zeros', `${head}.${body}.${'A'.repeat(86)}`, 'invalid_signature')
})

/** The same signature with S + L, which RFC 8032, 5.1.7 tells to refuse. */
function plusOrder(signature: Buffer): Buffer {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order
  const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signature.subarray(0, 32), bytes])
}

securityCase(
  'JWT-51',
  async (t) => {
    const app = await tokenApp(t)
    const [head = '', body = '', signature = ''] = (await app.forge.signed()).split('.')
    const forms = [
      `${head}.${body}.${signature}.${signature}`,
      `${head}.${body}.${signature}.${head}.${body}`,
      `${head}..${signature}`,
      `.${body}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      '..',
      '.',
      '...',
      head
    ]
    for (const form of forms) {
      app.records.length = 0
      const answer = await app.present(form)
      t.equal(answer.status, 401, form.slice(-100))
      t.notMatch(answer.body, /INVALID_TOKEN/, 'nobody claimed it')
      t.notMatch(app.records, [{ metadata: { authenticator: 'jwt' } }])
    }
    t.equal(app.book.lookups, 0)
  },
  'claimed only with exactly three parts of base64url; 401 from the zone'
)

securityCase(
  'JWT-52',
  async (t) => {
    const app = await tokenApp(t)
    const { header, claims } = app.forge
    const ofLength = (pad: number) => app.forge.forgedClaims(JSON.stringify({ ...claims, pad: 'x'.repeat(pad) }))
    const room = Math.floor(((8192 - ofLength(0).length) * 3) / 4)
    const fitting = ofLength(room - 2)
    t.ok(fitting.length <= 8192 && fitting.length > 8180, `${fitting.length} characters`)
    await taken(t, app, '8 KiB', fitting)
    await refused(t, app, 'a little more', ofLength(room + 12), 'length')
    const long = { claims: ofLength(150_000), header: app.forge.forgedHeader({ ...header, pad: 'x'.repeat(150_000) }) }
    for (const [title, token] of Object.entries(long)) {
      t.equal((await app.present(token)).status, 431, `200 KB of ${title}: Node's own limit of headers comes first`)
      const headers = { authorization: `Bearer ${token}` }
      const answer = await app.fastify.inject({ url: '/jwt/who', headers })
      t.equal(answer.statusCode, 401, `200 KB of ${title}, where Node lets them through`)
      t.match(app.records.at(-1), { reason: 'length' })
    }
    t.equal(app.book.lookups, 1)
  },
  'refused unread, over 8192 characters'
)
