/** Logins on a route of the application's own: what `userAccounts.login` refuses, shows and leaves behind. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import type { LoginOptions, SvcSecurityOptions, SvcSecurityParts } from '../../src/index.ts'
import { hashPassword, readPhc } from '../../src/password-hashes/argon2id.ts'
import { ALICE_PASSWORD, CHEAP } from '../support/accounts.ts'
import { enrolledStore, totp } from '../support/enrolled.ts'
import { echoRoute } from '../support/guarded-app.ts'
import { logLines } from '../support/log-lines.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'

interface Attempt {
  Body: { email: string; password: string }
}

function ownRoute(app: FastifyInstance, url: string, session: boolean): void {
  app.post<Attempt>(url, async (request, reply) => {
    const { email, password } = request.body
    return app.userAccounts.login(request, email, password, session ? { session: reply } : {})
  })
}

/** `/token` opens nothing, `/enter` a session. */
async function ownLogins(options: SvcSecurityOptions = {}, parts: SvcSecurityParts = {}, logger?: object) {
  const made = await loginApp(options, parts, logger === undefined ? {} : { logger })
  ownRoute(made.app, '/token', false)
  ownRoute(made.app, '/enter', true)
  const ask = (url: string, email: unknown, password: unknown, more: object = {}) =>
    made.app.inject({
      method: 'POST',
      url,
      payload: { email, password },
      ...more
    })
  return { ...made, ask }
}

t.test('a login without a session gives the user, and opens nothing', async (t) => {
  const { app, ask, records } = await ownLogins()
  const answer = await ask('/token', 'alice', ALICE_PASSWORD)
  t.strictSame(answer.json(), {
    user: { identifier: 'alice', roles: ['ROLE_USER'] },
    methods: []
  })
  t.strictSame(answer.cookies, [])
  t.match(records, [
    {
      action: 'login.success',
      actor: 'alice',
      reason: 'token',
      outcome: 'success'
    }
  ])
  t.equal(records.length, 1)
  await app.close()
})

t.test('a login with a session is the one of auth/login', async (t) => {
  const { app, records } = await ownLogins()
  echoRoute(app, '/in/echo')
  const browser = new Browser(app)
  const answer = await browser.call('POST', '/enter', {
    payload: { email: 'alice', password: ALICE_PASSWORD }
  })
  t.match(answer.json(), { user: { identifier: 'alice' }, methods: [] })
  t.equal(answer.headers['cache-control'], 'no-store')
  t.match((await browser.call('GET', '/in/echo')).json(), {
    who: 'alice',
    proof: 'session'
  })
  t.strictSame(
    records.map(({ action }) => action),
    ['session.opened', 'login.success']
  )
  await app.close()
})

const causes = [
  ['alice', 'wrong', 'wrong_password'],
  ['nobody', ALICE_PASSWORD, 'unknown_user'],
  ['bob', ALICE_PASSWORD, 'locked'],
  ['carol', ALICE_PASSWORD, 'disabled'],
  ['dave', ALICE_PASSWORD, 'no_password']
] as const
for (const url of ['/token', '/enter']) {
  t.test(`${url}: every failure is the same to the caller and to the route; the audit knows the cause`, async (t) => {
    const { app, ask, accounts, records } = await ownLogins({
      rateLimit: { freeAttempts: 100 }
    })
    // An error handler that shows all it is given.
    app.setErrorHandler((error, _request, reply) => {
      reply.code(401).send({
        ...(error as Error),
        message: (error as Error).message,
        keys: Reflect.ownKeys(error as Error)
      })
    })
    const answers = []
    for (const [name, password] of causes) {
      const before = accounts.lookups
      const { statusCode, body, cookies } = await ask(url, name, password)
      t.equal(accounts.lookups - before, 1, 'one look-up, whatever the cause')
      answers.push({ statusCode, body, cookies })
    }
    for (const answer of answers) t.strictSame(answer, answers[0])
    t.notMatch(answers[0]?.body, /wrong_password|unknown_user/)
    t.strictSame(
      records.map(({ action, actor, reason }) => [action, actor, reason]),
      causes.map(([name, , reason]) => ['login.failure', name, reason])
    )
    await app.close()
  })
}

