/**
 * Callers who were just let in, on every database: whatever ends their proof, or their right to act, refuses the very
 * next request. And what such a request asks of SQL: one statement for a session or an API key with its user.
 */
import { tmpdir } from 'node:os'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { systemClock } from 'svc-kernel'
import svcSecurity from 'svc-security'
import { type UserStore, userStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { API, CHEAP, KEY_SET, PASSWORD } from '../support/account-app.ts'
import { onEveryDatabase } from '../support/entity-databases.ts'
import { logLines } from '../support/log-lines.ts'

type Database = Parameters<Parameters<typeof onEveryDatabase>[2]>[1]

const ZONES = { session: 'session', key: 'apikey', jwt: 'jwt' } as const

type Proof = keyof typeof ZONES

const PROOFS = Object.keys(ZONES) as Proof[]

/** What a user presents, by zone, and the names under which it can be ended. */
interface Caller {
  readonly identifier: string
  readonly headers: Readonly<Record<Proof, Readonly<Record<string, string>>>>
  readonly keyId: string
  readonly jwt: string
  readonly sessionRef: string
}

async function open(t: Test, database: Database) {
  const { lines, logger } = logLines('debug')
  const app = Fastify({ logger })
  t.teardown(() => app.close())
  const importModule = async () => ({})
  app.decorate('appHost', { name: 'known', root: tmpdir(), mode: 'test', checkOnly: false, importModule })
  let shift = 0
  const clock = { ...systemClock, now: () => systemClock.now() + shift }
  for (const entry of database) {
    const [plugin, options] = (Array.isArray(entry) ? entry : [entry, {}]) as [FastifyPluginAsync<object>, object]
    await app.register(plugin, plugin === svcSqlorm ? { ...options, debug: true } : options)
  }
  const areas = Object.entries(ZONES).map(([path, name]) => [path, { pattern: `^/${path}`, authenticators: [name] }])
  await app.register(svcSecurity, {
    areas: Object.fromEntries(areas) as never,
    passwords: CHEAP,
    jwt: { ...KEY_SET, accessTtlS: 300 },
    session: { idleTimeoutS: 300 },
    parts: { clock }
  })
  const { store } = app.stores.select(userStore, 'auto')
  for (const path of PROOFS) app.get(`/${path}`, ({ user }) => user)
  await app.ready()
  const advance = (ms: number) => {
    shift += ms
  }
  return { app, users: store as UserStore, lines, advance }
}

async function enter(app: FastifyInstance, identifier: string): Promise<Caller> {
  await app.userAccounts.create({ identifier, password: PASSWORD, roles: ['ROLE_USER'] })
  const payload = { username: identifier, password: PASSWORD }
  const login = await app.inject({ method: 'POST', url: `${API}/auth/login`, payload })
  const [cookie = ''] = String(login.headers['set-cookie']).split(';')
  const { accessToken: jwt } = await app.tokens.issue({ identifier })
  const { view, token } = await app.tokens.apiKeys.create(identifier, { name: 'test', expiresInDays: 1 })
  const [session] = (await app.sessions.list({ user: identifier }, {})).items
  return {
    identifier,
    headers: {
      session: { cookie },
      key: { authorization: `Bearer ${token}` },
      jwt: { authorization: `Bearer ${jwt}` }
    },
    keyId: view.id,
    jwt,
    sessionRef: session?.id ?? ''
  }
}

type World = Awaited<ReturnType<typeof open>>

const change =
  (patch: Parameters<UserStore['update']>[1]) =>
  async ({ users }: World, { identifier }: Caller) => {
    const user = await users.findByIdentifier(identifier)
    await users.update(user?.id ?? '', patch)
  }

const ends: Readonly<Record<string, (world: World, caller: Caller) => Promise<unknown>>> = {
  'the user is locked': change({ locked: true }),
  'the user is switched off': change({ enabled: false }),
  'the user has another name': change({ identifier: 'somebody else' }),
  'the user is deleted': async ({ users }, { identifier }) => {
    const user = await users.findByIdentifier(identifier)
    await users.delete(user?.id ?? '')
  },
  'each proof is revoked': async ({ app }, { keyId, jwt, sessionRef }) => {
    await app.tokens.apiKeys.revoke(keyId)
    await app.tokens.revoke(jwt)
    await app.sessions.revoke(sessionRef)
  },
  'all of the user is ended, as after a new password': async ({ app, advance }, { identifier }) => {
    advance(1000)
    await app.tokens.revokeSubject(identifier)
    await app.sessions.revokeUser(identifier)
  },
  // Last: time does not go back.
  'each proof is past its time': async ({ advance }) => advance(86_400_001)
}

await onEveryDatabase(t, [], async (t, database) => {
  const world = await open(t, database)
  const { app, lines } = world
  const get = async (caller: Caller, proof: Proof) =>
    (await app.inject({ url: `/${proof}`, headers: caller.headers[proof] })).statusCode

  const known = await enter(app, 'known')
  for (const proof of PROOFS) t.equal(await get(known, proof), 200)
  if (lines.some(({ msg }) => msg.startsWith('select '))) {
    const expected = { session: 1, key: 1, jwt: 3 }
    for (const proof of PROOFS) {
      const from = lines.length
      t.equal(await get(known, proof), 200)
      const reads = lines.slice(from).filter(({ msg }) => msg.startsWith('select '))
      t.equal(reads.length, expected[proof], `statements of a known ${proof}`)
    }
  }
  for (const [index, [what, end]] of Object.entries(ends).entries()) {
    const caller = await enter(app, `caller ${index}`)
    for (const proof of PROOFS) {
      t.equal(await get(caller, proof), 200)
      t.equal(await get(caller, proof), 200, 'served from whatever is remembered')
    }
    await end(world, caller)
    for (const proof of PROOFS) t.equal(await get(caller, proof), 401, `${what}: ${proof}`)
  }
})
