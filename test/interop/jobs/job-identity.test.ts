/**
 * Who a job runs as: the caller who added it, with no more than the caller might then and may now. Whatever ends the
 * caller's right to act parks the job, and a retry runs it once that is mended.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcDecorators, {
  Cron,
  Ctx,
  controller,
  IsGranted,
  Job,
  type JobContext,
  Post,
  RequireScope
} from 'svc-decorators'
import svcJobs from 'svc-jobs'
import type { AuditEvent } from 'svc-kernel'
import svcSecurity from 'svc-security'
import t, { type Test } from 'tap'
import { AccountBook, CHEAP, KEY_SET, PASSWORD } from '../../support/account-app.ts'
import { bearer, PlainCredential } from '../../support/plain-credential.ts'
import { until } from '../../support/until.ts'

const seen: { user: string; roles: readonly string[]; type: string; scopes: readonly string[] | undefined }[] = []

function note({ request, job }: JobContext): void {
  const { token } = request
  if (token === null) throw new Error('nobody')
  request.log.info({ seen: job.id }, 'the method ran')
  seen.push({ user: token.user.identifier, roles: token.user.roles, type: token.type, scopes: token.scopes })
}

@controller('/in')
class Notes {
  readonly #app: FastifyInstance

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  @Post('/add/:job')
  add(@Ctx() { request }: JobContext): unknown {
    return this.#app.jobs.add((request.params as { job: string }).job)
  }

  @Job('user', { retries: 1 })
  @IsGranted('ROLE_USER')
  user(@Ctx() context: JobContext): void {
    note(context)
  }

  @Job('admin')
  @IsGranted('ROLE_ADMIN')
  admin(@Ctx() context: JobContext): void {
    note(context)
  }

  @Job('scoped')
  @RequireScope('notes:write')
  scoped(@Ctx() context: JobContext): void {
    note(context)
  }

  @Job('outer')
  @IsGranted('ROLE_USER')
  async outer(): Promise<void> {
    await this.#app.jobs.add('user')
  }

  @Cron('0 0 1 1 *', { zone: 'UTC', as: 'alice', name: 'yearly' })
  @Job('bot')
  @IsGranted('ROLE_USER')
  bot(@Ctx() context: JobContext): void {
    note(context)
  }
}

@controller('/other')
class Others {
  @Job('other')
  other(@Ctx() context: JobContext): void {
    note(context)
  }
}

@controller('/wide')
class Wide {
  @Job('wide')
  wide(@Ctx() context: JobContext): void {
    note(context)
  }
}

async function opened(t: Test) {
  seen.length = 0
  const book = new AccountBook()
  const alice = await book.add('alice')
  const lines: Record<string, unknown>[] = []
  let requests = 0
  const fastify = Fastify({
    genReqId: () => `req-${++requests}`,
    logger: { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } }
  })
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit)
  await fastify.register(svcSecurity, {
    areas: {
      in: { pattern: '^/in', authenticators: ['person', 'userpassword', 'jwt', 'apikey'] },
      other: { pattern: '^/other', authenticators: ['apikey'] },
      wide: { pattern: '^/wide', authenticators: ['person', 'userpassword', 'jwt', 'apikey'] }
    },
    roleHierarchy: { ROLE_ADMIN: ['ROLE_USER'] },
    passwords: CHEAP,
    jwt: { ...KEY_SET, accessTtlS: 60 },
    parts: {
      users: book,
      authenticators: { person: new PlainCredential('person', ({ 'x-person': name }) => name as string | undefined) }
    }
  })
  await fastify.register(svcJobs)
  await fastify.register(svcDecorators, { controllers: [Notes, Others, Wide] })
  const jobs: string[] = []
  fastify.get('/in/hold', async () => undefined)
  await fastify.ready()
  const events: AuditEvent[] = []
  fastify.audit.subscribe((event) => void events.push(event))
  const basic = { authorization: `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}` }
  const add = async (job: string, headers: Record<string, string> = basic) => {
    const { statusCode, body } = await fastify.inject({ method: 'POST', url: `/in/add/${job}`, headers })
    if (statusCode !== 200) throw new Error(`${statusCode} ${body}`)
    return (JSON.parse(body) as { id: string }).id
  }
  const ended = (id: string) =>
    until(async () => {
      const job = await fastify.jobs.get(id)
      return job.endedAt !== null && job
    }, 'the end of the job')
  return { fastify, book, alice, lines, events, basic, add, ended, jobs }
}

/** Adds a job and changes something before it runs. */
async function meanwhile(
  world: Awaited<ReturnType<typeof opened>>,
  job: string,
  change: () => unknown,
  headers = world.basic
) {
  const { fastify } = world
  // The worker takes it in a later turn, as its record is read first.
  const original = fastify.jobOperations.carry.bind(fastify.jobOperations)
  fastify.jobOperations.carry = (request) => {
    const carried = original(request)
    change()
    return carried
  }
  const id = await world.add(job, headers)
  fastify.jobOperations.carry = original
  return world.ended(id)
}

