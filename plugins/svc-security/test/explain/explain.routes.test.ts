/** Access for administrators: explanations as requests are answered, the matrix, the warnings of the boot. */
import t from 'tap'
import { explanationApp } from '../support/explanation-app.ts'

const API = '/svc/security/api'

t.test('403 without the role, and only with the proof of a page', async (t) => {
  const { app, admin, plain } = await explanationApp(t)
  for (const path of ['/matrix', '/lints']) {
    t.equal((await app.inject(API + path)).statusCode, 401, path)
    t.equal((await plain.call('GET', API + path)).statusCode, 403, path)
  }
  const payload = { method: 'GET', path: '/in/orders' }
  t.equal((await plain.call('POST', `${API}/explain`, { payload })).statusCode, 403)
  const unproven = await admin.call('POST', `${API}/explain`, { payload })
  t.match(unproven.json(), { statusCode: 403, code: 'SVC_SEC_CSRF' })
})

t.test('why a caller gets in, or does not', async (t) => {
  const { ask } = await explanationApp(t)
  t.match(await ask({ method: 'GET', path: '/in/orders', user: 'alice' }), {
    caller: { identifier: 'alice', roles: ['ROLE_USER'], scopes: [] },
    route: { path: '/in/orders', params: {} },
    zone: { name: 'in', pattern: '^/in', mode: 'first', authenticators: ['session'] },
    proofs: [
      {
        authenticator: 'session',
        token: 'session',
        clauses: [
          { granted: true, attributes: [{ attribute: 'ROLE_USER', votes: [{ voter: 'role', vote: 'GRANT' }] }] }
        ]
      }
    ],
    decision: 'granted',
    status: null
  })
  t.match(await ask({ method: 'GET', path: '/in/vault', user: 'alice' }), { status: 403, reason: 'abstain' })
  t.match(await ask({ method: 'GET', path: '/in/vault', roles: ['ROLE_CHIEF'] }), { decision: 'granted' })
  t.match(await ask({ method: 'GET', path: '/in/vault', user: 'bob' }), { status: 401, reason: 'user_locked' })
  t.match(await ask({ method: 'GET', path: '/in/vault' }), { status: 401, reason: 'no-proof' })
  t.match(await ask({ method: 'GET', path: '/in/own/7', user: 'alice' }), {
    route: { params: { id: '7' } },
    proofs: [
      { clauses: [{ attributes: [{ subject: { param: 'id', value: '7' }, votes: [{ reason: 'not yours' }] }] }] }
    ],
    reason: 'veto'
  })
  t.match(await ask({ method: 'GET', path: '/nowhere' }), { route: null, zone: null, status: 404 })
  t.notOk('source' in (await ask({ method: 'GET', path: '/in/orders' })).route, 'no path of the machine')
})

t.test('Q9: a refusal is explained by a sentence', async (t) => {
  const { ask } = await explanationApp(t)
  const reasons = async (who: object) => {
    const { proofs } = await ask({ method: 'GET', path: '/in/vault', ...who })
    return proofs[0].clauses[0].attributes[0].votes.map(({ voter, reason }: Record<string, string>) => [voter, reason])
  }
  t.strictSame(await reasons({ user: 'alice' }), [
    ['role', 'ROLE_ADMIN is missing: alice has ROLE_USER; ROLE_CHIEF inherits it']
  ])
  t.strictSame(await reasons({ roles: ['ROLE_CHIEF'] }), [
    ['role', 'someone has ROLE_CHIEF, which inherits ROLE_ADMIN']
  ])
})

t.test('what cannot be asked', async (t) => {
  const { post } = await explanationApp(t)
  for (const payload of [
    {},
    { method: 'LOOK', path: '/' },
    { method: 'GET', path: 'in' },
    { method: 'GET', path: '/', as: 'alice' },
    { method: 'GET', path: '/', user: '' },
    { method: 'GET', path: `/${'x'.repeat(2048)}` }
  ]) {
    t.equal((await post(payload)).statusCode, 400, JSON.stringify(payload).slice(0, 60))
  }
})

t.test('the matrix: what the role settles, and what depends on a subject', async (t) => {
  const { admin } = await explanationApp(t)
  const get = async (query: string) => (await admin.call('GET', `${API}/matrix${query}`)).json()
  const { roles, items } = await get('?path=/in/')
  t.strictSame(roles, ['anonymous', 'ROLE_ADMIN', 'ROLE_CHIEF', 'ROLE_SVC_ADMIN', 'ROLE_USER'])
  const cells = Object.fromEntries(items.map(({ path, cells }: Record<string, unknown>) => [path, cells]))
  t.strictSame(cells, {
    '/in/open': ['refused', 'granted', 'granted', 'granted', 'granted'],
    '/in/orders': ['refused', 'refused', 'refused', 'refused', 'granted'],
    '/in/vault': ['refused', 'granted', 'granted', 'refused', 'refused'],
    '/in/own/:id': ['refused', 'depends', 'depends', 'depends', 'depends'],
    '/in/own/:id/vault': ['refused', 'granted', 'granted', 'depends', 'depends'],
    '/in/both/:id': ['refused', 'depends', 'depends', 'refused', 'refused']
  })
  const page = await get('?path=/in/&roles=ROLE_CHIEF&limit=2&offset=1')
  t.match(page, { roles: ['ROLE_CHIEF'], items: { length: 2 }, limit: 2, offset: 1, hasNext: true })
  t.equal((await get('?limit=100000')).limit, 100)
  t.equal((await admin.call('GET', `${API}/matrix?rolle=x`)).statusCode, 400)
})

t.test('what the boot warned of', async (t) => {
  const { admin } = await explanationApp(t)
  const { items, total } = (await admin.call('GET', `${API}/lints`)).json()
  t.equal(total, items.length)
  t.match(
    items.find(({ code }: { code: string }) => code === 'SVC_GUARD_NO_ZONE'),
    { message: /GET \/outside is guarded but no area matches/, fix: /add an area/ }
  )
})
