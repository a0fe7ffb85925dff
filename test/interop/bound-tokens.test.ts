/** Tokens that are bound to keys, on every database: the key is kept with them, and of requests at once with one proof one goes through. */
import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t from 'tap'
import { API, KEY_SET, PASSWORD } from '../support/account-app.ts'
import { accountsOn } from '../support/account-databases.ts'
import { onEveryDatabase } from '../support/entity-databases.ts'

async function keyHolder() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  return (htm: string, path: string, token?: string) => {
    const ath = token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') }
    return new SignJWT({ htm, htu: `http://localhost${path}`, jti: randomUUID(), ...ath })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .setIssuedAt()
      .sign(privateKey)
  }
}

type Proofs = Awaited<ReturnType<typeof keyHolder>>

await onEveryDatabase(t, [], async (t, database) => {
  const { app } = await accountsOn(t, database, { jwt: { ...KEY_SET, dpop: 'allowed', refreshGraceS: 5 } })
  await app.userAccounts.create({ identifier: 'ann', password: PASSWORD, roles: [] })
  const [owner, thief] = [await keyHolder(), await keyHolder()]
  const post = async (url: string, payload: object, proofs: Proofs | null) => {
    const headers: Record<string, string> = proofs === null ? {} : { dpop: await proofs('POST', url) }
    const answer = await app.inject({ method: 'POST', url, payload, headers })
    return { status: answer.statusCode, body: answer.json<Record<string, string>>() }
  }
  const renew = (refresh_token = '', proofs: Proofs | null = owner) =>
    post(`${API}/token/refresh`, { refresh_token }, proofs)
  const show = async (token = '', dpop = '') =>
    (await app.inject({ url: '/in', headers: { authorization: `DPoP ${token}`, dpop } })).statusCode

  await t.test('a proof is used once, also by requests at once', async (t) => {
    const { body } = await post(`${API}/token`, { username: 'ann', password: PASSWORD }, owner)
    t.equal(body.token_type, 'DPoP')
    const dpop = await owner('GET', '/in', body.access_token)
    const answers = await Promise.all(Array.from({ length: 8 }, () => show(body.access_token, dpop)))
    t.same(answers.sort(), [200, ...Array.from({ length: 7 }, () => 401)])
    t.equal(await show(body.access_token, await thief('GET', '/in', body.access_token)), 401)
  })

  await t.test('a refresh token keeps its key, and its successors too', async (t) => {
    const { body: first } = await post(`${API}/token`, { username: 'ann', password: PASSWORD }, owner)
    t.equal((await renew(first.refresh_token, null)).status, 401)
    t.equal((await renew(first.refresh_token, thief)).status, 401)
    const answers = await Promise.all(Array.from({ length: 4 }, () => renew(first.refresh_token)))
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]), 'pages that renew at once')
    const [next] = answers
    t.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1)
    t.equal((await renew(next?.body.refresh_token, thief)).status, 401)
    const third = await renew(next?.body.refresh_token)
    t.equal(third.status, 200, 'strangers ended nothing')
    const access = third.body.access_token ?? ''
    t.equal(await show(access, await owner('GET', '/in', access)), 200)
    t.equal((await renew(first.refresh_token)).status, 401, 'two generations back')
    t.equal((await renew(third.body.refresh_token)).status, 401, 'ends the family')
  })
})
