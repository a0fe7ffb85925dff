/** Area `apikey`: keys of machines, from their form to their revocation. */
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { securityCase } from './security-case.ts'
import { SCOPE, type TokenApp, tokenApp, undated } from './token-app.ts'

const DAY_MS = 86_400_000

/** Refused by its form alone: nobody is asked about it. */
async function unasked(t: Test, forms: (key: string) => string[], target = '/key/who'): Promise<void> {
  const app = await tokenApp(t)
  const { token: key } = await app.makeKey()
  for (const name of Object.keys(app.calls)) delete app.calls[name]
  for (const form of forms(key)) {
    const answer = await app.present(form, target)
    t.equal(answer.status, 401, form)
  }
  t.strictSame(app.calls, {})
  t.equal(app.book.lookups, 0)
  t.equal((await app.present(key)).status, 401, 'and in a zone without keys nobody takes it')
  t.equal((await app.present(key, '/key/who')).status, 200, 'the key itself is good')
}

/** The text with each character from `from` to `to` replaced in turn. */
function changedAt(text: string, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset
    return `${text.slice(0, index)}${text[index] === 'a' ? 'b' : 'a'}${text.slice(index + 1)}`
  })
}

securityCase('KEY-02', (t) => unasked(t, (key) => changedAt(key, 'svc_'.length, key.length - 6)))

securityCase('KEY-03', (t) => unasked(t, (key) => changedAt(key, key.length - 6, key.length)))

securityCase('KEY-04', (t) =>
  unasked(t, (key) => [
    key.slice(0, -1),
    `${key}a`,
    key.replace('_', '_a'),
    `svc_${key.slice(5)}`,
    'svc_',
    `${key}${key}`
  ])
)

securityCase('KEY-06', async (t) => {
  await unasked(t, () => ['svc_a.b.c', 'svc_.b.c', 'svc_a.b', `svc_${'0'.repeat(30)}.${'0'.repeat(5)}`])
  const app = await tokenApp(t)
  t.equal((await app.present('svc_a.b.c', '/key/who')).status, 401)
  t.notMatch(app.records.at(-1), { metadata: { authenticator: 'apikey' } }, 'nobody claimed it')
  t.equal((await app.present('svc_a.b.c', '/both/who')).status, 401)
  t.match(app.records.at(-1), { reason: 'signature_form', metadata: { authenticator: 'jwt' } })
})

securityCase('KEY-07', async (t) => {
  await unasked(t, (key) => ['SVC', 'Svc', 'svC', ' svc', 'svc2', 'sv'].map((prefix) => key.replace('svc', prefix)))
  const app = await tokenApp(t, { apiKeys: { prefix: 'acme' } })
  const { token } = await app.makeKey()
  t.match(token, /^acme_/)
  t.equal((await app.present(token, '/key/who')).status, 200)
  t.equal(
    (await app.present(token.replace('acme', 'svc'), '/key/who')).status,
    401,
    'the default is not taken beside it'
  )
})

securityCase('KEY-11', async (t) => {
  const app = await tokenApp(t)
  const { token, view } = await app.makeKey()
  const foreign = (await (await tokenApp(t)).makeKey()).token
  await app.fastify.tokens.apiKeys.revoke(view.id)
  const [revoked, unknown] = [await app.present(token, '/key/who'), await app.present(foreign, '/key/who')]
  t.equal(revoked.status, 401)
  t.equal(undated(revoked), undated(unknown))
  t.match(app.records.slice(-2), [{ reason: 'revoked' }, { reason: 'unknown' }])
})

securityCase('KEY-12', async (t) => {
  const app = await tokenApp(t)
  const { token: short } = await app.makeKey({ expiresInDays: 1 })
  const { token: endless } = await app.makeKey({ expiresInDays: null })
  const status = async (key: string) => (await app.present(key, '/key/who')).status
  app.clock.advance(DAY_MS - 1)
  t.equal(await status(short), 200, 'a millisecond before')
  app.clock.advance(1)
  t.equal(await status(short), 401, 'expiresAt equal to now')
  app.clock.advance(1)
  t.equal(await status(short), 401, 'expiresAt passed')
  app.clock.advance(3650 * DAY_MS)
  t.equal(await status(endless), 200, 'expiresAt null')
})

