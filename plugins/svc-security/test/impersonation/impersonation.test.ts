/** Acting as another user: who may, as whom, what is refused meanwhile, and what ends it. */
import t, { type Test } from 'tap'
import { keptUsersApp, PASSWORD, type SignedIn } from '../support/kept-users-app.ts'
import { API, Browser } from '../support/login-app.ts'

const PATH = '/impersonation'
const CONFIG = { role: 'ROLE_SUPPORT', writeRole: 'ROLE_REPAIR', maxMinutes: 10 }
const REASON = 'ticket 7: cannot see the invoice'

const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  helper: ['ROLE_SUPPORT'],
  mender: ['ROLE_SUPPORT', 'ROLE_REPAIR'],
  chief: ['ROLE_BOSS'],
  bob: ['ROLE_USER', 'ROLE_EDITOR']
}

async function setUp(t: Test, impersonation: object | null = CONFIG) {
  const roleHierarchy = { ROLE_BOSS: ['ROLE_SUPPORT', 'ROLE_REPAIR'], ROLE_SVC_ADMIN: ['ROLE_SUPPORT', 'ROLE_REPAIR'] }
  const made = await keptUsersApp(t, {
    roleHierarchy,
    ...(impersonation === null ? {} : { impersonation })
  } as object)
  const { app, records, browserOf } = made
  const written: string[] = []
  app.post('/in/notes', async ({ user }) => {
    written.push(user?.identifier ?? '')
    return user
  })
  app.get('/in/who', async ({ user, token }) => ({ user, by: token?.originalUser ?? null }))
  for (const [identifier, roles] of Object.entries(PEOPLE)) {
    await app.userAccounts.create({ identifier, password: PASSWORD, roles })
  }
  records.length = 0
  const begin = async (browser: SignedIn, body: object) => {
    const answer = await browser.change('POST', PATH, body)
    if (answer.statusCode === 200) await browser.renew()
    return answer
  }
  const acting = async (who: string, body: object = {}) => {
    const browser = await browserOf(who)
    const answer = await begin(browser, { user: 'bob', reason: REASON, ...body })
    t.equal(answer.statusCode, 200, answer.body)
    return browser
  }
  return { ...made, written, begin, acting }
}

const who = async (browser: SignedIn) => (await browser.call('GET', '/in/who')).json()

t.test('who begins acts as the other at once, read-only, and goes on as themselves afterwards', async (t) => {
  const { acting, written, clock } = await setUp(t)
  const helper = await acting('helper')
  t.match(await who(helper), { user: { identifier: 'bob', roles: ['ROLE_USER', 'ROLE_EDITOR'] }, by: 'helper' })
  const until = clock.now() + 600_000
  const state = (await helper.call('GET', API + PATH)).json()
  t.strictSame(state, { acting: { user: 'bob', reason: REASON, write: false, since: clock.now(), until } })
  t.match((await helper.change('POST', '/auth/logout')).statusCode, 200)
  t.equal((await helper.call('GET', '/in/who')).statusCode, 401, 'a logout ends both')

  const again = await acting('helper')
  t.match((await again.change('DELETE', PATH)).json(), { acting: { user: 'bob' } })
  await again.renew()
  t.strictSame(await who(again), { user: { identifier: 'helper', roles: ['ROLE_SUPPORT'] }, by: null })
  t.strictSame((await again.call('GET', API + PATH)).json(), { acting: null })
  t.strictSame((await again.change('DELETE', PATH)).json(), { acting: null }, 'ending twice is no error')
  t.strictSame(written, [])
})

t.test('the page of before is no longer that of the session, neither at the beginning nor at the end', async (t) => {
  const { acting, app } = await setUp(t)
  const helper = await acting('mender', { write: true })
  const before = new Browser(app)
  for (const [name, value] of helper.cookies) before.cookies.set(name, value)
  t.equal((await helper.call('POST', '/in/notes', { headers: { 'x-csrf-token': helper.token } })).statusCode, 200)
  await helper.change('DELETE', PATH)
  t.equal((await before.call('GET', '/in/who')).statusCode, 401, 'the session of before has ended')
  t.equal((await app.sessions.list({ user: 'mender' }, {})).items.length, 1)
})

