/**
 * The database of every store goes away and comes back: what cannot be asked is never absent. Whatever proof a caller
 * brings, the answer is 503 meanwhile; the log says once that it began and once that it ended.
 */
import { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcAudit from 'svc-audit'
import svcDocdb from 'svc-docdb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import type { ModuleEntry } from 'svc-host'
import { hashPassword } from 'svc-security'
import { userStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { API, Browser, CHEAP, KEY_SET, PASSWORD } from '../support/account-app.ts'
import { json } from '../support/audited-app.ts'
import { ERROR, INFO } from '../support/log-lines.ts'
import { rawExchange, rawRequest, rawUpgrade } from '../support/raw-http.ts'
import { type StartedApp, startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

interface Database {
  readonly store: 'sqlorm' | 'docdb'
  readonly module: ModuleEntry
  leave(): Promise<unknown> | unknown
  comeBack(): Promise<unknown> | unknown
  /** Whether the outage begins before the application does. */
  readonly leavesAtBoot: boolean
}

const ZONES = {
  in: { pattern: '^/in', authenticators: ['session', 'anonymous'] },
  api: { pattern: '^/api', authenticators: ['jwt', 'apikey', 'anonymous'] },
  basic: { pattern: '^/basic', authenticators: ['userpassword', 'anonymous'] },
  own: { pattern: '^/own', authenticators: ['own', 'anonymous'] },
  open: { pattern: '^/open', authenticators: ['anonymous'] }
}

const routes = fp(async (fastify: FastifyInstance) => {
  for (const zone of Object.keys(ZONES)) fastify.get(`/${zone}/who`, async ({ user }) => ({ who: user?.identifier }))
})

function start(t: Test, { store, module }: Database): Promise<StartedApp> {
  let stores: FastifyInstance['stores'] | null = null
  const own = {
    carrier: 'header' as const,
    supports: ({ headers }: { headers: Record<string, unknown> }) => headers['x-user'] !== undefined,
    createToken: ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-user']),
    authenticate: async (identifier: string) => {
      const user = await stores?.select(userStore, store).store?.findByIdentifier(identifier)
      if (!user) throw new Error('nobody')
      return { type: 'own', user }
    }
  }
  const finder = fp(async (fastify: FastifyInstance) => {
    stores = fastify.stores
  })
  return startApp(t, {
    mode: 'test',
    before: [module, finder, [svcAudit, { store }]],
    security: {
      areas: ZONES,
      passwords: CHEAP,
      session: { store, idleTimeoutS: 0 },
      users: { store },
      jwt: KEY_SET,
      tokenStore: { store },
      parts: { authenticators: { own } }
    },
    modules: [routes]
  })
}

/** What each kind of proof looks like on the wire. */
async function proofs(started: StartedApp, store: Database['store']): Promise<Record<string, string[]>> {
  const password = await hashPassword(PASSWORD, { ...CHEAP, parallelism: 1 })
  const users = started.fastify.stores.select(userStore, store).store
  await users?.create({ identifier: 'alice', password, roles: ['ROLE_USER'] })
  const person = new Browser(started.port)
  await person.login()
  const { access_token: bearer } = json(await person.post(`${API}/token`, { username: 'alice', password: PASSWORD }))
  const { token: key } = json(await person.post(`${API}/keys`, { name: 'robot' }, await person.csrf()))
  const cookie = { cookie: person.cookie }
  const basic = `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}`
  const origin = { origin: `http://127.0.0.1:${started.port}`, host: `127.0.0.1:${started.port}` }
  const who = (zone: string, headers: Record<string, string>) => [rawRequest('GET', `/${zone}/who`, headers)]
  return {
    'a session': who('in', cookie),
    'a session, as an upgrade': [rawUpgrade('/in/who', { ...cookie, ...origin })],
    'a signed token': who('api', { authorization: `Bearer ${String(bearer)}` }),
    'an API key': who('api', { authorization: `Bearer ${String(key)}` }),
    'a password': who('basic', { authorization: basic }),
    'an authenticator of the application': who('own', { 'x-user': 'alice' })
  }
}

async function outage(t: Test, database: Database): Promise<void> {
  let app = await start(t, database)
  const carried = await proofs(app, database.store)
  const ask = (segments: string[]) => rawExchange(app.port, ...segments)
  for (const [proof, segments] of Object.entries(carried)) {
    if (!proof.includes('upgrade')) t.match(await ask(segments), { status: 200, body: /alice/ }, proof)
  }
  if (database.leavesAtBoot) {
    await app.fastify.close()
    await database.leave()
    app = await start(t, database)
  } else await database.leave()

  for (let time = 0; time < 5; time += 1) {
    const asked = Object.entries(carried).map(async ([proof, segments]) => ({ proof, ...(await ask(segments)) }))
    for (const { proof, status, body } of await Promise.all(asked)) t.equal(status, 503, `${proof}: ${body}`)
  }
  t.match(await ask([rawRequest('GET', '/open/who')]), { status: 200, body: /anonymous/ }, 'a public route answers')
  t.match(await ask([rawRequest('GET', '/in/who')]), { status: 200, body: /anonymous/ }, 'so does who brings no proof')
  const unavailable = { code: 'SVC_ORM_UNAVAILABLE' }
  await t.rejects(app.fastify.sessions.list({}, {}), unavailable, 'nor does an administrator read "no sessions"')
  await t.rejects(app.fastify.sessions.revoke('none'), unavailable)
  const begun = app.lines.filter(({ level }) => level >= ERROR)
  t.equal(begun.length, 1, `one line says that it began: ${JSON.stringify(begun)}`)
  t.match(begun[0], { code: /UNREACHABLE|LOST/ })

  await database.comeBack()
  await until(async () => (await ask(carried['a session'] ?? [])).status === 200, 'it answers again')
  for (const [proof, segments] of Object.entries(carried)) {
    if (!proof.includes('upgrade')) t.match(await ask(segments), { status: 200, body: /alice/ }, `${proof}, afterwards`)
  }
  const ended = app.lines.filter(({ level, msg }) => level === INFO && /is connected|is back/.test(msg))
  t.equal(ended.length, database.leavesAtBoot ? 1 : 2, 'one line says that it ended, beside that of the boot')
}

t.test('R1: documents', { timeout: 120_000 }, async (t) => {
  const file = `${t.testdir({})}/records.db`
  let engine = await startDocumentEngine({ file })
  t.teardown(() => engine.close())
  const { port } = engine
  const uri = `mongodb://127.0.0.1:${port}/shop?replicaSet=rs0&heartbeatFrequencyMS=500`
  await outage(t, {
    store: 'docdb',
    module: [svcDocdb, { connectors: { svc: { uri, selectionTimeoutMs: 300 } } }],
    leavesAtBoot: false,
    leave: () => engine.close(),
    comeBack: async () => {
      engine = await startDocumentEngine({ file, port })
    }
  })
})

t.test('R1: SQLite, whose file another process holds', { timeout: 120_000 }, async (t) => {
  const path = `${t.testdir({})}/shop.db`
  let other: DatabaseSync | null = null
  t.teardown(() => other?.close())
  await outage(t, {
    store: 'sqlorm',
    module: [svcSqlorm, { connectors: { default: { url: `sqlite:${path}`, waitMs: 20 } } }],
    leavesAtBoot: true,
    leave: () => {
      other = new DatabaseSync(path)
      other.exec('pragma locking_mode = exclusive; begin exclusive')
    },
    comeBack: () => {
      other?.exec('commit')
      other?.close()
      other = null
    }
  })
})
