/** What administrators see of jobs and schedules, and change; never what may be secret. */
import Fastify, { type FastifyInstance } from 'fastify'
import { createAccessToken } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcJobs, { type SvcJobsOptions } from '../../src/index.ts'

interface Recorded {
  readonly action: string
  readonly actor: string | null
  readonly resource: string
}

async function opened(t: Test, options: SvcJobsOptions = {}) {
  const fastify: FastifyInstance = Fastify()
  t.teardown(() => fastify.close())
  const records: Recorded[] = []
  fastify.decorate('audit', {
    record: ({ action, actor, resource }: Recorded) => void records.push({ action, actor, resource })
  } as never)
  await fastify.register(svcJobs, options)
  const { jobs } = fastify
  jobs.define('mail', {}, () => undefined)
  jobs.define('report', {}, () => undefined)
  jobs.define('secret', { keepBody: false }, () => undefined)
  jobs.schedule('report.daily', '0 6 * * *', { zone: 'UTC', job: 'report', overlap: 'skip' })
  fastify.addHook('onRequest', async (request) => {
    const { role } = request.headers
    if (typeof role !== 'string') return
    const token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: [role] } })
    Object.assign(request, { user: token.user, token })
  })
  fastify.accessGate.use({
    allows: ({ user }, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => user.roles.includes(attribute)))
  })
  await fastify.ready()
  const ask = (method: 'GET' | 'POST', path: string, role = 'ROLE_SVC_ADMIN') =>
    fastify.inject({ method, url: `/svc/jobs/api${path}`, headers: { role } })
  const send = (path: string, payload: object, role = 'ROLE_SVC_ADMIN') =>
    fastify.inject({ method: 'POST', url: `/svc/jobs/api${path}`, headers: { role }, payload })
  return { jobs, records, ask, send }
}

/** Their jobs wait for another process. */
const ELSEWHERE = { run: false }

t.test('a job is shown with its cause and a masked body', async (t) => {
  const { jobs, ask } = await opened(t, ELSEWHERE)
  const secrets = { password: 'hunter2', deep: [{ apiKey: 'k-1' }], token: { value: 'k-2' } }
  const body = { to: 'ada', ...secrets, url: 'http://u:k-3@example.org' }
  const { id } = await jobs.add('mail', body, { unique: 'k-1' })
  const answer = await ask('GET', `/jobs/${id}`)
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['cache-control'], 'no-store')
  t.match(answer.json(), { id, name: 'mail', state: 'waiting', attempts: 0, reason: null, cause: null, endedAt: null })
  t.equal(answer.json().body.to, 'ada')
  t.notMatch(answer.body, /hunter2|k-\d/)
})

t.test('a job is cancelled and retried, and the journal says by whom', async (t) => {
  const { jobs, records, ask } = await opened(t, ELSEWHERE)
  const { id } = await jobs.add('mail')
  t.match((await ask('POST', `/jobs/${id}/cancel`)).json(), { id, state: 'cancelled' })
  t.match((await ask('POST', `/jobs/${id}/retry`)).json(), { id, state: 'waiting' })
  const again = await ask('POST', `/jobs/${id}/retry`)
  t.match([again.statusCode, again.json().code], [409, 'SVC_JOBS_STATE'])
  t.strictSame(records, [
    { action: 'job.cancelled', actor: 'root', resource: id },
    { action: 'job.retried', actor: 'root', resource: id }
  ])
})

t.test('schedules are listed, paused, resumed and run', async (t) => {
  const { jobs, records, ask } = await opened(t, ELSEWHERE)
  const listed = async () => (await ask('GET', '/schedules')).json().schedules
  t.match(await listed(), [{ name: 'report.daily', cron: '0 6 * * *', zone: 'UTC', job: 'report', paused: false }])
  t.equal((await listed())[0].next.length, 5)
  t.equal((await ask('POST', '/schedules/report.daily/pause')).statusCode, 204)
  t.match(await listed(), [{ paused: true, next: [] }])
  t.equal((await ask('POST', '/schedules/report.daily/resume')).statusCode, 204)
  const run = await ask('POST', '/schedules/report.daily/run')
  t.equal(run.statusCode, 202)
  const { id } = run.json()
  t.equal(run.headers.location, `/svc/jobs/api/jobs/${id}`)
  t.match(await jobs.get(id), { name: 'report', state: 'waiting' })
  t.match(await listed(), [{ paused: false, lastJob: { id, state: 'waiting' } }])
  const busy = await ask('POST', '/schedules/report.daily/run')
  t.match([busy.statusCode, busy.json().code], [409, 'SVC_JOBS_SCHEDULE_BUSY'])
  t.strictSame(
    records.map(({ action }) => action),
    ['schedule.paused', 'schedule.resumed', 'schedule.run']
  )
})

