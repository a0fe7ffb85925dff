/** The cause of a job: taken from the request or the job that adds it, and never from what a caller sends. */
import { EventEmitter, once } from 'node:events'
import Fastify, { type FastifyRequest } from 'fastify'
import { createAccessToken, currentRequest, currentUser } from 'svc-kernel'
import svcOrm, { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import svcJobs, { type Jobs, type RunningJob } from '../../src/index.ts'

const Note = defineEntity({ name: 'Note', scope: 'team', schema: { title: { type: 'string' } } })

/** Names the caller as a firewall does. */
function authenticate(request: FastifyRequest): void {
  const identifier = request.headers['x-user']
  if (typeof identifier !== 'string') return
  const token = createAccessToken({ type: 'session', user: { identifier, roles: ['ROLE_USER'] } })
  Object.assign(request, { user: token.user, token })
}

async function opened(t: Test, define: (jobs: Jobs) => void) {
  let number = 0
  const genReqId = () => {
    number += 1
    return `req-${number}`
  }
  const fastify = Fastify({ genReqId })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, {
    memory: true,
    parts: { entities: [Note], scopes: { team: ({ headers }) => (headers['x-team'] as string | undefined) ?? null } }
  })
  await fastify.register(svcJobs)
  define(fastify.jobs)
  fastify.addHook('onRequest', async (request) => authenticate(request))
  fastify.post('/jobs/:name', ({ params, body }) => fastify.jobs.add((params as { name: string }).name, body))
  fastify.get('/notes', async () => (await fastify.orm.repository(Note).find()).map(({ title }) => title))
  await fastify.ready()
  const add = async (name: string, headers: Record<string, string> = {}, payload: object = {}) => {
    const { id } = (await fastify.inject({ method: 'POST', url: `/jobs/${name}`, headers, payload })).json()
    return id as string
  }
  return { fastify, jobs: fastify.jobs, add }
}

/** Resolves with what the next run hands over. */
function runs() {
  const events = new EventEmitter()
  return {
    ran: (value: unknown) => void events.emit('ran', value),
    next: async () => (await once(events, 'ran'))[0]
  }
}

/** The titles of the notes, or the code of the refusal. */
const asText = (read: () => Promise<readonly { readonly title: string }[]>): Promise<string> =>
  read().then(
    (notes) => notes.map(({ title }) => title).join(),
    ({ code }: { code: string }) => code
  )

t.test('a job of a request has its caller and its request as cause', async (t) => {
  const { ran, next } = runs()
  const { jobs, add } = await opened(t, (jobs) => jobs.define('mail', {}, (_, { cause }) => ran(cause)))
  const expected = { user: 'ada', token: 'session', requestId: 'req-1', job: null }
  const cause = next()
  const id = await add('mail', { 'x-user': 'ada' })
  t.strictSame(await cause, expected)
  t.strictSame((await jobs.get(id)).cause, expected)
})

t.test('an anonymous caller has no name, and outside of requests there is no cause', async (t) => {
  const { ran, next } = runs()
  const { jobs, add } = await opened(t, (jobs) => jobs.define('mail', {}, (_, { cause }) => ran(cause)))
  const anonymous = next()
  await add('mail')
  t.strictSame(await anonymous, { user: null, token: null, requestId: 'req-1', job: null })
  const none = next()
  await jobs.add('mail')
  t.equal(await none, null)
})

t.test('a cause in the body of a job or in its options is data like any other', async (t) => {
  const { ran, next } = runs()
  const { jobs, add } = await opened(t, (jobs) => jobs.define('mail', {}, (body, { cause }) => ran([body, cause])))
  const forged = { cause: { user: 'root', token: 'session', requestId: null, job: null } }
  const seen = next()
  await add('mail', { 'x-user': 'eve' }, forged)
  t.strictSame(await seen, [forged, { user: 'eve', token: 'session', requestId: 'req-1', job: null }])
  const none = next()
  await jobs.add('mail', {}, forged as object)
  t.strictSame(await none, [{}, null])
})