const refusals: Array<[title: string, who: string, body: object, status: number, code: string | RegExp]> = [
  ['a user without the role', 'alice', { user: 'bob', reason: REASON }, 403, 'SVC_SEC_DENIED'],
  ['without a reason', 'helper', { user: 'bob' }, 400, /VALIDATION/],
  ['with an empty reason', 'helper', { user: 'bob', reason: '  ' }, 400, /VALIDATION/],
  ['as nobody', 'helper', { user: 'nobody', reason: REASON }, 404, 'SVC_SEC_USER_UNKNOWN'],
  ['as themselves', 'helper', { user: 'helper', reason: REASON }, 403, 'SVC_SEC_IMPERSONATION'],
  ['as an administrator', 'helper', { user: 'root', reason: REASON }, 403, 'SVC_SEC_IMPERSONATION'],
  ['as another helper', 'chief', { user: 'helper', reason: REASON }, 403, 'SVC_SEC_IMPERSONATION'],
  ['as who inherits the role', 'helper', { user: 'chief', reason: REASON }, 403, 'SVC_SEC_IMPERSONATION'],
  [
    'with changes, without that role',
    'helper',
    { user: 'bob', reason: REASON, write: true },
    403,
    'SVC_SEC_IMPERSONATION'
  ]
]
for (const [title, name, body, status, code] of refusals) {
  t.test(`refused: ${title}`, async (t) => {
    const { begin, browserOf, records } = await setUp(t)
    const browser = await browserOf(name)
    const answer = (await begin(browser, body)).json()
    t.match(answer, { statusCode: status, code })
    t.match(await who(browser), { user: { identifier: name }, by: null })
    t.notOk(records.some(({ action }) => action === 'impersonation.begun'))
  })
}

t.test('without the section there is no such route, and a session of before acts as nobody', async (t) => {
  const { browserOf } = await setUp(t, null)
  t.equal((await (await browserOf('chief')).change('POST', PATH, { user: 'bob', reason: REASON })).statusCode, 404)
})

t.test('no role for changes: nobody may make any', async (t) => {
  const { browserOf, begin } = await setUp(t, { role: 'ROLE_SUPPORT' })
  const answer = (await begin(await browserOf('chief'), { user: 'bob', reason: REASON, write: true })).json()
  t.match(answer, { statusCode: 403, code: 'SVC_SEC_IMPERSONATION', message: /nobody may make changes/ })
})

t.test('a login of yesterday, a page without its token, and a machine begin nothing', async (t) => {
  const { app, browserOf, clock } = await setUp(t)
  const helper = await browserOf('helper')
  const payload = { user: 'bob', reason: REASON }
  t.match((await helper.call('POST', API + PATH, { payload })).json(), { code: 'SVC_SEC_CSRF' })
  const basic = { authorization: `Basic ${Buffer.from(`helper:${PASSWORD}`).toString('base64')}` }
  const machine = await app.inject({ method: 'POST', url: API + PATH, headers: basic, payload })
  t.ok([401, 403].includes(machine.statusCode))
  clock.advance(601_000)
  t.match((await helper.change('POST', PATH, payload)).json(), { code: 'SVC_SEC_PROOF_DUE' })
})

/** What is asked while acting, and the codes of both kinds; `null` is answered. */
const meanwhile: Array<
  [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, readOnly: string | null, write: string | null]
> = [
  ['GET', '/in/who', null, null],
  ['POST', '/in/notes', 'SVC_SEC_READ_ONLY', null],
  ...(
    [
      ['GET', '/auth/sessions'],
      ['POST', '/auth/sessions/revoke-others'],
      ['POST', '/auth/password'],
      ['POST', '/auth/confirm'],
      ['GET', '/auth/grants'],
      ['POST', '/totp/enroll'],
      ['POST', '/totp/confirm'],
      ['GET', '/totp/status'],
      ['POST', '/webauthn/register/options'],
      ['GET', '/webauthn/credentials'],
      ['GET', '/keys'],
      ['POST', '/keys'],
      ['GET', '/users'],
      ['POST', '/users'],
      ['POST', '/impersonation']
    ] as const
  ).map(([method, path]) => [method, API + path, 'SVC_SEC_IMPERSONATING', 'SVC_SEC_IMPERSONATING'] as const)
] as never

for (const [index, kind] of (['read-only', 'with changes'] as const).entries()) {
  t.test(`what is refused ${kind}`, async (t) => {
    const { acting, written } = await setUp(t)
    const browser = await acting('mender', { write: index === 1 })
    const codes: unknown[] = []
    for (const [method, path] of meanwhile) {
      const headers = { 'x-csrf-token': browser.token }
      const payload = method === 'POST' ? { payload: bodyOf(path) } : {}
      const answer = await browser.call(method, path, { headers, ...payload })
      codes.push([method, path, answer.statusCode < 400 ? null : answer.json().code])
    }
    t.strictSame(
      codes,
      meanwhile.map(([method, path, ...each]) => [method, path, each[index]])
    )
    t.strictSame(written, index === 0 ? [] : ['bob'])
  })
}

