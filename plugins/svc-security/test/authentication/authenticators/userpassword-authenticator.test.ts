/** Basic in a zone: challenge, one refusal for every cause, the throttle it shares with the login. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { UserPasswordAuthenticator } from '../../../src/authentication/authenticators/userpassword-authenticator.ts'
import { ALICE_PASSWORD } from '../../support/accounts.ts'
import { enrolledStore, totp } from '../../support/enrolled.ts'
import { echoRoute } from '../../support/guarded-app.ts'
import { Browser, loginApp } from '../../support/login-app.ts'

const HELD = { id: '1', identifier: 'alice', roles: [], enabled: true, locked: false }

const basic = (identifier: string, password: string) =>
  `Basic ${Buffer.from(`${identifier}:${password}`).toString('base64')}`

async function basicApp(options = {}, parts = {}) {
  const areas = { in: { pattern: '^/in', authenticators: ['userpassword'] } }
  const made = await loginApp({ areas, ...options }, parts)
  echoRoute(made.app, '/in/echo')
  echoRoute(made.app, '/in/change', { method: 'POST' })
  return {
    ...made,
    ask: (authorization?: string) => made.app.inject({ url: '/in/echo', headers: headers(authorization) })
  }
}

function headers(authorization: string | undefined): Record<string, string> {
  return authorization === undefined ? {} : { authorization }
}

t.test('the right password; without any, the challenge', async (t) => {
  const { app, ask } = await basicApp({ passwords: { memoryKib: 7168, passes: 1, realm: 'shop' } })
  t.match((await ask(basic('alice', ALICE_PASSWORD))).json(), { who: 'alice', proof: 'userpassword' })
  const none = await ask()
  t.equal(none.statusCode, 401)
  t.equal(none.headers['www-authenticate'], 'Basic realm="shop", charset="UTF-8"')
  t.match(none.json(), { code: 'SVC_SEC_UNAUTHENTICATED' })
  await app.close()
})

t.test(
  'S9: who has a second factor is refused as with a wrong password, unless the zone takes the password alone',
  async (t) => {
    const areas = {
      in: { pattern: '^/in', authenticators: ['userpassword'] },
      old: { pattern: '^/old', authenticators: ['userpassword'], basicWithoutSecondFactor: true }
    }
    let enrolled = async (identifier: string) => identifier === 'alice'
    const stores = { totp: enrolledStore((identifier) => enrolled(identifier)) }
    const { app, ask, records } = await basicApp({ areas, totp }, { stores })
    echoRoute(app, '/old/echo')
    const right = basic('alice', ALICE_PASSWORD)

    const [refused, wrong] = [await ask(right), await ask(basic('alice', 'wrong'))]
    t.strictSame([refused.statusCode, refused.body], [401, wrong.body])
    t.equal(refused.headers['www-authenticate'], wrong.headers['www-authenticate'])
    t.match(records, [
      { action: 'auth.failure', actor: 'alice', reason: 'second_factor' },
      { action: 'auth.failure', actor: 'alice', reason: 'wrong_password' }
    ])
    t.notMatch(refused.body, /factor/)
    const old = await app.inject({ url: '/old/echo', headers: headers(right) })
    t.match(old.json(), { who: 'alice', proof: 'userpassword' })

    enrolled = () => Promise.reject(new Error('down'))
    t.equal((await ask(right)).statusCode, 503, 'a factor that cannot answer lets nobody past')
    enrolled = async () => false
    t.equal((await ask(right)).statusCode, 200)
    await app.close()
  }
)

t.test('every refused credential has one answer, with the challenge', async (t) => {
  const { app, accounts, ask, records } = await basicApp({ rateLimit: { freeAttempts: 100 } })
  const causes: Array<[header: string, reason: string, lookups: number]> = [
    [basic('alice', 'wrong'), 'wrong_password', 1],
    [basic('alice', ''), 'wrong_password', 1],
    [basic('nobody', 'x'), 'unknown_user', 1],
    [basic('bob', ALICE_PASSWORD), 'locked', 1],
    [basic('carol', ALICE_PASSWORD), 'disabled', 1],
    [basic('dave', ''), 'no_password', 1],
    ['Basic', 'malformed', 0],
    ['Basic %%%', 'malformed', 0],
    [`Basic ${Buffer.from('ż:ä', 'latin1').toString('base64')}`, 'malformed', 0]
  ]
  const bodies = new Set<string>()
  for (const [header, reason, lookups] of causes) {
    const before = accounts.lookups
    const answer = await ask(header)
    t.equal(answer.statusCode, 401, reason)
    t.ok(answer.headers['www-authenticate'])
    t.equal(accounts.lookups - before, lookups, reason)
    t.match(records.at(-1), { action: 'auth.failure', reason })
    bodies.add(answer.body)
  }
  t.equal(bodies.size, 1)
  t.match([...bodies][0], /"message":"INVALID_CREDENTIALS"/)
  await app.close()
})

t.test('one counter for Basic and for the login', async (t) => {
  const { app, accounts, ask, records } = await basicApp()
  for (let time = 0; time < 2; time += 1) {
    t.equal((await ask(basic('alice', 'wrong'))).statusCode, 401)
    t.equal((await new Browser(app).login('alice', 'wrong')).statusCode, 401)
  }
  const before = accounts.lookups
  const blocked = await ask(basic('alice', ALICE_PASSWORD))
  t.equal(blocked.statusCode, 429)
  t.equal(blocked.headers['retry-after'], '1')
  t.match(records.at(-1), { action: 'auth.throttled' })
  t.equal((await new Browser(app).login()).statusCode, 429)
  t.equal(accounts.lookups, before)
  await app.close()
})

t.test('a user source that fails: 503, not counted', async (t) => {
  const { app, accounts, ask } = await basicApp()
  accounts.failure = new Error('down')
  for (let time = 0; time < 6; time += 1) t.equal((await ask(basic('alice', ALICE_PASSWORD))).statusCode, 503)
  accounts.failure = null
  t.equal((await ask(basic('alice', ALICE_PASSWORD))).statusCode, 200)
  await app.close()
})

t.test('a page of another origin cannot use a password that the browser remembers', async (t) => {
  const { app } = await basicApp()
  const authorization = basic('alice', ALICE_PASSWORD)
  const change = (more: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/in/change', headers: { authorization, ...more } })
  t.equal((await change({})).statusCode, 200)
  t.equal((await change({ origin: 'http://localhost' })).statusCode, 200)
  const foreign = await change({ origin: 'https://evil.example' })
  t.equal(foreign.statusCode, 403)
  t.match(foreign.json(), { code: 'SVC_SEC_CROSS_SITE' })
  await app.close()
})

t.test('A1: a socket that a password opened ends with that password', async (t) => {
  let hash: string | null = 'first'
  const authenticator = new UserPasswordAuthenticator({
    users: { findByIdentifier: async () => (hash === null ? null : { ...HELD, passwordHash: hash }) } as never,
    login: { attempt: async () => ({ ...HELD, passwordHash: hash }), requiredFactors: async () => [] } as never,
    passwordOnly: new Set(),
    realm: 'svc',
    clock: new ManualClock(),
    absoluteTimeoutS: 60
  })
  const opened = async () => {
    const request = { ip: '127.0.0.1' }
    const ctx = {
      request,
      headers: { authorization: basic('alice', 'x') },
      transport: 'websocket',
      zone: 'in'
    } as never
    const token = await authenticator.authenticate(await authenticator.createToken(ctx))
    return authenticator.liveness(ctx, token)
  }
  const socket = await opened()
  t.ok(await socket.check(true))
  hash = 'second'
  t.equal(await socket.check(true), false)
  hash = null
  t.equal(await (await opened()).check(true), false, 'a user who is gone')
})