t.test('lanes are listed, paused and resumed, whatever their names', async (t) => {
  const lane = 'tenant:7/ä b'
  const { jobs, records, ask } = await opened(t, {
    ...ELSEWHERE,
    lanes: { mail: { concurrent: 2, rate: { max: 9, perS: 60 } } }
  })
  await jobs.add('mail')
  const path = `/lanes/${encodeURIComponent(lane)}`
  t.equal((await ask('POST', `${path}/pause`)).statusCode, 204)
  const answer = await ask('GET', '/lanes')
  t.equal(answer.headers['cache-control'], 'no-store')
  t.match(answer.json(), {
    items: [
      { lane: 'mail', paused: false, waiting: 1, running: 0, concurrent: 2, rate: { max: 9, perS: 60, burst: 9 } },
      { lane, paused: true, waiting: 0, running: 0, oldestMs: null, concurrent: null, rate: null }
    ],
    next: null
  })
  t.match((await ask('GET', '/lanes?limit=1')).json(), { items: [{ lane: 'mail' }], next: 'mail' })
  t.match((await ask('GET', '/lanes?limit=1&after=mail')).json(), { items: [{ lane }], next: null })
  t.equal((await ask('POST', `${path}/resume`)).statusCode, 204)
  t.strictSame(await ask('GET', '/lanes').then((listed) => listed.json().items.length), 1)
  t.strictSame(records, [
    { action: 'lane.paused', actor: 'root', resource: lane },
    { action: 'lane.resumed', actor: 'root', resource: lane }
  ])
  for (const bad of ['/lanes?limit=0', '/lanes?page=1']) t.equal((await ask('GET', bad)).statusCode, 400, bad)
})

t.test('what is not there, and parameters that no route knows', async (t) => {
  const { records, ask } = await opened(t, ELSEWHERE)
  for (const [method, path, status] of [
    ['GET', '/jobs/none', 404],
    ['POST', '/jobs/none/retry', 404],
    ['POST', '/jobs/none/cancel', 404],
    ['POST', '/schedules/none/pause', 404],
    ['POST', '/schedules/none/run', 404],
    ['GET', '/schedules?stat=1', 400]
  ] as const) {
    t.equal((await ask(method, path)).statusCode, status, `${method} ${path}`)
  }
  t.strictSame(records, [])
})

t.test('other roles are refused', async (t) => {
  const { jobs, records, ask } = await opened(t, ELSEWHERE)
  const { id } = await jobs.add('mail')
  for (const [method, path] of [
    ['GET', `/jobs/${id}`],
    ['POST', `/jobs/${id}/cancel`],
    ['POST', `/jobs/${id}/retry`],
    ['GET', '/schedules'],
    ['GET', '/lanes'],
    ['POST', '/lanes/mail/pause'],
    ['POST', '/lanes/mail/resume'],
    ['POST', '/schedules/report.daily/pause'],
    ['POST', '/schedules/report.daily/resume'],
    ['POST', '/schedules/report.daily/run']
  ] as const) {
    t.equal((await ask(method, path, 'ROLE_USER')).statusCode, 403, `${method} ${path}`)
  }
  t.match(await jobs.get(id), { state: 'waiting' })
  t.strictSame(records, [])
})

