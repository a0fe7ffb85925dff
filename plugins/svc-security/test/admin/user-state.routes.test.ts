/** What becomes of a user, by the routes of administrators: off and on, renamed, deleted, each from the version that was seen. */
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { keptUsersApp, PASSWORD } from '../support/kept-users-app.ts'
import { API, Browser } from '../support/login-app.ts'

async function setUp(t: Parameters<typeof keptUsersApp>[0], ...given: [options?: object]) {
  const made = await keptUsersApp(t, ...given)
  const root = await made.browserOf('root')
  const alice = `/users/${made.ids.alice}`
  return { ...made, root, alice, actions: () => made.records.map(({ action }) => action) }
}

const loginOf = async (app: FastifyInstance, user: string) => (await new Browser(app).login(user, PASSWORD)).statusCode

t.test('a user who is disabled is let in nowhere, and logs in again once enabled', async (t) => {
  const { app, root, alice, records, browserOf } = await setUp(t)
  const browser = await browserOf('alice')
  t.equal((await browser.call('GET', '/in')).statusCode, 200)
  const off = await root.change('POST', `${alice}/disable`)
  t.match(off.json(), { identifier: 'alice', enabled: false, locked: false })
  t.equal(off.headers.etag, `"${off.json().updatedAt}"`)
  t.equal((await browser.call('GET', '/in')).statusCode, 401)
  t.equal(await loginOf(app, 'alice'), 401)
  t.match((await root.change('POST', `${alice}/enable`)).json(), { enabled: true })
  t.equal((await browser.call('GET', '/in')).statusCode, 401, 'the session stays ended')
  t.equal(await loginOf(app, 'alice'), 200)
  const told = records.filter(({ action }) => /^user[.]/.test(action))
  t.match(told, [
    { action: 'user.disabled', actor: 'root', resource: 'alice', metadata: { before: true, after: false } },
    { action: 'user.enabled', actor: 'root', resource: 'alice', metadata: { before: false, after: true } }
  ])
})

t.test('a renamed user logs in by the new name alone, and keeps id and roles', async (t) => {
  const { app, root, alice, ids, browserOf, records } = await setUp(t)
  const browser = await browserOf('alice')
  const renamed = await root.change('PUT', `${alice}/identifier`, { identifier: 'zoe\u0301' })
  t.match(renamed.json(), { id: ids.alice, identifier: 'zo\u00e9', roles: ['ROLE_USER'] })
  t.equal((await browser.call('GET', '/in')).statusCode, 401)
  t.strictSame([await loginOf(app, 'alice'), await loginOf(app, 'zo\u00e9')], [401, 200])
  t.match(
    records.find(({ action }) => action === 'user.renamed'),
    { actor: 'root', resource: 'alice', metadata: { before: 'alice', after: 'zo\u00e9' } }
  )
  const taken = await root.change('PUT', `${alice}/identifier`, { identifier: 'root' })
  t.match(taken.json(), { statusCode: 409, code: 'SVC_STORE_DUPLICATE' })
  t.match((await root.change('PUT', `${alice}/identifier`, { identifier: '' })).json(), { statusCode: 400 })
})

t.test('a deleted user is gone with every way in', async (t) => {
  const { app, root, alice, browserOf, actions } = await setUp(t)
  const browser = await browserOf('alice')
  t.same((await root.change('DELETE', alice)).json(), { ok: true })
  t.equal((await browser.call('GET', '/in')).statusCode, 401)
  t.equal(await app.userAccounts.find('alice'), null)
  t.match((await root.change('DELETE', alice)).json(), { statusCode: 404, code: 'SVC_SEC_USER_UNKNOWN' })
  t.match((await root.change('PUT', `${alice}/identifier`, { identifier: 'new' })).json(), { statusCode: 404 })
  t.equal(actions().filter((action) => action === 'user.deleted').length, 1)
  t.notOk(actions().includes('user.disabled'), 'only an administrator is switched off before')
})

t.test('each change is refused where the user has changed since it was seen', async (t) => {
  const { app, root, alice, clock } = await setUp(t)
  const { etag } = (await root.call('GET', `${API}${alice}`)).headers
  const match = { 'if-match': String(etag) }
  clock.advance(1)
  await root.change('PUT', `${alice}/roles`, { roles: ['ROLE_EDITOR'] })
  const changes: Array<['POST' | 'PUT' | 'DELETE', path: string, body?: object]> = [
    ['POST', '/lock'],
    ['POST', '/unlock'],
    ['POST', '/disable'],
    ['POST', '/enable'],
    ['PUT', '/identifier', { identifier: 'new' }],
    ['DELETE', '']
  ]
  for (const [method, path, body] of changes) {
    const refused = (await root.change(method, alice + path, body, match)).json()
    t.match(refused, { statusCode: 409, code: 'SVC_HTTP_CHANGED', current: { roles: ['ROLE_EDITOR'] } }, path)
  }
  t.match(await app.userAccounts.find('alice'), { enabled: true, locked: false })
  const now = { 'if-match': String((await root.call('GET', `${API}${alice}`)).headers.etag) }
  t.same((await root.change('DELETE', alice, undefined, now)).json(), { ok: true })
})

