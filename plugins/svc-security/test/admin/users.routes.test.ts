/** Users and their factors for administrators, on one application: listed, made, changed, locked, and never left without one. */
import type { AuditRecord } from 'svc-kernel'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { passkeysStore } from '../../src/factors/passkeys/passkeys-store.ts'
import { totpStore } from '../../src/factors/totp/totp-store.ts'
import { userStore } from '../../src/users/user-store.ts'
import { CHEAP } from '../support/accounts.ts'
import { auditing } from '../support/auditing.ts'
import { securedApp } from '../support/guarded-app.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'

const PASSWORD = 'long enough'
const USERS = `${API}/users`

async function setUp(t: Test) {
  const clock = new ManualClock()
  const [user, totp, passkeys] = [
    inMemory(userStore, { clock }),
    inMemory(totpStore, { clock }),
    inMemory(passkeysStore, { clock })
  ]
  const app = await securedApp({
    areas: { in: { pattern: '^/in', authenticators: ['session'] } },
    roleHierarchy: { ROLE_CHIEF: ['ROLE_SVC_ADMIN'] },
    passwords: CHEAP,
    totp: { encryptionKey: Buffer.alloc(32, 1).toString('base64') },
    passkeys: { rpId: 'localhost', origins: ['http://localhost'] },
    parts: { clock, stores: { user, totp, passkeys } }
  })
  t.teardown(() => app.close())
  const records: AuditRecord[] = []
  auditing(app, (event) => void records.push(event))
  const ids: Record<string, string> = {}
  for (const [identifier, roles] of [
    ['root', ['ROLE_SVC_ADMIN']],
    ['alice', ['ROLE_USER']]
  ] as const) {
    ids[identifier] = await app.userAccounts.create({ identifier, password: PASSWORD, roles })
  }
  const [admin, plain] = [new Browser(app), new Browser(app)]
  await admin.login('root', PASSWORD)
  await plain.login('alice', PASSWORD)
  const headers = { 'x-csrf-token': await admin.csrfToken() }
  const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
    admin.call(method, USERS + path, { headers, ...(payload === undefined ? {} : { payload }) })
  const get = async (path: string) => (await admin.call('GET', USERS + path)).json()
  return { app, admin, plain, call, get, ids, records, user, totp, passkeys }
}

t.test('closed to others, and to pages without the proof of the session', async (t) => {
  const { app, admin, plain, ids } = await setUp(t)
  const plainToken = { 'x-csrf-token': await plain.csrfToken() }
  for (const [method, path, payload] of [
    ['GET', ''],
    ['GET', `/${ids.alice}`],
    ['GET', `/${ids.alice}/factors`],
    ['POST', '', { identifier: 'x', password: PASSWORD }],
    ['PUT', `/${ids.alice}/roles`, { roles: ['ROLE_SVC_ADMIN'] }],
    ['POST', `/${ids.alice}/lock`],
    ['POST', `/${ids.alice}/unlock`],
    ['POST', `/${ids.alice}/sessions/revoke`],
    ['DELETE', `/${ids.alice}/factors/totp`],
    ['DELETE', `/${ids.alice}/factors/passkeys/x`]
  ] as const) {
    const more = payload === undefined ? {} : { payload }
    t.equal((await app.inject({ method, url: USERS + path, ...more })).statusCode, 401, `${method} ${path} by nobody`)
    const refused = await plain.call(method, USERS + path, { headers: plainToken, ...more })
    t.equal(refused.statusCode, 403, `${method} ${path} by a user`)
    if (method === 'GET') continue
    t.match((await admin.call(method, USERS + path, more)).json(), { code: 'SVC_SEC_CSRF' }, `${method} ${path}`)
  }
  t.match((await app.userAccounts.find('alice'))?.roles, ['ROLE_USER'])
})

