/** Area `jwt`, claims: what a token must say beside a signature that holds, and what may have become of it. */
import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { AccessToken } from 'svc-kernel'
import { securityCase } from './security-case.ts'
import { refused, type TokenApp, taken, tokenApp, undated } from './token-app.ts'
import { AUDIENCE } from './token-forge.ts'

/** Seconds. */
function now({ clock }: TokenApp): number {
  return clock.now() / 1000
}

/** A token of ours whose payload has this text in the place of one member. */
function withText({ forge }: TokenApp, name: string, text: string): string {
  const { [name]: _replaced, ...others } = forge.claims
  return forge.forgedClaims(JSON.stringify(others).replace('{', `{${JSON.stringify(name)}:${text},`))
}

securityCase('JWT-21', async (t) => {
  const app = await tokenApp(t)
  const { forge } = app
  await taken(t, app, 'ours among others', await forge.signed({}, { aud: ['https://other.example', AUDIENCE] }))
  await taken(t, app, 'ours alone', await forge.signed({}, { aud: [AUDIENCE] }))
  const rows: Array<[title: string, aud: unknown, cause: string]> = [
    ['others alone', ['https://other.example'], 'invalid_claim_value'],
    ['nobody', [], 'invalid_claim_value'],
    ['a longer name', [`${AUDIENCE}.evil.example`], 'invalid_claim_value'],
    ['a list within the list', [[AUDIENCE]], 'invalid_claim_type'],
    ['an object', { 0: AUDIENCE }, 'invalid_claim_type'],
    ['no text', [null], 'invalid_claim_type'],
    ['no text beside ours', [AUDIENCE, 5], 'invalid_claim_type']
  ]
  for (const [title, aud, cause] of rows) {
    await refused(t, app, title, withText(app, 'aud', JSON.stringify(aud)), cause)
  }
  await refused(t, app, 'none', await forge.signed({}, { aud: undefined }), 'missing_required_claim')
})

securityCase('JWT-26', async (t) => {
  const app = await tokenApp(t)
  await refused(t, app, 'missing', await app.forge.signed({}, { exp: undefined }), 'missing_required_claim')
  for (const exp of ['null', '"4102444800"', '[4102444800]', '{}', 'true', '-1', '1e400', '4102444800.5', '1e300']) {
    await refused(t, app, exp, withText(app, 'exp', exp), 'exp')
  }
})

securityCase('JWT-28', async (t) => {
  const app = await tokenApp(t)
  const token = await app.forge.signed({}, { exp: now(app) + 60 })
  app.clock.advance(59_999)
  await taken(t, app, 'a millisecond before', token)
  app.clock.advance(1)
  await refused(t, app, 'now', token, 'expired')
})

securityCase('JWT-31', async (t) => {
  const app = await tokenApp(t, { jwt: { clockToleranceS: 30 } })
  const issuedIn = (seconds: number) => app.forge.signed({}, { iat: now(app) + seconds, exp: now(app) + seconds + 60 })
  await refused(t, app, 'an hour', await issuedIn(3600), 'future')
  await refused(t, app, 'a second beyond the tolerance', await issuedIn(31), 'future')
  await taken(t, app, 'within the tolerance', await issuedIn(30))
  const strict = await tokenApp(t)
  const ahead = await strict.forge.signed({}, { iat: now(strict) + 1 })
  await refused(t, strict, 'a second, without a tolerance', ahead, 'future')
})

securityCase('JWT-32', async (t) => {
  const app = await tokenApp(t)
  await app.fastify.tokens.revokeSubject('alice')
  const unknown = await app.forge.signed({}, { iat: undefined })
  await refused(t, app, 'missing', unknown, 'missing_required_claim')
  for (const iat of ['null', '"1"', '-1', '1e400', '{}']) await refused(t, app, iat, withText(app, 'iat', iat), 'iat')
})

securityCase('JWT-33', async (t) => {
  const app = await tokenApp(t)
  await refused(t, app, 'missing', await app.forge.signed({}, { sub: undefined }), 'missing_required_claim')
  for (const sub of ['""', '5', '["alice"]', 'null', 'true', '{"toString":"alice"}']) {
    await refused(t, app, sub, withText(app, 'sub', sub), 'sub')
  }
  t.equal(app.book.lookups, 0)
  for (const sub of ['ALICE', 'alice ', 'nobody', '__proto__']) {
    await refused(t, app, sub, withText(app, 'sub', JSON.stringify(sub)), 'unknown_subject')
  }
})