t.test(
  'the last administrator is neither disabled nor deleted, and of two that delete each other one stays',
  async (t) => {
    const { app, root, ids, browserOf } = await setUp(t)
    const self = `/users/${ids.root}`
    for (const [method, path] of [
      ['POST', `${self}/disable`],
      ['DELETE', self]
    ] as const) {
      t.match((await root.change(method, path)).json(), { statusCode: 409, code: 'SVC_SEC_LAST_ADMIN' }, path)
    }
    t.match(await app.userAccounts.find('root'), { enabled: true })
    const id = await app.userAccounts.create({ identifier: 'second', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
    const second = await browserOf('second')
    await Promise.all([root.change('DELETE', `/users/${id}`), second.change('DELETE', self)])
    t.ok((await app.userAccounts.countAdministrators(['ROLE_SVC_ADMIN'])) >= 1, 'somebody can administer')
  }
)

t.test('who may not: a user, a page of another origin, a login of yesterday', async (t) => {
  const { root, alice, clock, browserOf } = await setUp(t)
  const plain = await browserOf('alice')
  for (const [method, path] of [
    ['DELETE', alice],
    ['PUT', `${alice}/identifier`],
    ['POST', `${alice}/disable`]
  ] as const) {
    const body = method === 'PUT' ? { identifier: 'new' } : undefined
    t.equal((await plain.change(method, path, body)).statusCode, 403, path)
    t.match((await root.call(method, API + path, body && { payload: body })).json(), { code: 'SVC_SEC_CSRF' }, path)
  }
  clock.advance(601_000)
  t.match((await root.change('DELETE', alice)).json(), { statusCode: 403, code: 'SVC_SEC_PROOF_DUE' })
  t.match((await root.change('PUT', `${alice}/identifier`, { identifier: 'new' })).json(), {
    code: 'SVC_SEC_PROOF_DUE'
  })
  t.match((await root.change('POST', `${alice}/disable`)).json(), { enabled: false }, 'closing a way in needs none')
})

t.test('a user is made with the hash of another system, and with one of both', async (t) => {
  const { app, root } = await setUp(t)
  // Published by hashcat, for the password "hashcat".
  const passwordHash = '$P$984478476IagS59wHZvyQMArzfx58u.'
  t.equal((await root.change('POST', '/users', { identifier: 'old', passwordHash })).statusCode, 201)
  t.equal((await new Browser(app).login('old', 'hashcat')).statusCode, 200)
  const refused: Array<[body: object, code: string]> = [
    [{ identifier: 'both', passwordHash, password: PASSWORD }, 'SVC_HTTP_VALIDATION'],
    [{ identifier: 'none' }, 'SVC_HTTP_VALIDATION'],
    [{ identifier: 'plain', passwordHash: 'plain text' }, 'SVC_SEC_PASSWORD']
  ]
  for (const [body, code] of refused) {
    const answer = (await root.change('POST', '/users', body)).json()
    t.match(answer, { statusCode: 400 }, code)
    if (code === 'SVC_SEC_PASSWORD') t.match(answer, { code })
  }
  for (const name of ['both', 'none', 'plain']) t.equal(await app.userAccounts.find(name), null)
})

t.test('with declaredRoles, a role that nothing declares reaches no user, whichever way it comes', async (t) => {
  const { app, root, alice } = await setUp(t, { declaredRoles: ['ROLE_EXTRA'] })
  const refusal = {
    statusCode: 400,
    code: 'SVC_SEC_ROLE_UNKNOWN',
    message: /ROLE_EDITR.*did you mean ROLE_EDITOR.*ROLE_CHIEF/
  }
  const roles = ['ROLE_USER', 'ROLE_EDITR']
  t.match((await root.change('PUT', `${alice}/roles`, { roles })).json(), refusal)
  t.match((await root.change('POST', '/users', { identifier: 'new', password: PASSWORD, roles })).json(), refusal)
  await t.rejects(app.userAccounts.setRoles('alice', roles), { code: 'SVC_SEC_ROLE_UNKNOWN' })
  await t.rejects(app.userAccounts.create({ identifier: 'new', password: PASSWORD, roles }), {
    code: 'SVC_SEC_ROLE_UNKNOWN'
  })
  t.equal(await app.userAccounts.find('new'), null)
  const known = ['ROLE_USER', 'ROLE_EXTRA', 'ROLE_CHIEF', 'ROLE_EDITOR', 'ROLE_SVC_ADMIN']
  t.match((await root.change('PUT', `${alice}/roles`, { roles: known })).json(), { roles: known, warnings: [] })
  t.ok((await root.call('GET', `${API}/roles`)).json().known.includes('ROLE_EXTRA'))
})

t.test('a role that a user has from before is no reason against the next change', async (t) => {
  const { app } = await setUp(t, { declaredRoles: [] })
  const { store } = app.stores.select((await import('../../src/users/user-store.ts')).userStore, 'auto')
  await store?.create({ identifier: 'old', roles: ['ROLE_GONE'] })
  t.ok(await app.userAccounts.setRoles('old', ['ROLE_GONE', 'ROLE_USER']))
  t.ok(await app.userAccounts.setRoles('old', ['ROLE_USER']))
  await t.rejects(app.userAccounts.setRoles('old', ['ROLE_GONE']), { code: 'SVC_SEC_ROLE_UNKNOWN' })
})