t.test('a job runs as its caller', async (t) => {
  const { fastify, add, ended } = await opened(t)
  t.match(await ended(await add('user')), { state: 'done', cause: { user: 'alice', token: 'userpassword' } })
  const { accessToken } = await fastify.tokens.issue({ identifier: 'alice' }, { scopes: ['notes:write'] })
  t.match(await ended(await add('scoped', bearer(accessToken))), { state: 'done' })
  const { token } = await fastify.tokens.apiKeys.create('alice', {
    name: 'k',
    expiresInDays: 1,
    scopes: ['notes:read']
  })
  t.match(await ended(await add('user', bearer(token))), { state: 'done' })
  t.match(await ended(await add('scoped', bearer(token))), { state: 'parked', reason: /it may not run/ })
  t.match(seen, [
    { user: 'alice', roles: ['ROLE_USER'], type: 'userpassword' },
    { user: 'alice', roles: ['ROLE_USER'], type: 'jwt', scopes: ['notes:write'] },
    { user: 'alice', roles: ['ROLE_USER'], type: 'apikey', scopes: ['notes:read'] }
  ])
  t.equal(seen.length, 3)
})

t.test('no credential is stored, and nobody is shown what goes along', async (t) => {
  const { fastify, add, ended } = await opened(t)
  const { token } = await fastify.tokens.apiKeys.create('alice', { name: 'k', expiresInDays: 1 })
  const id = await add('user', bearer(token))
  const { cause } = await ended(id)
  t.strictSame(Object.keys(cause ?? {}).sort(), ['job', 'requestId', 'token', 'user'])
  const { items } = await fastify.jobs.list()
  t.strictSame(items[0]?.cause, cause)
  const { store } = fastify.stores.select((await import('svc-jobs/stores')).jobStore, 'auto')
  const stored = JSON.stringify(await store?.load([id]))
  t.notOk(stored.includes(token) || stored.includes(PASSWORD))
})

t.test('whatever ends the right to act parks the job, and a retry runs it once that is mended', async (t) => {
  const world = await opened(t)
  const { fastify, book, alice, ended } = world
  const cases: readonly [string, string, () => unknown, () => unknown, RegExp][] = [
    ['user', 'locked', () => (alice.locked = true), () => (alice.locked = false), /the user alice is locked/],
    ['user', 'off', () => (alice.enabled = false), () => (alice.enabled = true), /the user alice is disabled/],
    ['user', 'gone', () => book.accounts.delete('alice'), () => book.accounts.set('alice', alice), /no user alice/],
    ['user', 'a role less', () => (alice.roles = []), () => (alice.roles = ['ROLE_USER']), /access denied/i]
  ]
  for (const [job, name, change, mend, reason] of cases) {
    const parked = await meanwhile(world, job, change)
    t.match(parked, { state: 'parked', reason }, name)
    await fastify.jobs.retry(parked.id)
    t.match(await ended(parked.id), { state: 'parked' }, `${name}, still`)
    mend()
    await fastify.jobs.retry(parked.id)
    t.match(await ended(parked.id), { state: 'done' }, `${name}, mended`)
  }
  t.equal(seen.length, cases.length)
})

t.test('roles that the caller was given since are none of the job, and those that stay are', async (t) => {
  const world = await opened(t)
  const { alice } = world
  t.match(await meanwhile(world, 'admin', () => (alice.roles = ['ROLE_ADMIN'])), { state: 'parked' })
  t.match(await meanwhile(world, 'user', () => (alice.roles = ['ROLE_USER'])), { state: 'done' })
  t.strictSame(seen[0]?.roles, ['ROLE_USER'], 'an administrator then, a user now')
  const narrow = { 'x-person': 'alice/ROLE_USER' } as never
  alice.roles = ['ROLE_ADMIN']
  t.match(
    await world.ended(await world.add('admin', narrow)),
    { state: 'parked' },
    'the token was narrower than the user'
  )
  t.match(await world.ended(await world.add('user', narrow)), { state: 'done' })
  const invented = { 'x-person': 'alice/ROLE_GOD' } as never
  alice.roles = ['ROLE_USER']
  t.match(
    await world.ended(await world.add('user', invented)),
    { state: 'parked' },
    'the user was never given that role'
  )
})

