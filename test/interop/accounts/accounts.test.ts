/** The life of an account on SQLite, PostgreSQL and documents, by the API alone: from its sign-up to its deletion. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcAccounts from 'svc-accounts'
import svcMail from 'svc-mail'
import svcSecurity from 'svc-security'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { onEveryEngine, type Register } from '../../support/engines.ts'

const [ADA, NEW] = ['ada@example.org', 'ada@example.com']
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

  /** Of the oldest mail to an address, since the last call. */
  async token(to: string): Promise<string> {
    await this.#fastify.jobs.drain()
    const mail = await this.#fastify.mail.outbox.next({ to })
    return /#([A-Za-z0-9_-]{43})/.exec(mail.text)?.[1] ?? ''
  }
}

t.test('the life of an account, over a restart', (t) =>
  onEveryEngine(t, async (t, register) => {
    const clock = new ManualClock()
    const before = await opened(t, register, clock)
    const first = new Person(before)
    await first.post('/sign-up', { address: ADA, password: PASSWORD })
    const token = await first.token(ADA)
    await before.close()

    const fastify = await opened(t, register, clock)
    const ada = new Person(fastify)
    const redeemed = [0, 1, 2].map(() => ada.post('/verify', { token, password: PASSWORD }))
    const statuses = (await Promise.all(redeemed)).map(({ statusCode }) => statusCode)
    t.strictSame(statuses.sort(), [200, 400, 400], 'of uses at once, one')
    t.equal(await ada.login(ADA, PASSWORD), 200)

    await ada.post('/address', { address: NEW })
    t.strictSame((await ada.post('/address/confirm', { token: await ada.token(NEW) })).json(), { identifier: NEW })
    const undo = await ada.token(ADA)
    t.equal((await ada.post('/address/undo', { token: undo })).statusCode, 200)
    await fastify.jobs.drain()
    const reset = (await fastify.mail.outbox.next({ to: ADA, subject: 'Reset' })).text
    const [, chosen = ''] = /#([A-Za-z0-9_-]{43})/.exec(reset) ?? []
    t.equal((await ada.post('/reset/complete', { token: chosen, password: OTHER })).statusCode, 200)
    t.equal(await ada.login(ADA, OTHER), 200)

    await ada.post('/export')
    await fastify.jobs.drain()
    const ready = (await fastify.mail.outbox.next({ to: ADA, subject: 'downloaded' })).text
    const [, archive = ''] = /#([A-Za-z0-9_-]{43})/.exec(ready) ?? []
    t.match((await ada.post('/export/download', { token: archive })).json(), { account: { identifier: ADA } })

    await fastify.accounts.invite({ address: 'bob@example.org', roles: ['ROLE_BUYER'] })
    const bob = new Person(fastify)
    const invitation = { token: await bob.token('bob@example.org'), password: PASSWORD }
    t.strictSame((await bob.post('/invitations/accept', invitation)).json(), { identifier: 'bob@example.org' })

    t.equal((await ada.post('/deletion')).statusCode, 202)
    clock.advance(14 * 86_400_000)
    await fastify.jobs.schedules.runNow('svc.accounts.sweep')
    await fastify.jobs.drain()
    t.strictSame(
      (await fastify.userAccounts.list({}, {})).items.map(({ identifier }) => identifier),
      ['bob@example.org']
    )
    t.equal(await ada.login(ADA, OTHER), 401)
  })
)
