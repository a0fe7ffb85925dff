/** API keys over HTTP: one's own, and all of them for administrators. */

import { ANONYMOUS, ANONYMOUS_TOKEN } from 'svc-kernel'
import t from 'tap'
import { callerOf, checkMaker } from '../../src/api-keys/api-key.routes.ts'
import { Browser } from '../support/login-app.ts'
import { accessToken, KEYS, type TokenApp, tokenApp } from '../support/token-app.ts'
import { aToken } from '../support/tokens.ts'

async function loggedIn({ app }: TokenApp, username = 'alice') {
  const browser = new Browser(app)
  await browser.login(username)
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  return {
    create: (payload: object) => browser.call('POST', KEYS, { payload, headers }),
    list: () => browser.call('GET', KEYS),
    all: (query = '') => browser.call('GET', `${KEYS}/all${query}`),
    remove: (id: string) => browser.call('DELETE', `${KEYS}/${id}`, { headers }),
    revoke: (id: string) => browser.call('POST', `${KEYS}/${id}/revoke`, { headers })
  }
}

t.test('made in a session, shown once, used, removed', async (t) => {
  const made = await tokenApp()
  const { create, list, remove } = await loggedIn(made)
  const answer = await create({ name: 'ci', scopes: ['orders:read'] })
  t.equal(answer.statusCode, 201)
  t.equal(answer.headers['cache-control'], 'no-store')
  const { token, ...view } = answer.json<Record<string, string>>()
  t.match(token, /^svc_[0-9A-Za-z]{36}$/)
  t.match(view, { name: 'ci', subject: 'alice', scopes: ['orders:read'] })
  t.same((await list()).json(), { keys: [view] })

  t.match((await made.call('GET', '/key', undefined, token)).body, { who: 'alice', proof: 'apikey' })
  t.equal((await made.call('GET', '/any/orders', undefined, token)).status, 200)
  t.match((await list()).json(), { keys: [{ lastUsedAt: made.clock.now() }] })

  t.same((await remove(view.id ?? '')).json(), { ok: true })
  t.same((await remove(view.id ?? '')).json(), { ok: true }, 'again: nothing changes')
  t.equal((await made.call('GET', '/key', undefined, token)).status, 401)
  t.match((await list()).json(), { keys: [{ revokedAt: made.clock.now(), revokedReason: 'manual' }] })
})

t.test('KEY-23: scopes grant no roles, and roles need no scopes', async (t) => {
  const made = await tokenApp()
  const { create } = await loggedIn(made)
  const { token } = (await create({ name: 'bare' })).json<{ token: string }>()
  t.equal((await made.call('GET', '/any/users', undefined, token)).status, 200)
  t.equal((await made.call('GET', '/any/orders', undefined, token)).status, 403)
})

t.test('who may not', async (t) => {
  const made = await tokenApp()
  const { create } = await loggedIn(made)
  const { token, id } = (await create({ name: 'k', scopes: ['a:b'] })).json<{ token: string; id: string }>()
  const jwt = await accessToken(made, 'alice', 'a:b')
  const rows: [title: string, status: number, answer: { status: number }][] = [
    ['nobody makes a key', 401, await made.call('POST', KEYS, { name: 'x' })],
    ['nobody lists keys', 401, await made.call('GET', KEYS)],
    ['a key makes no key', 403, await made.call('POST', KEYS, { name: 'x' }, token)],
    ['a key removes no key', 403, await made.call('DELETE', `${KEYS}/${id}`, undefined, token)],
    ['a key sees its own', 200, await made.call('GET', KEYS, undefined, token)],
    ['a token passes its scopes on', 201, await made.call('POST', KEYS, { name: 'x', scopes: ['a:b'] }, jwt)],
    ['and no others', 403, await made.call('POST', KEYS, { name: 'x', scopes: ['a:c'] }, jwt)],
    ['a user sees not all keys', 403, await made.call('GET', `${KEYS}/all`, undefined, jwt)],
    ['a user revokes nobody else', 403, await made.call('POST', `${KEYS}/${id}/revoke`, undefined, jwt)]
  ]
  for (const [title, status, answer] of rows) t.equal(answer.status, status, title)
  const stranger = await loggedIn(made, 'root')
  t.equal((await stranger.remove(id)).statusCode, 404, "somebody else's key is not there")
  t.equal((await made.call('GET', '/key', undefined, token)).status, 200)
})

