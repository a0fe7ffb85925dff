/** What the boot says of flows that cannot run, and what a flow does that is off. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcMail from 'svc-mail'
import svcSecurity from 'svc-security'
import t from 'tap'
import svcAccounts from '../src/index.ts'
import { AccountsApp, ADA, CHEAP, LINK, PASSWORD } from './support/accounts-app.ts'

const areas = { api: { pattern: '^/api', authenticators: ['session', 'anonymous'] } }
const security = (fastify: FastifyInstance, options = {}) =>
  fastify.register(svcSecurity, { areas, passwords: CHEAP, ...options })
const mail = (fastify: FastifyInstance) => fastify.register(svcMail, { from: ADA, outbox: true })

t.test('alone, with every flow off, it starts and says which section is missing', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcAccounts)
  await fastify.ready()
  const { accounts } = fastify
  const owner = { id: '1', identifier: ADA }
  const redemption = { token: 'x', password: PASSWORD }
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    signUp: () => accounts.signUp({ address: ADA, password: PASSWORD }),
    reset: () => accounts.reset(redemption),
    changeAddress: () => accounts.undoAddress('x'),
    invitations: () => accounts.invite({ address: ADA, roles: [] }),
    deletion: () => accounts.cancelDeletion(owner),
    export: () => accounts.requestExport(ADA)
  }
  for (const [flow, call] of Object.entries(calls)) {
    await t.rejects(call, { code: 'SVC_ACCOUNTS_OFF', message: new RegExp(`\\b${flow}: `) })
  }
  t.strictSame(await accounts.state(owner), { verified: false, deleteAt: null })
  t.equal((await fastify.inject({ method: 'POST', url: '/api/accounts/reset', payload: {} })).statusCode, 404)
})

const BOOTS: Readonly<
  Record<string, { before: (fastify: FastifyInstance) => Promise<unknown>; options: object; codes: string[] }>
> = {
  'without the plugins that it needs': {
    before: async () => undefined,
    options: { link: LINK, reset: {} },
    codes: ['SVC_ACCOUNTS_NEEDS', 'SVC_ACCOUNTS_NEEDS']
  },
  'without a link, and in a language without texts': {
    before: async (fastify) => {
      await security(fastify)
      await mail(fastify)
    },
    options: { locale: 'fr', reset: {} },
    codes: ['SVC_ACCOUNTS_LINK', 'SVC_ACCOUNTS_LOCALE']
  },
  'with users of the application, and a link that is none': {
    before: async (fastify) => {
      await security(fastify, { parts: { users: { findByIdentifier: () => null } } })
      await mail(fastify)
    },
    options: { link: 'javascript:alert(1)', reset: {} },
    codes: ['SVC_ACCOUNTS_USERS', 'SVC_ACCOUNTS_LINK']
  },
  'with a store that no driver keeps': {
    before: async (fastify) => {
      fastify.decorate('appHost', { name: 'shop', root: '.', mode: 'development', checkOnly: false } as never)
      await security(fastify)
      await mail(fastify)
    },
    options: { link: LINK, store: 'docdb', reset: {} },
    codes: ['SVC_ACCOUNTS_NO_STORE']
  },
  'with a rate that is none': {
    before: async (fastify) => {
      await security(fastify)
      await mail(fastify)
    },
    options: { link: LINK, limits: { perAddress: 'often' }, reset: {} },
    codes: ['SVC_LIMIT_RATE']
  }
}

for (const [name, { before, options, codes }] of Object.entries(BOOTS)) {
  t.test(`it does not start ${name}`, async (t) => {
    const fastify = Fastify()
    await before(fastify)
    const problems = codes.map((code) => ({ code }))
    const boot = async () => fastify.register(svcAccounts, options as never)
    const refused = { code: codes[0] ?? '', problems }
    await t.rejects(boot, refused)
    await fastify.close().catch(() => undefined)
  })
}

t.test('a flow that is off has no route', async (t) => {
  const app = await AccountsApp.start(t, { options: { reset: {} } })
  const statuses: number[] = []
  for (const path of ['/sign-up', '/verify', '/address/undo', '/invitations/accept', '/deletion/cancel-by-link']) {
    statuses.push((await app.post(path, {})).statusCode)
  }
  t.strictSame([...new Set(statuses)], [404])
  t.equal((await app.post('/reset', { address: ADA })).statusCode, 202)
})
