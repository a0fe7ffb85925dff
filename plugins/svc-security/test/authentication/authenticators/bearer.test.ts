/** Bearer credentials on the wire: dispatch between authenticators, and every byte of a good one changed. */
import t from 'tap'
import { ALICE_PASSWORD } from '../../support/accounts.ts'
import { Browser } from '../../support/login-app.ts'
import { rawRequest } from '../../support/raw-request.ts'
import { accessToken, type TokenApp, tokenApp } from '../../support/token-app.ts'

async function listening(t: { teardown(work: () => unknown): void }, made: Promise<TokenApp>): Promise<TokenApp> {
  const { app } = await made
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  return made
}

const bearer = (value: string) => [`Authorization: Bearer ${value}`]

t.test('one credential, one verdict', async (t) => {
  const made = await listening(t, tokenApp())
  const { app, records } = made
  const token = await accessToken(made)
  const { token: key } = await app.tokens.apiKeys.create('root', { name: 'k' })
  const browser = new Browser(app)
  await browser.login('root')
  const cookie = `Cookie: svc_session=${browser.session}`
  const bad = `${token.slice(0, -8)}AAAAAAAA`.replace(/.$/, 'A')
  const ask = (target: string, headers: readonly string[]) => rawRequest(app, target, { headers })
  const rows: [title: string, target: string, headers: string[], status: number, who?: string | null][] = [
    ['a token', '/any', bearer(token), 200, 'alice'],
    ['a key', '/any', bearer(key), 200, 'root'],
    ['BEA-01: bearer in lower case', '/jwt', [`Authorization: bearer ${token}`], 200, 'alice'],
    ['BEA-02: two blanks', '/jwt', [`Authorization: Bearer  ${token}`], 401],
    ['BEA-02: a tab', '/jwt', [`Authorization: Bearer\t${token}`], 401],
    ['BEA-04: two headers, the first one good', '/jwt', [...bearer(token), 'Authorization: Bearer x'], 401],
    ['BEA-04: two headers, the last one good', '/jwt', ['Authorization: Bearer x', ...bearer(token)], 401],
    ['BEA-05: a list', '/jwt', [`Authorization: Basic x, Bearer ${token}`], 401],
    ['RFC 6750, 5.3: in the query', `/jwt?access_token=${token}`, [], 401],
    ['BEA-08: the session is listed first', '/any', [cookie, ...bearer(token)], 200, 'root'],
    ['BEA-09: and settles it', '/any', [cookie, ...bearer(bad)], 200, 'root'],
    ['BEA-11: a failure is final', '/any', bearer(bad), 401],
    ['BEA-12: nothing', '/any', [], 401],
    ['a key where tokens are taken', '/jwt', bearer(key), 401],
    ['a token where keys are taken', '/key', bearer(token), 401],
    ['a bad token never becomes anonymous', '/open', bearer(bad), 401],
    ['a bad key never becomes anonymous', '/open', bearer(`${key.slice(0, -1)}!`), 401],
    ['no credential may be anonymous', '/open', [], 200, 'anonymous']
  ]
  for (const [title, target, headers, status, who] of rows) {
    const answer = await ask(target, headers)
    t.equal(answer.status, status, title)
    if (who !== undefined) t.equal((JSON.parse(answer.body) as { who: string }).who, who, title)
    if (status === 401) {
      t.match(answer.head, /\r\nwww-authenticate: Bearer(\r\n|$)/, `${title}: the challenge names no cause`)
      t.match(answer.head, /\r\ncache-control: no-store\r\n/, `BEA-17: ${title}`)
      t.notMatch(answer.head + answer.body, /alice|root|svc_/, title)
    }
  }
  t.ok(records.some(({ reason, metadata }) => reason === 'invalid_signature' && metadata?.authenticator === 'jwt'))
})

t.test('BEA-07: a token in a form is not looked at', async (t) => {
  const made = await tokenApp()
  const token = await accessToken(made)
  const answer = await made.app.inject({
    method: 'POST',
    url: '/jwt',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `access_token=${token}`
  })
  t.equal(answer.statusCode, 401)
  const proven = await made.app.inject({ method: 'POST', url: '/jwt', headers: { authorization: `Bearer ${token}` } })
  t.equal(proven.statusCode, 404, 'with proof one learns that there is no such route')
})