t.test('guessing at one name is slowed down, together with auth/login', async (t) => {
  const { app, ask, accounts, clock, records } = await ownLogins()
  for (const url of ['/token', '/enter']) t.equal((await ask(url, 'alice', 'wrong')).statusCode, 401)
  for (let time = 0; time < 2; time += 1) t.equal((await new Browser(app).login('alice', 'wrong')).statusCode, 401)
  const before = accounts.lookups
  for (const name of ['alice', ' ALICE ']) {
    const blocked = await ask('/token', name, ALICE_PASSWORD)
    t.equal(blocked.statusCode, 429, name)
    t.equal(blocked.headers['retry-after'], '1')
  }
  t.equal(accounts.lookups, before, 'the verifier is not asked')
  t.match(records.at(-1), { action: 'login.throttled', outcome: 'failure' })
  clock.advance(1000)
  t.equal((await ask('/token', 'alice', ALICE_PASSWORD)).statusCode, 200)
  await app.close()
})

t.test('guessing at many names from one network is slowed down', async (t) => {
  const { app, ask } = await ownLogins()
  const from = (remoteAddress: string) => ({ remoteAddress })
  for (let name = 0; name < 31; name += 1) {
    t.equal((await ask('/token', `name-${name}`, 'guess', from('192.0.2.7'))).statusCode, 401)
  }
  t.equal((await ask('/token', 'alice', ALICE_PASSWORD, from('192.0.2.7'))).statusCode, 429)
  t.equal((await ask('/token', 'alice', ALICE_PASSWORD, from('198.51.100.1'))).statusCode, 200)
  await app.close()
})

const shapes: Array<[title: string, email: unknown, password: unknown]> = [
  ['an operator as name', { $ne: null }, ALICE_PASSWORD],
  ['a list as name', ['alice'], ALICE_PASSWORD],
  ['no name', undefined, ALICE_PASSWORD],
  ['an operator as password', 'alice', { $ne: null }],
  ['a list as password', 'alice', [ALICE_PASSWORD]],
  ['no password', 'alice', undefined],
  ['an empty password', 'alice', '']
]
t.test('a route without a schema passes on what came; only texts log in', async (t) => {
  const { app, ask, records } = await ownLogins({
    rateLimit: { freeAttempts: 100 }
  })
  for (const [title, email, password] of shapes) {
    const answer = await ask('/token', email, password)
    t.equal(answer.statusCode, 401, title)
    t.equal(answer.json().code, 'SVC_SEC_CREDENTIALS', title)
  }
  t.equal(records.filter(({ action }) => action === 'login.failure').length, shapes.length)
  await app.close()
})

t.test('a second factor: no user for a token, a session that waits for the code', async (t) => {
  const stores = {
    totp: enrolledStore((identifier) => identifier === 'alice')
  }
  const { app, ask, records } = await ownLogins({ totp }, { stores })
  echoRoute(app, '/in/echo')
  t.strictSame((await ask('/token', 'alice', ALICE_PASSWORD)).json(), {
    user: null,
    methods: ['totp']
  })
  t.match(records, [{ action: 'login.mfa_required', actor: 'alice', reason: 'totp' }])
  t.equal(records.length, 1)
  const browser = new Browser(app)
  const entered = await browser.call('POST', '/enter', {
    payload: { email: 'alice', password: ALICE_PASSWORD }
  })
  t.strictSame(entered.json(), { user: null, methods: ['totp'] })
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 401)
  const code = { payload: { code: '000000' } }
  const stranger = await new Browser(app).call('POST', `${API}/auth/login/totp`, code)
  t.equal(stranger.json().code, 'SVC_SEC_SESSION')
  // The enrolment of this test has no secret to compare with.
  t.equal((await browser.call('POST', `${API}/auth/login/totp`, code)).json().code, 'SVC_SEC_UNAVAILABLE')
  await app.close()
})

t.test('a second factor that cannot answer lets no one past', async (t) => {
  const down = enrolledStore(() => Promise.reject(new Error('down')))
  const { app, ask } = await ownLogins({ totp }, { stores: { totp: down } })
  for (const url of ['/token', '/enter']) t.equal((await ask(url, 'alice', ALICE_PASSWORD)).statusCode, 503)
  await app.close()
})