t.test('a change from a page needs the token of the session', async (t) => {
  const made = await tokenApp()
  const browser = new Browser(made.app)
  await browser.login()
  t.equal((await browser.call('POST', KEYS, { payload: { name: 'x' } })).statusCode, 403)
})

t.test('bodies that cannot be one', async (t) => {
  const { create, list } = await loggedIn(await tokenApp())
  for (const body of [
    {},
    { name: '' },
    { name: 'x'.repeat(201) },
    { name: 1 },
    { name: 'a\0b' },
    { name: 'x', scopes: 'a:b' },
    { name: 'x', scopes: ['a b'] },
    { name: 'x', scopes: ['a:b', 'a:b'] },
    { name: 'x', expiresInDays: 0 },
    { name: 'x', expiresInDays: 1.5 },
    { name: 'x', expiresInDays: 3651 },
    { name: 'x', subject: 'root' }
  ]) {
    t.equal((await create(body)).statusCode, 400, JSON.stringify(body).slice(0, 60))
  }
  t.same((await list()).json(), { keys: [] })
})

t.test('the limit is told as a conflict', async (t) => {
  const { create } = await loggedIn(await tokenApp({ apiKeys: { maxPerSubject: 1 } }))
  t.equal((await create({ name: 'one' })).statusCode, 201)
  const second = await create({ name: 'two' })
  t.match(second.json(), { statusCode: 409, code: 'SVC_SEC_KEY_LIMIT' })
})

t.test('administrators see all keys, page by page, and revoke any', async (t) => {
  const made = await tokenApp()
  const alice = await loggedIn(made)
  const { id, token } = (await alice.create({ name: 'deploy' })).json<{ id: string; token: string }>()
  made.clock.advance(1)
  const root = await loggedIn(made, 'root')
  await root.create({ name: 'mine' })
  t.match((await root.all()).json(), {
    total: 2,
    limit: 50,
    offset: 0,
    hasNext: false,
    keys: [{ name: 'mine' }, { id }]
  })
  t.match((await root.all('?subject=alice&q=DEP&active=true')).json(), { total: 1, keys: [{ id }] })
  t.match((await root.all('?limit=1')).json(), { total: 2, hasNext: true, keys: [{ name: 'mine' }] })
  t.match((await root.all('?limit=9999')).json(), { limit: 200 })
  for (const query of ['?limit=x', '?offset=-1', '?name=x', '?active=perhaps', '?subject=a&subject=b']) {
    t.equal((await root.all(query)).statusCode, 400, query)
  }
  t.match((await root.revoke(id)).json(), { ok: true, key: { id, revokedAt: made.clock.now() } })
  t.equal((await root.revoke('nothing')).statusCode, 404)
  t.equal((await made.call('GET', '/key', undefined, token)).status, 401)
  t.match(
    made.records.filter(({ action }) => action === 'apikey.revoked'),
    [{ resource: id, reason: 'manual' }]
  )
})

t.test('no machine passes on more than it holds', async (t) => {
  const rows: [type: string, held: string[], wanted: string[], allowed: boolean][] = [
    ['session', [], ['orders:read', 'orders:write'], true],
    ['userpassword', [], ['orders:read'], true],
    ['jwt', ['orders:read'], ['orders:read'], true],
    ['jwt', ['orders:read'], [], true],
    ['jwt', ['orders:read'], ['orders:read', 'orders:write'], false],
    ['jwt', [], ['orders:read'], false],
    ['oauth2', [], ['orders:read'], false],
    ['robot-of-tomorrow', ['a:b'], ['a:c'], false],
    ['apikey', ['orders:read'], ['orders:read'], false],
    ['apikey', [], [], false]
  ]
  for (const [type, scopes, wanted, allowed] of rows) {
    const check = () => checkMaker(aToken({ type, scopes }), wanted)
    const title = `${type} with [${scopes}] wants [${wanted}]`
    if (allowed) t.doesNotThrow(check, title)
    else t.throws(check, { code: 'SVC_SEC_BEYOND', statusCode: 403 }, title)
  }
})

t.test('who proved nothing is nobody', async (t) => {
  const token = aToken()
  t.strictSame(callerOf({ user: token.user, token }).user, token.user)
  for (const caller of [
    { user: null, token: null },
    { user: token.user, token: null },
    { user: null, token },
    { user: ANONYMOUS, token: ANONYMOUS_TOKEN }
  ]) {
    t.throws(() => callerOf(caller), { code: 'SVC_SEC_UNAUTHENTICATED' })
  }
})