t.test('a job that a job adds has the cause of the first one, and names the job before it', async (t) => {
  const { ran, next } = runs()
  const { jobs, add } = await opened(t, (jobs) => {
    jobs.define('first', {}, () => jobs.add('second'))
    jobs.define('second', {}, (_, { cause }) => ran(cause))
  })
  const caused = next()
  const first = await add('first', { 'x-user': 'ada' })
  t.strictSame(await caused, { user: 'ada', token: 'session', requestId: 'req-1', job: first })
  const ofApplication = next()
  const { id } = await jobs.add('first')
  t.strictSame(await ofApplication, { user: null, token: null, requestId: null, job: id })
})

t.test('a request that a job makes speaks for itself, and names the job', async (t) => {
  const { ran, next } = runs()
  const { fastify, add } = await opened(t, (jobs) => {
    jobs.define('first', {}, () =>
      fastify.inject({ method: 'POST', url: '/jobs/second', headers: { 'x-user': 'bob' } })
    )
    jobs.define('second', {}, (_, { cause }) => ran(cause))
  })
  const caused = next()
  const first = await add('first', { 'x-user': 'ada' })
  t.strictSame(await caused, { user: 'bob', token: 'session', requestId: 'req-2', job: first })
})

t.test('a job runs outside of the request that adds it, within its row scope and without its caller', async (t) => {
  const { ran, next } = runs()
  const { fastify, add } = await opened(t, (jobs) =>
    jobs.define('look', {}, async () => {
      const notes = fastify.orm.repository(Note)
      const found = await asText(() => notes.find())
      const other = await fastify.inject({ url: '/notes', headers: { 'x-team': 'blue' } })
      const entered = await asText(async () => fastify.orm.withScope({ team: 'blue' }, () => notes.find()))
      ran([currentRequest(), currentUser().identifier, found, other.json(), entered])
    })
  )
  for (const team of ['red', 'blue']) {
    await fastify.orm.withScope({ team }, () => fastify.orm.repository(Note).create({ title: team }))
  }
  const seen = next()
  await add('look', { 'x-user': 'ada', 'x-team': 'red' })
  t.strictSame(await seen, [undefined, 'anonymous', 'red', ['blue'], 'SVC_ORM_OTHER_SCOPE'])
  const without = next()
  await add('look', { 'x-user': 'ada' })
  const [, , found, , entered] = (await without) as unknown[]
  t.equal(found, 'SVC_ORM_NO_SCOPE')
  t.equal(entered, 'blue', 'a job without a scope enters one')
  const ofWork = next()
  await fastify.orm.withScope({ team: 'red' }, () => fastify.jobs.add('look'))
  t.equal(((await ofWork) as unknown[])[2], 'red')
})

t.test('jobs that run side by side, and one after another, keep their causes apart', async (t) => {
  const causes = new Map<string, string | null | undefined>()
  const done = new EventEmitter()
  const note = ({ id, cause }: RunningJob) => {
    causes.set(id, cause?.user)
    if (causes.size === 40) done.emit('all')
  }
  const { jobs, add } = await opened(t, (jobs) => {
    jobs.define('outer', {}, () => jobs.add('inner'))
    jobs.define('inner', {}, (_, job) => note(job))
  })
  const all = once(done, 'all')
  const users = Array.from({ length: 40 }, (_, index) => `user-${index}`)
  const outer = await Promise.all(users.map((user) => add('outer', { 'x-user': user })))
  await all
  const before = new Map(outer.map((id, index) => [id, users[index]]))
  for (const [id, user] of causes) {
    const { cause } = await jobs.get(id)
    t.equal(user, before.get(cause?.job ?? ''))
  }
})

t.test('the lines that a job logs have the id of the request that caused it', async (t) => {
  const lines: Record<string, unknown>[] = []
  const { ran, next } = runs()
  const fastify = Fastify({
    genReqId: () => 'r'.repeat(300),
    logger: { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } }
  })
  t.teardown(() => fastify.close())
  await fastify.register(svcJobs)
  fastify.jobs.define('mail', {}, (_, { log }) => {
    log.info('sent')
    ran(null)
  })
  fastify.get('/', () => fastify.jobs.add('mail'))
  await fastify.ready()
  const over = next()
  const { id } = (await fastify.inject('/')).json()
  await over
  t.match(
    lines.find(({ msg }) => msg === 'sent'),
    { job: id, name: 'mail', reqId: 'r'.repeat(200) }
  )
})