securityCase('JWT-35', async (t) => {
  const app = await tokenApp(t)
  const { access_token: token } = await app.issue()
  await taken(t, app, 'before', token)
  const other = (await app.issue()).access_token
  await app.browser().post('/svc/security/api/token/revoke', { token })
  await refused(t, app, 'after', token, 'revoked')
  await taken(t, app, 'another one of the same user', other)
})

securityCase('JWT-37', async (t) => {
  const app = await tokenApp(t, { jwt: { clockToleranceS: 30 }, tokenStore: { gcIntervalS: 1 } })
  const token = await app.forge.signed({}, { exp: now(app) + 60 })
  await app.fastify.tokens.revoke(token)
  for (let second = 0; second < 90; second += 1) {
    await refused(t, app, `after ${second} s`, token, 'revoked')
    app.clock.advance(1000)
  }
  await refused(t, app, 'and then it has expired', token, 'expired')
})

securityCase('JWT-38', async (t) => {
  const app = await tokenApp(t)
  const { access_token: before } = await app.issue()
  app.clock.advance(5000)
  const threshold = await app.fastify.tokens.revokeSubject('alice')
  t.ok(threshold > 1e12, 'the threshold counts milliseconds')
  await refused(t, app, 'issued before', before, 'invalid_before')
  app.clock.advance(1000)
  await taken(t, app, 'issued after', (await app.issue()).access_token)
})

securityCase(
  'JWT-39',
  async (t) => {
    const app = await tokenApp(t)
    t.equal(await app.fastify.tokens.revokeSubject('alice'), now(app) * 1000)
    await refused(t, app, 'in the very millisecond', await app.forge.signed({}, { iat: now(app) }), 'invalid_before')
  },
  'refused where iat * 1000 <= invalidBefore'
)

securityCase(
  'JWT-40',
  async (t) => {
    const app = await tokenApp(t)
    app.clock.advance(300)
    await app.fastify.tokens.revokeSubject('alice')
    app.clock.advance(600)
    const { access_token: soon } = await app.issue()
    await refused(t, app, 'issued in the same second', soon, 'invalid_before')
    app.clock.advance(100)
    await taken(t, app, 'issued in the next one', (await app.issue()).access_token)
  },
  'refused: the client obtains a token in the next second'
)

securityCase('JWT-48', async (t) => {
  const app = await tokenApp(t)
  await app.book.add('bob')
  const text = JSON.stringify(app.forge.claims)
  await taken(t, app, 'the last one counts', app.forge.forgedClaims(text.replace('{', '{"sub":"bob",')))
  const { access_token } = await app.issue()
  const payload = Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()
  t.equal(payload, JSON.stringify(JSON.parse(payload)), 'what we issue names nothing twice')
})

securityCase('JWT-49', async (t) => {
  const seen: AccessToken[] = []
  const app = await tokenApp(t, {
    modules: [
      Object.assign(
        async (fastify: TokenApp['fastify']) => {
          fastify.addHook('preHandler', async ({ token }) => void seen.push(token as AccessToken))
        },
        { [Symbol.for('skip-override')]: true }
      )
    ]
  })
  const text = JSON.stringify(app.forge.claims)
  for (const member of [
    '"__proto__":{"roles":["ROLE_ADMIN"]}',
    '"a":{"__proto__":{"b":1}}',
    '"a":[[{"__proto__":1}]]'
  ]) {
    await refused(t, app, member, app.forge.forgedClaims(text.replace('{', `{${member},`)), 'claims')
  }
  const loud =
    '"constructor":{"prototype":{"polluted":1}},"roles":["ROLE_ADMIN"],"type":"session","user":{},"getUserIdentifier":"bob"'
  await taken(t, app, 'names of ours among the claims', app.forge.forgedClaims(text.replace('{', `{${loud},`)))
  t.equal(({} as Record<string, unknown>).polluted, undefined)
  t.match(seen, [{ type: 'jwt', user: { identifier: 'alice', roles: ['ROLE_USER'] } }])
  const token = seen[0] as AccessToken
  const promoted = ['claims', 'expiresAt', 'getUserIdentifier', 'issuedAt', 'jti', 'scopes', 'type', 'user']
  const ofProof = ['factors', 'proof', 'provenAt']
  t.strictSame(Object.keys(token).sort(), [...promoted, ...ofProof].sort())
  t.throws(() => Object.assign(token.claims as object, { sub: 'bob' }), TypeError)
})

