/** What one user may do: agrees with what the routes answer to that user, and says what refuses. */
import t from 'tap'
import type { UserAccess } from '../../src/wire.ts'
import { keptUsersApp, PASSWORD } from '../support/kept-users-app.ts'
import { API } from '../support/login-app.ts'

t.test('for each user and route, as the route itself answers', async (t) => {
  const { app, ids, browserOf } = await keptUsersApp(t)
  const root = await browserOf('root')
  await app.userAccounts.create({ identifier: 'chief', password: PASSWORD, roles: ['ROLE_CHIEF'] })
  const found = async (path: string) => (await root.call('GET', `${API}/users/${path}`)).json<UserAccess>()
  const users = (await root.call('GET', `${API}/users`)).json<{ items: Array<{ id: string; identifier: string }> }>()
    .items
  for (const { id, identifier } of users) {
    const browser = await browserOf(identifier)
    const { items } = await found(`${id}/access?limit=100`)
    const reads = items.filter(
      ({ method, path }) => method.includes('GET') && !path.includes(':') && !path.includes('*')
    )
    t.ok(reads.length >= 8, `${reads.length} routes of ${identifier}`)
    for (const { path, access } of reads) {
      const { statusCode } = await browser.call('GET', path)
      t.equal(
        access,
        statusCode === 401 || statusCode === 403 ? 'refused' : 'granted',
        `${identifier} at ${path}: ${statusCode}`
      )
    }
  }
  const sessions = (await found(`${ids.alice}/access?path=SECURITY/api/sessions`)).items
  t.match(sessions[0], { path: `${API}/sessions`, access: 'refused', reason: 'abstain', lacking: ['ROLE_SVC_ADMIN'] })
  t.match((await found(`${ids.root}/access?path=api/sessions`)).items[0], {
    access: 'granted',
    reason: null,
    lacking: []
  })
})

t.test('a user who is locked may do nothing that asks who they are, and the answer says why', async (t) => {
  const { app, ids, browserOf } = await keptUsersApp(t)
  const root = await browserOf('root')
  await app.userAccounts.setLocked('alice', true)
  const { user, items } = (await root.call('GET', `${API}/users/${ids.alice}/access?path=/in`)).json<UserAccess>()
  t.match(user, { identifier: 'alice', roles: ['ROLE_USER'], barred: 'user_locked' })
  t.match(items[0], { path: '/in', access: 'refused', reason: 'user_locked', lacking: [] })
})

t.test('by page; 404 for an unknown user, 403 for who administers nothing', async (t) => {
  const { ids, browserOf } = await keptUsersApp(t)
  const root = await browserOf('root')
  const page = async (query: string) =>
    (await root.call('GET', `${API}/users/${ids.alice}/access?${query}`)).json<UserAccess>()
  const whole = await page('limit=100')
  const [first, second] = [await page('limit=3'), await page('limit=3&offset=3')]
  t.strictSame([...first.items, ...second.items], whole.items.slice(0, 6))
  t.ok(first.hasNext)
  t.match(await page('limit=100&path=no-such-path'), { items: [], hasNext: false })
  t.equal((await root.call('GET', `${API}/users/none/access`)).statusCode, 404)
  t.equal((await root.call('GET', `${API}/users/${ids.alice}/access?role=x`)).statusCode, 400)
  t.equal((await (await browserOf('alice')).call('GET', `${API}/users/${ids.alice}/access`)).statusCode, 403)
})