securityCase('KEY-13', async (t) => {
  const app = await tokenApp(t)
  const { token, view } = await app.makeKey()
  for (const [title, offset, status] of [
    ['earlier', -1, 200],
    ['equal', 0, 200],
    ['later', 1, 401]
  ] as const) {
    await app.memory.invalidateBefore('alice', view.createdAt + offset)
    t.equal((await app.present(token, '/key/who')).status, status, title)
  }
  t.match(app.records.at(-1), { reason: 'invalid_before' })
})

/** All that was begun without being waited for has had its turn. */
const settled = (): Promise<void> => new Promise((resume) => setImmediate(resume))

securityCase('KEY-17', async (t) => {
  const app = await tokenApp(t, { apiKeys: { lastUsedThrottleS: 60 } })
  const { token, view } = await app.makeKey()
  const first = app.clock.now()
  const requests = async (count: number) => {
    await Promise.all(Array.from({ length: count }, () => app.present(token, '/key/who')))
    await settled()
  }
  await requests(50)
  app.clock.advance(59_999)
  await requests(50)
  t.equal(app.calls.markUsed, 1)
  t.equal((await app.memory.find(view.id))?.lastUsedAt, first)
  app.clock.advance(1)
  await requests(10)
  t.equal(app.calls.markUsed, 2)
})

securityCase('KEY-18', async (t) => {
  for (const fault of [() => Promise.reject(new Error('disconnected')), () => new Promise<never>(() => undefined)]) {
    const app = await tokenApp(t, { apiKeys: { lastUsedThrottleS: 0 } })
    const { token } = await app.makeKey()
    app.memory.markUsed = fault
    for (let time = 0; time < 5; time += 1) t.equal((await app.present(token, '/key/who')).status, 200)
    await settled()
    t.equal(app.calls.markUsed, 5)
    const told = app.lines.filter(({ level }) => level >= 50)
    t.ok(told.length <= 1, 'told once')
    t.notMatch(JSON.stringify(told), new RegExp(token))
  }
})

securityCase('KEY-20', async (t) => {
  let arrived: () => void = () => undefined
  let finish: () => void = () => undefined
  const inside = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const gate = new Promise<void>((resolve) => {
    finish = resolve
  })
  const slow = Object.assign(
    async (fastify: FastifyInstance) => {
      fastify.get('/key/slow', async ({ user }) => {
        arrived()
        await gate
        return { who: user?.identifier }
      })
    },
    { [Symbol.for('skip-override')]: true }
  )
  const app = await tokenApp(t, { modules: [slow] })
  const { token, view } = await app.makeKey()
  const flying = app.present(token, '/key/slow')
  await inside
  await app.fastify.tokens.apiKeys.revoke(view.id)
  t.equal((await app.present(token, '/key/who')).status, 401, 'the next one is refused at once')
  finish()
  const answer = await flying
  t.equal(answer.status, 200)
  t.match(JSON.parse(answer.body), { who: 'alice' })
})

securityCase('KEY-23', async (t) => {
  const app = await tokenApp(t)
  const statuses = async ({ present }: TokenApp, key: string) => [
    (await present(key, '/key/admin')).status,
    (await present(key, '/key/orders')).status
  ]
  const { token: bare } = await app.makeKey({ scopes: [] })
  const { token: scoped } = await app.makeKey({ scopes: [SCOPE] })
  const { token: posing } = await app.makeKey({ scopes: ['ROLE_ADMIN', '*', '*:*'] })
  t.strictSame(await statuses(app, bare), [403, 403])
  t.strictSame(await statuses(app, scoped), [403, 200])
  t.strictSame(await statuses(app, posing), [403, 403])
  app.alice.roles = ['ROLE_ADMIN']
  t.strictSame(await statuses(app, bare), [200, 403], 'roles are those of the user, and open no scope')
  t.strictSame(await statuses(app, scoped), [200, 200])
})
