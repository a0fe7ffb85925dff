/** Changes of users that say what they were made from, roles that are misspelt, and what the journal says of both. */
import t from 'tap'
import { keptUsersApp } from '../support/kept-users-app.ts'
import { API } from '../support/login-app.ts'

async function setUp(t: Parameters<typeof keptUsersApp>[0]) {
  const made = await keptUsersApp(t)
  const { ids, browserOf } = made
  const [root, other] = [await browserOf('root'), await browserOf('root')]
  const alice = `/users/${ids.alice}`
  const look = async () => {
    const answer = await root.call('GET', `${API}${alice}`)
    return { tag: String(answer.headers.etag), user: answer.json() }
  }
  return { ...made, root, other, alice, look }
}

t.test('Q7: of two who changed what they saw, the later learns of the earlier', async (t) => {
  const { app, root, other, alice, look } = await setUp(t)
  const { tag, user } = await look()
  t.equal(tag, `"${user.updatedAt}"`, 'the version of a user is the time of its last change')
  const match = { 'if-match': tag }
  const first = await root.change('PUT', `${alice}/roles`, { roles: ['ROLE_EDITOR'] }, match)
  t.match(first.json(), { roles: ['ROLE_EDITOR'] })
  t.equal(first.headers.etag, `"${first.json().updatedAt}"`)
  t.not(first.headers.etag, tag, 'a new version, within the same millisecond too')

  const second = await other.change('PUT', `${alice}/roles`, { roles: ['ROLE_USER', 'ROLE_X'] }, match)
  const body = second.json()
  t.match(body, {
    statusCode: 409,
    code: 'SVC_HTTP_CHANGED',
    message: 'the user has changed since you read it'
  })
  const { warnings: _, ...current } = first.json()
  t.same(body.current, current, 'with the user as it is now')
  t.notMatch(second.body, /argon2|password/)
  t.same((await app.userAccounts.find('alice'))?.roles, ['ROLE_EDITOR'])
  for (const word of ['lock', 'unlock']) {
    t.match(
      (await other.change('POST', `${alice}/${word}`, undefined, match)).json(),
      { code: 'SVC_HTTP_CHANGED' },
      word
    )
  }
  t.notOk((await app.userAccounts.find('alice'))?.locked)

  const again = { 'if-match': `"${body.current.updatedAt}"` }
  t.match((await other.change('PUT', `${alice}/roles`, { roles: ['ROLE_X'] }, again)).json(), { roles: ['ROLE_X'] })
})

t.test('Q7: of many at once from one version one wins', async (t) => {
  const { root, alice, look } = await setUp(t)
  const { tag } = await look()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      root.change('PUT', `${alice}/roles`, { roles: [`ROLE_${index}`] }, { 'if-match': tag })
    )
  )
  const won = answers.filter(({ statusCode }) => statusCode === 200)
  t.equal(won.length, 1)
  t.equal(answers.filter(({ statusCode }) => statusCode === 409).length, 9)
  t.same((await look()).user.roles, won[0]?.json().roles)
})

t.test('Q7: without a version the last wins, as before; what is no version matches none', async (t) => {
  const { root, alice } = await setUp(t)
  const set = async (role: string, more: Record<string, string> = {}) =>
    (await root.change('PUT', `${alice}/roles`, { roles: [role] }, more)).statusCode
  t.equal(await set('ROLE_A'), 200)
  t.equal(await set('ROLE_B', { 'if-match': '*' }), 200)
  for (const tag of ['"1"', '1', 'W/"1"', '"x"', '""', '"1", "2"', '*, "1"']) {
    t.equal(await set('ROLE_C', { 'if-match': tag }), 409, tag)
  }
})

t.test('Q7: the last administrator stays one, with a version too', async (t) => {
  const { root, ids } = await setUp(t)
  const own = `/users/${ids.root}`
  const { etag } = (await root.call('GET', API + own)).headers
  const refused = await root.change('PUT', `${own}/roles`, { roles: [] }, { 'if-match': String(etag) })
  t.match(refused.json(), { statusCode: 409, code: 'SVC_SEC_LAST_ADMIN' })
})