t.test('jobs are listed page by page, by state and name, without bodies and unique keys', async (t) => {
  const { jobs, ask } = await opened(t, ELSEWHERE)
  const first = await jobs.add('mail', { to: 'ada' }, { unique: 'k-1' })
  const second = await jobs.add('report')
  await jobs.cancel(first.id)
  const list = async (query: string) => (await ask('GET', `/jobs${query}`)).json()
  const page = await list('?limit=1')
  t.match(page, { items: [{ id: second.id, state: 'waiting' }], next: second.id })
  t.match(await list(`?limit=1&before=${page.next}`), { items: [{ id: first.id }], next: null })
  t.match(await list('?state=cancelled&name=mail'), { items: [{ id: first.id }] })
  t.strictSame(
    (await list('?state=cancelled&state=waiting')).items.map(({ id }: { id: string }) => id),
    [second.id, first.id]
  )
  t.strictSame((await list('?name=mial')).items, [])
  t.notMatch((await ask('GET', '/jobs')).body, /"body"|ada|k-1|[kK]ey/)
  for (const query of ['?state=lost', '?state=done&state=lost', '?limit=0', '?lane=mail']) {
    t.equal((await ask('GET', `/jobs${query}`)).statusCode, 400, query)
  }
  t.equal((await ask('GET', '/jobs', 'ROLE_USER')).statusCode, 403)
})

t.test('a body that goes once its job is done is not shown before either', async (t) => {
  const { jobs, ask } = await opened(t, ELSEWHERE)
  const { id } = await jobs.add('secret', { text: 'https://example.org/reset/k-1' })
  t.equal((await ask('GET', `/jobs/${id}`)).json().body, '[redacted]')
})

t.test('jobs are counted by state, all of them or those of a name', async (t) => {
  const { jobs, ask } = await opened(t, ELSEWHERE)
  const first = await jobs.add('mail')
  await jobs.add('mail', {}, { delayS: 60 })
  await jobs.add('report')
  await jobs.cancel(first.id)
  const { addedAt } = await jobs.get((await jobs.list({ name: 'report' })).items[0]?.id ?? '')
  const none = { blocked: 0, running: 0, done: 0, failed: 0, parked: 0 }
  const names = ['mail', 'report', 'secret', 'svc.redrive']
  const counts = async (query: string) => (await ask('GET', `/counts${query}`)).json()
  const all = { states: { ...none, waiting: 2, cancelled: 1 }, most: 10_000, waitingSince: addedAt, names }
  t.strictSame(await counts(''), all)
  const mails = { ...all, states: { ...none, waiting: 1, cancelled: 1 }, waitingSince: null }
  t.strictSame(await counts('?name=mail'), mails)
  t.equal((await ask('GET', '/counts?state=done')).statusCode, 400)
  t.equal((await ask('GET', '/counts', 'ROLE_USER')).statusCode, 403)
})

t.test('jobs are put back by a filter, and the journal says by whom', async (t) => {
  const { jobs, records, ask, send } = await opened(t, ELSEWHERE)
  const answer = await send('/redrive', { state: 'failed', name: 'mail', limit: 10 })
  const { id } = answer.json()
  t.equal(answer.statusCode, 202)
  t.strictSame(answer.json(), { id, name: 'svc.redrive' })
  t.equal(answer.headers.location, `/svc/jobs/api/jobs/${id}`)
  t.match(await jobs.get(id), { name: 'svc.redrive', body: { state: 'failed', name: 'mail', limit: 10 } })
  t.match((await ask('GET', `/jobs/${id}`)).json(), { progress: null, batch: null })
  t.strictSame(records, [{ action: 'job.redriven', actor: 'root', resource: id }])
  for (const body of [{}, { state: 'done' }, { state: 'failed', limit: 0 }, { state: 'failed', lane: 'a' }])
    t.equal((await send('/redrive', body)).statusCode, 400, JSON.stringify(body))
  t.equal((await send('/redrive', { state: 'failed' }, 'ROLE_USER')).statusCode, 403)
  t.equal(records.length, 1)
})

t.test('a batch is shown with its counts', async (t) => {
  const { jobs, ask } = await opened(t, ELSEWHERE)
  const { id, next } = await jobs.batch({ jobs: [{ name: 'mail' }, { name: 'mail' }], next: { name: 'report' } })
  const { addedAt } = await jobs.getBatch(id)
  const counts = { state: 'open', jobs: 2, left: 2, failed: 0 }
  t.strictSame((await ask('GET', `/batches/${id}`)).json(), { id, ...counts, next: next?.id, addedAt, endedAt: null })
  t.match((await ask('GET', '/jobs?state=blocked')).json(), { items: [{ id: next?.id, batch: id }] })
  t.equal((await ask('GET', '/batches/none')).statusCode, 404)
  t.equal((await ask('GET', `/batches/${id}`, 'ROLE_USER')).statusCode, 403)
})
