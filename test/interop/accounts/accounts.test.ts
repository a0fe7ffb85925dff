/** The life of an account on SQLite, PostgreSQL and documents, by the API alone: from its sign-up to its deletion. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import svcAccounts from 'svc-accounts'
import svcDocdb from 'svc-docdb'
import svcMail from 'svc-mail'
import svcSecurity from 'svc-security'
import svcSqlorm from 'svc-sqlorm'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { documentDatabase } from '../../support/document-database.ts'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'

type Register = (fastify: FastifyInstance) => Promise<unknown>

const sql =
  (url: string): Register =>
  (fastify) =>
    fastify.register(svcSqlorm, { connectors: { default: { url } } }) as never

const engines: Readonly<Record<string, (t: Test) => Promise<Register>>> = {
  SQLite: async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-accounts-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    return sql(`sqlite:${folder}/app.db`)
  },
  PostgreSQL: async (t) => {
    const server = await PostgresServer.start(postgresPrograms() ?? '')
    t.teardown(async () => {
      await server.kill()
      server.remove()
    })
    return sql(server.url('postgres'))
  },
  documents: async (t) => {
    const uri = await documentDatabase(t)
    return (fastify) => fastify.register(svcDocdb, { connectors: { svc: { uri } } }) as never
  }
}

const [ADA, NEW, BOB] = ['ada@example.org', 'ada@example.com', 'bob@example.org']
const [PASSWORD, OTHER] = ['correct horse battery', 'staple of another horse']

async function opened(t: Test, register: Register, clock: ManualClock): Promise<FastifyInstance> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  fastify.decorate('appHost', { name: 'shop', root: '.', mode: 'test', checkOnly: false, manualJobs: true } as never)
  await ensureStores(fastify, { clock })
  await register(fastify)
  const passwords = { memoryKib: 7168, passes: 1, parallelism: 1 }
  await fastify.register(svcSecurity, { passwords, parts: { clock } })
  await fastify.register(svcMail, { from: 'Shop <shop@example.org>', outbox: true, parts: { clock } })
  const flows = { signUp: {}, reset: {}, changeAddress: {}, invitations: {}, deletion: {}, export: {} }
  await fastify.register(svcAccounts, { link: 'https://shop.example.org/account', ...flows, parts: { clock } })
  await fastify.ready()
  return fastify
}

/** A browser, and the mailbox of whom it belongs to. */
class Person {
  readonly #fastify: FastifyInstance
  #headers: Record<string, string> = {}

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  async post(path: string, payload: object = {}) {
    const url = path.startsWith('/svc') ? path : `/api/accounts${path}`
    return this.#fastify.inject({ method: 'POST', url, payload, headers: this.#headers })
  }

  async login(username: string, password: string): Promise<number> {
    this.#headers = {}
    const answer = await this.post('/svc/security/api/auth/login', { username, password })
    const [cookie] = answer.cookies
    if (cookie === undefined) return answer.statusCode
    this.#headers = { cookie: `${cookie.name}=${cookie.value}` }
    const me = await this.#fastify.inject({ url: '/svc/security/api/auth/me', headers: this.#headers })
    this.#headers['x-csrf-token'] = me.json<{ csrfToken: string }>().csrfToken
    return answer.statusCode
  }

  /** Of the oldest mail to an address with this in its subject, since the last call. */
  async token(to: string, subject: string): Promise<string> {
    await this.#fastify.jobs.drain()
    const { text } = await this.#fastify.mail.outbox.next({ to, subject })
    return /#([A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? ''
  }
}

/** With the body, which says why a call failed. */
const answered = ({ statusCode, body }: { readonly statusCode: number; readonly body: string }) => ({
  statusCode,
  body
})
const DONE = { statusCode: 200, body: '{"ok":true}' }
const named = (identifier: string) => ({ statusCode: 200, body: JSON.stringify({ identifier }) })
const ACCEPTED = { statusCode: 202, body: '{"ok":true}' }

for (const [name, engine] of Object.entries(engines)) {
  const skip = name === 'PostgreSQL' && postgresPrograms() === null ? 'PostgreSQL is not installed' : false
  t.test(`${name}: the life of an account, over a restart`, { skip }, async (t) => {
    const register = await engine(t)
    const clock = new ManualClock()
    const before = await opened(t, register, clock)
    const first = new Person(before)
    t.strictSame(answered(await first.post('/sign-up', { address: ADA, password: PASSWORD })), ACCEPTED)
    const token = await first.token(ADA, 'Confirm your address')
    await before.close()

    const fastify = await opened(t, register, clock)
    const ada = new Person(fastify)
    const redeemed = [0, 1, 2].map(() => ada.post('/verify', { token, password: PASSWORD }))
    const statuses = (await Promise.all(redeemed)).map(({ statusCode }) => statusCode)
    t.strictSame(statuses.sort(), [200, 400, 400], 'of uses at once, one')
    t.equal(await ada.login(ADA, PASSWORD), 200)

    t.strictSame(answered(await ada.post('/address', { address: NEW })), ACCEPTED)
    const confirm = { token: await ada.token(NEW, 'Confirm your new address') }
    t.strictSame(answered(await ada.post('/address/confirm', confirm)), named(NEW))
    const undo = { token: await ada.token(ADA, 'address of your account changes') }
    t.strictSame(answered(await ada.post('/address/undo', undo)), DONE)
    t.equal(await ada.login(ADA, PASSWORD), 401, 'an account that was taken back has no password')
    const reset = { token: await ada.token(ADA, 'Reset'), password: OTHER }
    t.strictSame(answered(await ada.post('/reset/complete', reset)), DONE)
    t.equal(await ada.login(ADA, OTHER), 200)

    t.strictSame(answered(await ada.post('/export')), ACCEPTED)
    const archive = { token: await ada.token(ADA, 'downloaded') }
    t.match((await ada.post('/export/download', archive)).json(), { account: { identifier: ADA } })

    await fastify.accounts.invite({ address: BOB, roles: ['ROLE_BUYER'] })
    const bob = new Person(fastify)
    const invitation = { token: await bob.token(BOB, 'invited'), password: PASSWORD }
    t.strictSame(answered(await bob.post('/invitations/accept', invitation)), named(BOB))

    t.match(answered(await ada.post('/deletion')), { statusCode: 202 })
    clock.advance(14 * 86_400_000)
    await fastify.jobs.schedules.runNow('svc.accounts.sweep')
    await fastify.jobs.drain()
    t.strictSame(
      (await fastify.userAccounts.list({}, {})).items.map(({ identifier }) => identifier),
      [BOB]
    )
    t.equal(await ada.login(ADA, OTHER), 401)
  })
}
