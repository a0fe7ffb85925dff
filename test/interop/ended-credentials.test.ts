/**
 * What still lets a user in after something was taken away, for each way in and each event, on every database. The table
 * is written by hand; every credential comes of a real login, and is presented as a client does.
 */
import t from 'tap'
import { API, PASSWORD } from '../support/account-app.ts'
import { type AccountsOnDatabase, accountsOn } from '../support/account-databases.ts'
import { onEveryDatabase } from '../support/entity-databases.ts'

const KINDS = ['own session', 'other session', 'access token', 'older access token', 'refresh token', 'key'] as const

/** One flag for each kind: may it be used afterwards? */
const TABLE = {
  'the user changes the password': [true, false, false, false, false, false],
  'the password is reset': [false, false, false, false, false, false],
  'the user is locked': [false, false, false, false, false, false],
  'the user is locked and unlocked': [false, false, false, false, false, false],
  'the user is deleted and made again': [false, false, false, false, false, false],
  'an administrator ends all sessions': [false, false, false, false, false, true],
  'the user ends the other sessions': [true, false, false, false, false, true],
  'the application ends everything': [false, false, false, false, false, false],
  'nothing happens': [true, true, true, true, true, true]
} as const satisfies Readonly<Record<string, readonly boolean[]>>

type Event = keyof typeof TABLE

interface Credentials {
  readonly own: { cookie: string }
  readonly other: { cookie: string }
  readonly access: string
  readonly older: string
  readonly refresh: string
  readonly key: string
}

const NEXT = 'v:w:x:y:z'

async function happen(event: Event, user: string, { own }: Credentials, world: AccountsOnDatabase) {
  const { app, change, login } = world
  const accounts = app.userAccounts
  const make = () => accounts.create({ identifier: user, password: PASSWORD, roles: [] })
  switch (event) {
    case 'the user changes the password':
      return change(own, 'POST', '/auth/password', { current: PASSWORD, password: NEXT })
    case 'the password is reset':
      return accounts.setPassword(user, NEXT)
    case 'the user is locked':
      return accounts.setLocked(user, true)
    case 'the user is locked and unlocked':
      return (await accounts.setLocked(user, true)) && accounts.setLocked(user, false)
    case 'the user is deleted and made again':
      return (await accounts.remove(user)) && make()
    case 'an administrator ends all sessions': {
      const [found] = (await accounts.list({ q: user }, {})).items
      return change(await login('root'), 'POST', `/users/${found?.id}/sessions/revoke`)
    }
    case 'the user ends the other sessions':
      return change(own, 'POST', '/auth/sessions/revoke-others')
    case 'the application ends everything':
      return accounts.endEverything(user)
    default:
      return undefined
  }
}

async function enter(user: string, { app, grant, renew, login }: AccountsOnDatabase): Promise<Credentials> {
  await app.userAccounts.create({ identifier: user, password: PASSWORD, roles: [] })
  const first = await grant(user)
  const { access, refresh } = await renew(first.refresh)
  const { token: key } = await app.tokens.apiKeys.create(user, { name: 'ci' })
  return { own: await login(user), other: await login(user), access, older: first.access, refresh, key }
}

async function usable({ own, other, ...given }: Credentials, { app, renew }: AccountsOnDatabase): Promise<boolean[]> {
  const get = async (headers: Record<string, string>) => {
    const { statusCode } = await app.inject({ url: '/in', headers })
    if (statusCode !== 200 && statusCode !== 401) throw new Error(`answered ${statusCode}`)
    return statusCode === 200
  }
  const bearer = (token: string) => get({ authorization: `Bearer ${token}` })
  return [
    await get(own),
    await get(other),
    await bearer(given.access),
    await bearer(given.older),
    (await renew(given.refresh)).status === 200,
    await bearer(given.key)
  ]
}

await onEveryDatabase(t, [], async (t, database) => {
  const world = await accountsOn(t, database)
  const { app, login, advance } = world
  await app.userAccounts.create({ identifier: 'root', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  for (const [event, expected] of Object.entries(TABLE) as [Event, readonly boolean[]][]) {
    const user = `${event.replaceAll(' ', '-')}@shop`
    const held = await enter(user, world)
    await happen(event, user, held, world)
    const found = await usable(held, world)
    const named = (flags: readonly boolean[]) => KINDS.filter((_, index) => flags[index])
    t.same(named(found), named(expected), `X4: ${event}: what lets in afterwards`)
    advance(2000)
    t.same(named(await usable(held, world)), event === 'nothing happens' ? KINDS : named(expected), 'and stays so')
    const { cookie } = await login(user, event.includes('password') ? NEXT : PASSWORD)
    t.equal(cookie !== '', event !== 'the user is locked', 'a new login')
  }
})

t.test('X4: a user sees logins by tokens, and ends one of them', async (t) => {
  await onEveryDatabase(t, [], async (t, database) => {
    const world = await accountsOn(t, database)
    const { app, grant, renew, login, change } = world
    for (const identifier of ['ann', 'bob'])
      await app.userAccounts.create({ identifier, password: PASSWORD, roles: [] })
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    const payload = { username: 'ann', password: PASSWORD, scope: 'orders:read' }
    const asked = await app.inject({ method: 'POST', url: `${API}/token`, headers: firefox, payload })
    const { refresh_token: other } = asked.json<Record<string, string>>()
    const first = await grant('ann')
    const renewed = await renew(first.refresh)
    const bobs = await grant('bob')
    const own = await login('ann')
    const list = async (session = own) => {
      const { grants } = (await app.inject({ url: `${API}/auth/grants`, headers: session })).json()
      return grants as { ref: string; device: string | null; scopes: string[]; renewedAt: number; expiresAt: number }[]
    }
    const found = await list()
    t.equal(found.length, 2, 'one for each login, however often it was renewed')
    t.match(
      found.find(({ device }) => device !== null),
      { device: 'Firefox on Linux', scopes: ['orders:read'] }
    )
    t.notMatch(JSON.stringify(found), /rt_/)
    const mine = found.find(({ device }) => device === null)?.ref ?? ''
    const [{ ref: hers } = { ref: '' }] = await list(await login('bob'))
    t.equal(await change(own, 'POST', `/auth/grants/${hers}/revoke`), 404, 'of somebody else')
    t.equal(await change(own, 'POST', `/auth/grants/${mine}/revoke`), 200)
    t.equal(await change(own, 'POST', `/auth/grants/${mine}/revoke`), 404, 'it is over')
    const bearer = async (token: string) =>
      (await app.inject({ url: '/in', headers: { authorization: `Bearer ${token}` } })).statusCode
    t.same([await bearer(first.access), await bearer(renewed.access)], [401, 401], 'its access tokens end with it')
    t.same([(await renew(renewed.refresh)).status, (await renew(other ?? '')).status], [401, 200])
    t.same([await bearer(bobs.access), (await renew(bobs.refresh)).status], [200, 200])
    t.same((await list()).length, 1)
  })
})