t.test('a revoked key or token parks its jobs; one that has expired, or a session that ended, does not', async (t) => {
  const world = await opened(t)
  const { fastify } = world
  const { view, token } = await fastify.tokens.apiKeys.create('alice', { name: 'k', expiresInDays: 1 })
  const revoke = () => fastify.tokens.apiKeys.revoke(view.id)
  t.match(await meanwhile(world, 'user', revoke, bearer(token)), { state: 'parked', reason: /was revoked/ })
  const { accessToken } = await fastify.tokens.issue({ identifier: 'alice' })
  const deny = () => fastify.tokens.revoke(accessToken)
  t.match(await meanwhile(world, 'user', deny, bearer(accessToken)), { state: 'parked', reason: /was revoked/ })
})

t.test('an identity goes no further than its proof, and nobody is nobody', async (t) => {
  const { fastify, add, ended } = await opened(t)
  t.match(await ended(await add('wide')), { state: 'done' })
  t.match(await ended(await add('other')), { state: 'parked', reason: /zone other does not take what proved alice/ })
  const { token } = await fastify.tokens.apiKeys.create('alice', { name: 'k', expiresInDays: 1 })
  t.match(await ended(await add('other', bearer(token))), { state: 'done' })
  const { id } = await fastify.jobs.add('user')
  t.match(await ended(id), { state: 'parked', cause: null, reason: /nobody caused it/ })
  const named = await fastify.jobs.add('user', {}, { as: 'alice' })
  t.match(await ended(named.id), { state: 'done', cause: { user: 'alice', token: 'job' } })
  const unknown = await fastify.jobs.add('user', {}, { as: 'nobody' })
  t.match(await ended(unknown.id), { state: 'parked', reason: /no user nobody/ })
})

t.test('as is for what nobody causes', async (t) => {
  const { fastify, basic, ended } = await opened(t)
  const { id } = await fastify.jobs.schedules.runNow('yearly')
  t.match(await ended(id), { state: 'done', cause: { user: 'alice' } })
  const late = Fastify()
  t.teardown(() => late.close())
  await late.register(svcJobs)
  late.jobs.define('a', {}, () => undefined)
  late.post('/', () => late.jobs.add('a', {}, { as: 'root' }))
  const { statusCode, json } = await late.inject({ method: 'POST', url: '/', headers: basic })
  t.equal(statusCode, 500)
  t.match(json(), { code: 'SVC_JOBS_CAUSED' })
})

t.test('a job of a job has the first identity, and one trail: the id of the request', async (t) => {
  const { fastify, add, ended, events, lines, alice } = await opened(t)
  const outer = await add('outer')
  await ended(outer)
  const inner = await until(async () => {
    const { items } = await fastify.jobs.list({ name: 'user' })
    return items[0]?.endedAt != null && items[0]
  }, 'the job of the job')
  t.match(inner, { state: 'done', cause: { user: 'alice', token: 'userpassword', requestId: 'req-1', job: outer } })
  t.match(
    lines.find(({ seen: id }) => id === inner.id),
    { reqId: 'req-1', job: inner.id, name: 'user' }
  )
  alice.locked = true
  await fastify.jobs.add('user', {}, { as: 'alice' })
  await until(() => events.some(({ action }) => action === 'auth.failure'), 'the refusal in the journal')
  alice.locked = false
  const from = events.length
  const denied = await add('admin')
  await ended(denied)
  const { cause } = await fastify.jobs.get(denied)
  const refusal = await until(() => events.slice(from).find(({ action }) => action === 'access.denied') ?? null, 'it')
  t.match(refusal, { actor: 'alice', requestId: cause?.requestId })
})

t.test('accounts that cannot be read park nothing: the job is tried again', async (t) => {
  const world = await opened(t)
  const { book, fastify } = world
  const broken = new Error('down')
  const id = await world.add('user').then(async (id) => {
    await world.ended(id)
    return id
  })
  t.match(await fastify.jobs.get(id), { state: 'done' })
  const carry = fastify.jobOperations.carry.bind(fastify.jobOperations)
  fastify.jobOperations.carry = (request) => {
    book.failure = broken
    return carry(request)
  }
  const second = await world.add('user')
  await until(async () => (await fastify.jobs.get(second)).reason !== null, 'a first attempt')
  t.match(await fastify.jobs.get(second), { state: 'waiting', reason: /could not begin/ })
  book.failure = null
  t.match(await world.ended(second), { state: 'done' })
})