function bodyOf(path: string): object {
  if (path.endsWith('/auth/password')) return { current: PASSWORD, password: 'quite long too' }
  if (path.endsWith('/auth/confirm')) return { password: PASSWORD }
  if (path.endsWith('/totp/confirm')) return { code: '123456' }
  if (path.endsWith('/impersonation')) return { user: 'alice', reason: REASON }
  if (path.endsWith('/users')) return { identifier: 'new', password: PASSWORD }
  return {}
}

t.test('code of the application changes no account meanwhile', async (t) => {
  const { app, acting } = await setUp(t)
  const accounts = app.userAccounts
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    password: () => accounts.setPassword('bob', 'quite long too'),
    hash: () => accounts.hashPassword('quite long too'),
    roles: () => accounts.setRoles('bob', ['ROLE_SVC_ADMIN']),
    lock: () => accounts.setLocked('bob', true),
    rename: () => accounts.rename('bob', 'bert'),
    remove: () => accounts.remove('bob'),
    create: () => accounts.create({ identifier: 'new', password: PASSWORD, roles: [] })
  }
  app.post<{ Querystring: { change: string } }>('/in/account', async ({ query }) => changes[query.change]?.())
  const mender = await acting('mender', { write: true })
  for (const change of Object.keys(changes)) {
    const headers = { 'x-csrf-token': mender.token }
    t.match(
      (await mender.call('POST', `/in/account?change=${change}`, { headers })).json(),
      { code: 'SVC_SEC_IMPERSONATING' },
      change
    )
  }
  t.match(await accounts.find('bob'), { roles: PEOPLE.bob, locked: false })
})

t.test('the journal and the log name both', async (t) => {
  const { acting, records } = await setUp(t)
  const mender = await acting('mender', { write: true })
  await mender.change('DELETE', PATH)
  const told = records.filter(({ action }) => action.startsWith('impersonation.'))
  t.match(told, [
    {
      action: 'impersonation.begun',
      category: 'auth',
      actor: 'mender',
      resource: 'bob',
      reason: REASON,
      metadata: { write: true }
    },
    { action: 'impersonation.ended', actor: 'mender', resource: 'bob', reason: REASON }
  ])
})

const endings: Array<
  [title: string, end: (made: Awaited<ReturnType<typeof setUp>>, browser: SignedIn) => unknown, answer: object]
> = [
  ['its time is over', ({ clock }) => clock.advance(600_000), { statusCode: 403, code: 'SVC_SEC_IMPERSONATION_OVER' }],
  ['who acts is locked', ({ app }) => app.userAccounts.setLocked('mender', true), { statusCode: 401 }],
  ['who acts is deleted', ({ app }) => app.userAccounts.remove('mender'), { statusCode: 401 }],
  [
    'who acts changes the password',
    ({ app }) => app.userAccounts.setPassword('mender', 'quite long too'),
    { statusCode: 401 }
  ],
  [
    'who acts loses the role',
    ({ app }) => app.userAccounts.setRoles('mender', ['ROLE_REPAIR']),
    { code: 'SVC_SEC_IMPERSONATION_OVER' }
  ],
  [
    'who acts loses the role for changes',
    ({ app }) => app.userAccounts.setRoles('mender', ['ROLE_SUPPORT']),
    { code: 'SVC_SEC_IMPERSONATION_OVER' }
  ],
  ['the sessions of who acts are ended', ({ app }) => app.sessions.revokeUser('mender'), { statusCode: 401 }],
  ['the user is locked', ({ app }) => app.userAccounts.setLocked('bob', true), { code: 'SVC_SEC_IMPERSONATION_OVER' }],
  ['the user is deleted', ({ app }) => app.userAccounts.remove('bob'), { code: 'SVC_SEC_IMPERSONATION_OVER' }],
  [
    'the user becomes an administrator',
    ({ app }) => app.userAccounts.setRoles('bob', ['ROLE_SVC_ADMIN']),
    { code: 'SVC_SEC_IMPERSONATION_OVER' }
  ]
]
for (const [title, end, answer] of endings) {
  t.test(`it ends when ${title}, and nothing is written as anybody`, async (t) => {
    const made = await setUp(t)
    const browser = await made.acting('mender', { write: true })
    await end(made, browser)
    const headers = { 'x-csrf-token': browser.token }
    t.match((await browser.call('POST', '/in/notes', { headers })).json(), answer)
    t.match((await browser.call('GET', '/in/who')).json(), answer)
    t.strictSame(made.written, [])
    if (!('code' in answer)) return
    t.match((await browser.change('DELETE', PATH)).json(), { acting: { user: 'bob' } }, 'it can be left')
    await browser.renew()
    t.match(await who(browser), { user: { identifier: 'mender' }, by: null })
  })
}