t.test('listed by page and filter, without passwords', async (t) => {
  const { admin, get } = await setUp(t)
  const whole = await admin.call('GET', USERS)
  t.equal(whole.headers['cache-control'], 'no-store')
  t.match(whole.json(), { total: 2, items: [{ identifier: 'alice' }, { identifier: 'root' }], hasNext: false })
  t.notMatch(whole.body, /argon2|password/)
  t.match(await get('?limit=1&offset=1'), { items: [{ identifier: 'root' }], total: 2, limit: 1 })
  t.match(await get('?q=ALI'), { total: 1, items: [{ identifier: 'alice', locked: false }] })
  t.match(await get('?role=ROLE_SVC_ADMIN'), { total: 1, items: [{ identifier: 'root' }] })
  t.equal((await get('?limit=9999')).limit, 200)
  for (const bad of ['?nonsense=1', '?limit=x', '?offset=-1', '?q=']) {
    t.equal((await admin.call('GET', USERS + bad)).statusCode, 400, bad)
  }
  t.match(await get('/nothing'), { statusCode: 404, code: 'SVC_SEC_USER_UNKNOWN' })
})

t.test('made, given roles, locked: at once, and audited with who did it', async (t) => {
  const { app, call, plain, ids, records } = await setUp(t)
  records.length = 0
  const made = await call('POST', '', { identifier: 'zoe', password: PASSWORD, roles: ['ROLE_USER'] })
  t.equal(made.statusCode, 201)
  t.match(made.json(), { id: /.+/, identifier: 'zoe', roles: ['ROLE_USER'], enabled: true, locked: false })
  t.equal((await new Browser(app).login('zoe', PASSWORD)).statusCode, 200)
  t.match((await call('POST', '', { identifier: 'zoe', password: PASSWORD })).json(), { statusCode: 409 })
  t.equal((await call('POST', '', { identifier: 'y', password: PASSWORD, roles: ['admin'] })).statusCode, 400)
  t.equal((await call('POST', '', { identifier: 'y', password: PASSWORD, enabled: false })).statusCode, 400)

  t.match((await call('PUT', `/${ids.alice}/roles`, { roles: ['ROLE_X'] })).json(), { roles: ['ROLE_X'] })
  t.match((await call('POST', `/${ids.alice}/lock`)).json(), { identifier: 'alice', locked: true })
  t.equal((await plain.call('GET', '/in/x')).statusCode, 401, 'a session of hers proves nothing any more')
  t.match((await call('POST', `/${ids.alice}/unlock`)).json(), { locked: false })
  t.equal((await call('POST', '/nothing/lock')).statusCode, 404)
  const config = records.filter(({ category }) => category === 'config')
  t.strictSame(
    config.map(({ actor, resource, action, metadata }) => [actor, resource, action, metadata]),
    [
      ['root', 'zoe', 'user.created', { roles: ['ROLE_USER'] }],
      ['root', 'alice', 'user.roles', { before: ['ROLE_USER'], after: ['ROLE_X'] }],
      ['root', 'alice', 'user.locked', { before: false, after: true }],
      ['root', 'alice', 'user.unlocked', { before: true, after: false }]
    ]
  )
  t.notMatch(JSON.stringify(records), new RegExp(PASSWORD))
})

t.test('the last who can administer stays one', async (t) => {
  const { app, call, ids } = await setUp(t)
  const last = { statusCode: 409, code: 'SVC_SEC_LAST_ADMIN' }
  t.match((await call('POST', `/${ids.root}/lock`)).json(), last)
  t.match((await call('PUT', `/${ids.root}/roles`, { roles: ['ROLE_USER'] })).json(), last)
  t.equal((await call('PUT', `/${ids.root}/roles`, { roles: ['ROLE_CHIEF'] })).statusCode, 200, 'by another role')
  t.match((await call('POST', `/${ids.root}/lock`)).json(), last)
  t.equal((await call('PUT', `/${ids.alice}/roles`, { roles: ['ROLE_SVC_ADMIN'] })).statusCode, 200)
  t.equal((await call('POST', `/${ids.root}/lock`)).statusCode, 200, 'there is another one now')
  t.match(await app.userAccounts.find('root'), { locked: true })
})

t.test('of two administrators who take each other off at once, one at least stays', async (t) => {
  const { plain, call, ids, user } = await setUp(t)
  await call('PUT', `/${ids.alice}/roles`, { roles: ['ROLE_SVC_ADMIN'] })
  const headers = { 'x-csrf-token': await plain.csrfToken() }
  const count = user.countAdministrators.bind(user)
  let asked = 0
  let bothAsked = () => {}
  const both = new Promise<void>((resolve) => {
    bothAsked = resolve
  })
  user.countAdministrators = async (roles) => {
    const found = await count(roles)
    asked += 1
    if (asked === 2) bothAsked()
    if (asked <= 2) await both
    return found
  }
  const answers = await Promise.all([
    call('PUT', `/${ids.alice}/roles`, { roles: [] }),
    plain.call('POST', `${USERS}/${ids.root}/lock`, { headers })
  ])
  t.ok(asked > 2, 'each found two beforehand')
  t.ok(answers.some(({ statusCode }) => statusCode === 409))
  t.ok((await count(['ROLE_SVC_ADMIN'])) >= 1)
})