t.test('Q11: a role that nothing asks for is named in the answer', async (t) => {
  const { root, alice, app } = await setUp(t)
  const set = async (roles: string[]) => (await root.change('PUT', `${alice}/roles`, { roles })).json()
  t.same((await set(['ROLE_USER', 'ROLE_CHIEF'])).warnings, [])
  t.same((await set(['ROLE_USER', 'ROLE_CHEIF', 'ROLE_EDITOR'])).warnings, [
    'no guard and no role hierarchy uses ROLE_CHEIF (did you mean ROLE_CHIEF?)'
  ])
  t.same((await set(['ROLE_USER', 'ROLE_CHEIF', 'ROLE_SVC_ADMIN'])).warnings, [], 'of those that are new')
  const made = await root.change('POST', '/users', { identifier: 'zoe', password: 'long enough', roles: ['ROLE_ELSE'] })
  t.same(made.json().warnings, ['no guard and no role hierarchy uses ROLE_ELSE'])
  const { known } = (await root.call('GET', `${API}/roles`)).json()
  t.same(known, ['ROLE_CHIEF', 'ROLE_EDITOR', 'ROLE_SVC_ADMIN'], 'what to choose among')
  t.same((await app.userAccounts.find('zoe'))?.roles, ['ROLE_ELSE'], 'a warning, and no refusal')
})

t.test('Q11: who gives a role to themselves is told apart in the journal', async (t) => {
  const { root, ids, alice, records } = await setUp(t)
  records.length = 0
  await root.change('PUT', `/users/${ids.root}/roles`, { roles: ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA'] })
  await root.change('PUT', `/users/${ids.root}/roles`, { roles: ['ROLE_SVC_ADMIN'] })
  await root.change('PUT', `${alice}/roles`, { roles: ['ROLE_SVC_DATA'] })
  const [both, one] = [['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA'], ['ROLE_SVC_ADMIN']]
  t.match(records, [
    { action: 'user.self_granted', actor: 'root', resource: 'root', metadata: { before: one, after: both } },
    { action: 'user.roles', actor: 'root', resource: 'root', metadata: { before: both, after: one } },
    { action: 'user.roles', actor: 'root', resource: 'alice', metadata: { before: ['ROLE_USER'] } }
  ])
})

t.test('Q15: each change of a user has an action of its own, with before and after', async (t) => {
  const { app, root, browserOf, alice, records } = await setUp(t)
  const hers = await browserOf('alice')
  records.length = 0
  await root.change('POST', '/users', { identifier: 'zoe', password: 'long enough', roles: ['ROLE_USER'] })
  await root.change('PUT', `${alice}/roles`, { roles: ['ROLE_EDITOR'] })
  await hers.change('POST', '/auth/password', { current: 'long enough', password: 'quite long too' })
  await app.userAccounts.setPassword('alice', 'long enough')
  await root.change('POST', `${alice}/lock`)
  await root.change('POST', `${alice}/unlock`)
  await app.userAccounts.remove('zoe')
  t.same(
    records
      .filter(({ category }) => category === 'config')
      .map(({ action, actor, resource, metadata }) => [action, actor, resource, metadata]),
    [
      ['user.created', 'root', 'zoe', { roles: ['ROLE_USER'] }],
      ['user.roles', 'root', 'alice', { before: ['ROLE_USER'], after: ['ROLE_EDITOR'] }],
      ['user.password', 'alice', 'alice', {}],
      ['user.password', null, 'alice', {}],
      ['user.locked', 'root', 'alice', { before: false, after: true }],
      ['user.unlocked', 'root', 'alice', { before: true, after: false }],
      ['user.deleted', null, 'zoe', { roles: ['ROLE_USER'] }]
    ]
  )
  t.notMatch(JSON.stringify(records), /long enough|quite long|argon2/)
})