t.test('a session is opened for no page of another origin, and its password is not looked at', async (t) => {
  const { app, ask, accounts, records } = await ownLogins()
  const headers = { origin: 'https://evil.example' }
  const before = accounts.lookups
  const foreign = await ask('/enter', 'alice', ALICE_PASSWORD, { headers })
  t.equal(foreign.json().code, 'SVC_SEC_CROSS_SITE')
  t.strictSame(foreign.cookies, [])
  t.equal(accounts.lookups, before)
  t.match(records, [{ action: 'csrf.rejected', reason: /origin|page|site/ }])
  t.equal((await ask('/token', 'alice', ALICE_PASSWORD, { headers })).statusCode, 200, 'nothing is opened there')
  await app.close()
})

t.test('a hash of a lower cost is renewed', async (t) => {
  const renewed: unknown[][] = []
  const password = await hashPassword(ALICE_PASSWORD, CHEAP)
  const users = {
    findByIdentifier: (identifier: string) => ({
      id: '7',
      identifier,
      roles: [],
      password
    }),
    replacePassword: async (...given: unknown[]) => renewed.push(given) > 0
  }
  const { app, ask } = await ownLogins({ passwords: { ...CHEAP, memoryKib: 8192 } }, { users })
  t.equal((await ask('/token', 'alice', ALICE_PASSWORD)).statusCode, 200)
  t.strictSame(renewed[0]?.slice(0, 2), ['7', password])
  t.match(readPhc(String(renewed[0]?.[2])), { memoryKib: 8192 })
  await app.close()
})

t.test('a user source that fails is 503, and no failure of the user', async (t) => {
  const { app, ask, accounts } = await ownLogins()
  accounts.failure = new Error('connection to 10.0.0.7 refused')
  for (let time = 0; time < 6; time += 1) {
    const answer = await ask('/token', 'alice', ALICE_PASSWORD)
    t.equal(answer.statusCode, 503)
    t.notMatch(answer.body, /10\.0\.0\.7/)
  }
  accounts.failure = null
  t.equal((await ask('/token', 'alice', ALICE_PASSWORD)).statusCode, 200)
  await app.close()
})

t.test('no password is in the log or in the audit', async (t) => {
  const { lines, logger } = logLines('trace')
  const { app, ask, records } = await ownLogins({}, {}, logger)
  for (const url of ['/token', '/enter']) {
    await ask(url, 'alice', ALICE_PASSWORD)
    await ask(url, 'alice', 'a guess to be kept')
    await ask(url, 'nobody', 'a guess to be kept')
  }
  t.ok(lines.length > 0 && records.length > 0)
  t.notMatch(JSON.stringify([lines, records]), /correct horse|guess to be kept|argon2/)
  await app.close()
})

t.test('hashes for users of the application are made at the cost of the options, a few at a time', async (t) => {
  const { app } = await ownLogins({
    passwords: { ...CHEAP, memoryKib: 8192, maxConcurrent: 1, maxQueue: 1 }
  })
  t.match(readPhc(await app.userAccounts.hashPassword('long enough')), {
    memoryKib: 8192
  })
  await t.rejects(app.userAccounts.hashPassword(''), {
    code: 'SVC_SEC_PASSWORD'
  } as never)
  const many = await Promise.allSettled([1, 2, 3].map((n) => app.userAccounts.hashPassword(`password ${n}`)))
  t.strictSame(
    many.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected']
  )
  t.match(many[2], { reason: { code: 'SVC_SEC_BUSY', statusCode: 503 } })
  await app.close()
})

t.test('what the types keep apart', async (t) => {
  const { app } = await ownLogins()
  const login = (request: FastifyRequest, reply: FastifyReply, options: LoginOptions = { session: reply }) =>
    app.userAccounts.login(request, 'alice', ALICE_PASSWORD, options)
  app.post('/typed', async (request, reply) => {
    const { user, methods } = await login(request, reply)
    return user === null ? methods.join() : user.identifier
  })
  t.equal((await app.inject({ method: 'POST', url: '/typed' })).body, 'alice')
  await app.close()
})