t.test('all sessions of a user end; who ends their own keeps this one', async (t) => {
  const { app, admin, call, ids, plain } = await setUp(t)
  await new Browser(app).login('root', PASSWORD)
  t.strictSame((await call('POST', `/${ids.alice}/sessions/revoke`)).json(), { revoked: 1, grants: 0 })
  t.equal((await plain.call('GET', '/in/x')).statusCode, 401)
  t.strictSame((await call('POST', `/${ids.root}/sessions/revoke`)).json(), { revoked: 1, grants: 0 })
  t.equal((await admin.call('GET', USERS)).statusCode, 200)
})

t.test('factors: what there is, without what proves it; taken off, and audited', async (t) => {
  const { admin, call, get, ids, totp, passkeys, records } = await setUp(t)
  const id = String(ids.alice)
  t.strictSame(await get(`/${id}/factors`), {
    totp: { enabled: false, recoveryCodesLeft: 0 },
    passkeys: [],
    socialAccounts: []
  })
  t.match((await call('DELETE', `/${id}/factors/totp`)).json(), { statusCode: 404, code: 'SVC_SEC_FACTOR_UNKNOWN' })
  await totp.enroll(id, 'sealed')
  await totp.confirm(id, 'sealed', 1, ['hash-a', 'hash-b'])
  const made = { transports: [], backupEligible: false, backupState: false, counter: 0, nickname: 'key' }
  await passkeys.save({ id: 'cred', userId: id, publicKey: 'public', ...made })
  await passkeys.save({ id: 'other', userId: String(ids.root), publicKey: 'public', ...made })
  const shown = await admin.call('GET', `${USERS}/${id}/factors`)
  t.match(shown.json(), { totp: { enabled: true, recoveryCodesLeft: 2 }, passkeys: [{ id: 'cred', nickname: 'key' }] })
  t.notMatch(shown.body, /sealed|hash-|public/)
  t.match((await call('DELETE', `/${id}/factors/passkeys/other`)).json(), { code: 'SVC_SEC_PASSKEY_UNKNOWN' })
  records.length = 0
  t.strictSame((await call('DELETE', `/${id}/factors/passkeys/cred`)).json(), { ok: true })
  t.strictSame((await call('DELETE', `/${id}/factors/totp`)).json(), { ok: true })
  t.match(await get(`/${id}/factors`), { totp: { enabled: false }, passkeys: { length: 0 } })
  t.match(records, [
    { action: 'passkey.removed', actor: 'root', resource: 'cred', metadata: { subject: 'alice' } },
    { action: 'user.totp_removed', actor: 'root', resource: 'alice' }
  ])
})

t.test('users of the application: looked at here, listed and changed there', async (t) => {
  const { app, accounts } = await loginApp()
  t.teardown(() => app.close())
  accounts.add({ ...accounts.get('alice'), identifier: 'root', roles: ['ROLE_SVC_ADMIN'] })
  const admin = new Browser(app)
  await admin.login('root')
  const headers = { 'x-csrf-token': await admin.csrfToken() }
  const elsewhere = { statusCode: 409, code: 'SVC_SEC_USERS_ELSEWHERE' }
  t.match((await admin.call('GET', USERS)).json(), elsewhere)
  const payload = { identifier: 'zoe', password: PASSWORD }
  t.match((await admin.call('POST', USERS, { payload, headers })).json(), elsewhere)
  t.match((await admin.call('POST', `${USERS}/alice/lock`, { headers })).json(), elsewhere)
  t.match((await admin.call('GET', `${USERS}/alice`)).json(), { identifier: 'alice', locked: false, createdAt: null })
  t.strictSame((await admin.call('GET', `${USERS}/alice/factors`)).json(), {
    totp: null,
    passkeys: null,
    socialAccounts: []
  })
  t.equal((await admin.call('POST', `${USERS}/alice/sessions/revoke`, { headers })).statusCode, 200)
})