securityCase('JWT-57', async (t) => {
  const app = await tokenApp(t)
  const { forge, fastify, clock } = app
  const revoked = (await app.issue()).access_token
  await fastify.tokens.revoke(revoked)
  const causes: Array<[cause: string, token: string]> = [
    ['revoked', revoked],
    ['unknown_subject', await forge.signed({}, { sub: 'nobody' })],
    ['invalid_claim_value', await forge.signed({}, { iss: 'https://evil.example' })],
    ['invalid_type', await forge.signed({ typ: 'JWT' })],
    ['kid', await forge.signed({ kid: 'nobody' })],
    ['expired', await forge.signed({}, { exp: now(app) })],
    ['signature_form', `${(await forge.signed()).slice(0, -1)}-`],
    ['crit', forge.forgedHeader({ crit: ['x'] })]
  ]
  clock.advance(1)
  const answers = []
  for (const [, token] of causes) answers.push(undated(await app.present(token)))
  t.match(answers[0], /^HTTP\/1\.1 401 /)
  t.equal(new Set(answers).size, 1, 'one answer, byte for byte')
  const told = app.records.filter(({ action }) => action === 'auth.failure').map(({ reason }) => reason)
  t.strictSame(
    told,
    causes.map(([cause]) => cause)
  )
})

securityCase('JWT-58', async (t) => {
  const app = await tokenApp(t)
  for (const cnf of [{ jkt: 'thumbprint' }, { 'x5t#S256': 'x' }, {}, null, 'x']) {
    await refused(t, app, JSON.stringify(cnf), withText(app, 'cnf', JSON.stringify(cnf)), 'cnf')
  }
})

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

/** A proof of possession as RFC 9449, 4.2 wants it, for one request and one token. */
async function proofOf(privateKey: PrivateKey, jwk: object, app: TokenApp, token: string, changed: object = {}) {
  const ath = createHash('sha256').update(token).digest('base64url')
  const htu = `http://127.0.0.1:${app.port}/jwt/who`
  const claims = { htm: 'GET', htu, ath, jti: 'proof-1', iat: now(app), ...changed }
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'dpop+jwt', jwk }).sign(privateKey)
}

securityCase(
  'JWT-59',
  async (t) => {
    const app = await tokenApp(t)
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const jkt = createHash('sha256')
      .update(JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x }))
      .digest('base64url')
    const bound = await app.forge.signed({}, { cnf: { jkt } })
    const free = await app.forge.signed()
    const changes = [{}, { htu: 'https://evil.example/' }, { htm: 'POST' }, { ath: 'x' }, { iat: 1 }, { nonce: 'old' }]
    for (const changed of changes) {
      for (const token of [bound, free]) {
        const dpop = await proofOf(privateKey, jwk, app, token, changed)
        const answer = await app.ask('/jwt/who', { authorization: `DPoP ${token}`, dpop })
        t.equal(answer.status, 401, `the scheme DPoP, ${JSON.stringify(changed)}`)
        t.equal(answer.headers['www-authenticate'], 'Bearer', 'it is not on offer')
        t.notMatch(answer.headers, { 'dpop-nonce': /./ })
      }
      const dpop = await proofOf(privateKey, jwk, app, bound, changed)
      const answer = await app.ask('/jwt/who', { authorization: `Bearer ${bound}`, dpop })
      t.equal(answer.status, 401, `a bound token as Bearer beside its proof, ${JSON.stringify(changed)}`)
      t.match(app.records.at(-1), { reason: 'cnf' })
    }
    t.equal(app.book.lookups, 0)
  },
  'DPoP cannot be enabled: 401 for the scheme and for a bound token, even with a proof that holds'
)