t.test('JWT-57, KEY-11: answers are the same, byte for byte, whatever the cause', async (t) => {
  const made = await listening(t, tokenApp({ jwt: { accessTtlS: 60 } }))
  const { app, accounts, clock, records } = made
  const issue = () => accessToken(made)
  const key = async (order: object = {}) => app.tokens.apiKeys.create('alice', { name: 'k', ...order })
  const old = await issue()
  clock.advance(61_000)
  const revoked = await issue()
  await app.tokens.revoke(revoked)
  const foreign = await issue()
  const dead = await key()
  await app.tokens.apiKeys.revoke(dead.view.id)
  const late = await key({ expiresInDays: 1 })
  const locked = await key()
  const answers = [
    await rawRequest(app, '/any', { headers: bearer(old) }),
    await rawRequest(app, '/any', { headers: bearer(revoked) }),
    await rawRequest(app, '/any', { headers: bearer(`${foreign.slice(0, -1)}A`.replace(/..$/, 'xA')) }),
    await rawRequest(app, '/any', { headers: bearer('a.b.c') }),
    await rawRequest(app, '/any', { headers: bearer(dead.token) }),
    await rawRequest(app, '/any', { headers: bearer(`svc_${'0'.repeat(36)}`) })
  ]
  clock.advance(86_400_000)
  answers.push(await rawRequest(app, '/any', { headers: bearer(late.token) }))
  accounts.get('alice').locked = true
  answers.push(await rawRequest(app, '/any', { headers: bearer(locked.token) }))
  const plain = answers.map(({ head, body }) => `${head.replace(/\r\ndate: [^\r]*/i, '')}${body}`)
  t.equal(new Set(plain).size, 1)
  t.match(answers[0], { status: 401, body: /"message":"INVALID_TOKEN"/ })
  const causes = records.filter(({ action }) => action === 'auth.failure').map(({ reason }) => reason)
  t.same(causes, [
    'expired',
    'revoked',
    'invalid_signature',
    'signature_form',
    'revoked',
    'form',
    'expired',
    'subject_locked'
  ])
})

t.test('no byte of a good credential can be changed', async (t) => {
  const made = await tokenApp({ jwt: { cacheSize: 100 } })
  const { app, clock } = made
  const token = await accessToken(made)
  const { token: key } = await app.tokens.apiKeys.create('alice', { name: 'k' })
  const status = async (url: string, value: string) =>
    (await app.inject({ url, headers: { authorization: `Bearer ${value}` } })).statusCode
  let tried = 0
  for (const [url, good] of [
    ['/jwt', token],
    ['/key', key]
  ] as const) {
    t.equal(await status(url, good), 200)
    for (let index = 0; index < good.length; index += 1) {
      for (const mutant of mutants(good, index)) {
        const answer = await status(url, mutant)
        tried += 1
        if (answer !== 401) t.fail(`${answer} for ${mutant} in the place of ${good}`)
      }
    }
    t.equal(await status(url, good), 200, 'the good one is still good')
  }
  t.ok(tried > 2000, `${tried} mutants`)
  clock.advance(900_000)
  t.equal(await status('/jwt', token), 401)
})

t.test('hostile headers are 401 or refused by Node, never a fault of ours', async (t) => {
  const made = await listening(t, tokenApp())
  const token = await accessToken(made)
  const [head = '', body = ''] = token.split('.')
  const deep = Buffer.from(`{"a":${'['.repeat(2500)}${']'.repeat(2500)}}`).toString('base64url')
  for (const value of [
    'A'.repeat(8192),
    `${'A'.repeat(3000)}.${'B'.repeat(3000)}.${'C'.repeat(86)}`,
    `${head}.${deep}.${'A'.repeat(86)}`,
    `${deep}.${body}.${'A'.repeat(86)}`,
    `svc_${'0'.repeat(8000)}`,
    '\u00ff\u00fe\u0080',
    '%00%0d%0a',
    'svc_\u00e9',
    '__proto__.constructor.prototype',
    'bnVsbA.bnVsbA.bnVsbA'
  ]) {
    for (const target of ['/jwt', '/key', '/any']) {
      const { status, body } = await rawRequest(made.app, target, { headers: bearer(value) })
      t.ok([400, 401, 431].includes(status), `${status} ${value.slice(0, 20)}`)
      t.notMatch(body, /at |node_modules|stack/)
    }
  }
  t.equal((await rawRequest(made.app, '/jwt', { headers: bearer(token) })).status, 200)
})

t.test('a locked user is out with every credential at once', async (t) => {
  const made = await tokenApp()
  const token = await accessToken(made)
  const { token: key } = await made.app.tokens.apiKeys.create('alice', { name: 'k' })
  made.accounts.get('alice').locked = true
  for (const value of [token, key]) t.equal((await made.call('GET', '/any', undefined, value)).status, 401)
  t.equal(
    (await made.call('POST', '/svc/security/api/token', { username: 'alice', password: ALICE_PASSWORD })).status,
    401
  )
})

/** Another bit, another alphabet, another case, a character less or more. */
function mutants(good: string, index: number): string[] {
  const char = good[index] ?? ''
  const flipped = String.fromCharCode(char.charCodeAt(0) ^ 1)
  const others = [
    flipped,
    '0',
    'A',
    '_',
    '-',
    '=',
    '.',
    '+',
    char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
  ]
  const changed = [...new Set(others)].filter((other) => other !== char && /[\x21-\x7e]/.test(other))
  return [
    ...changed.map((other) => good.slice(0, index) + other + good.slice(index + 1)),
    good.slice(0, index) + good.slice(index + 1),
    `${good.slice(0, index)}A${good.slice(index)}`
  ].filter((mutant) => mutant !== good)
}
