/** Progress: stored once a second, the last one at the end, and told to whoever caused the job alone. */
import Fastify from 'fastify'
import { createAccessToken } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import svcJobs from '../../src/index.ts'
import { ProgressReport } from '../../src/progress/progress-report.ts'
import type { JobProgress } from '../../src/records/job-record.ts'
import { ended, openedJobs } from '../support/opened-jobs.ts'

const { log } = Fastify({ logger: false })
const turn = () => new Promise(setImmediate)

t.test('the first is stored at once, then the last of each second, and the last of all', async (t) => {
  const clock = new ManualClock()
  const stored: [number, number, string | null][] = []
  const began = clock.now()
  const store = async ({ value, text }: JobProgress) => void stored.push([clock.now() - began, value, text])
  const report = new ProgressReport({ clock, log, store })
  for (let step = 0; step < 100; step += 1) {
    report.say(step / 100, `row ${step}`)
    await turn()
    clock.advance(25)
  }
  await report.close()
  report.say(1)
  await turn()
  t.strictSame(stored, [
    [0, 0, 'row 0'],
    [1000, 0.39, 'row 39'],
    [2000, 0.79, 'row 79'],
    [2500, 0.99, 'row 99']
  ])
})

t.test('a store that is away costs no attempt, and the next value is stored', async (t) => {
  const clock = new ManualClock()
  const stored: number[] = []
  let away = true
  const store = async ({ value }: JobProgress) => {
    if (away) throw new Error('away')
    stored.push(value)
  }
  const report = new ProgressReport({ clock, log, store })
  report.say(0.1)
  await turn()
  away = false
  report.say(0.2, 'x'.repeat(300))
  await report.close()
  t.strictSame(stored, [0.2])
})

t.test('what is no part of a whole is refused', async (t) => {
  const report = new ProgressReport({ clock: new ManualClock(), log, store: async () => void t.fail() })
  for (const value of [-0.1, 1.1, Number.NaN, '0.5' as never, undefined as never])
    t.throws(() => report.say(value), { code: 'SVC_JOBS_PROGRESS' }, String(value))
  await report.close()
})

t.test('a job shows the progress of its last attempt', async (t) => {
  const { jobs } = await openedJobs(t, (jobs) =>
    jobs.define('a', { retries: 0 }, (_, { progress }) => {
      progress(0.25, 'begun')
      progress(0.5, 'half')
      throw new Error('no')
    })
  )
  const { id } = await jobs.add('a')
  t.match(await ended(jobs, id), { state: 'failed', progress: { value: 0.5, text: 'half' } })
})

t.test('the user who caused a job is told, and nobody is where there is none', async (t) => {
  const told: unknown[] = []
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcJobs)
  const { jobs } = fastify
  jobs.define('a', {}, (_, { progress }) => progress(0.5, 'half'))
  fastify.addHook('onRequest', async (request) => {
    const { user } = request.headers
    if (typeof user !== 'string') return
    const token = createAccessToken({ type: 'session', user: { identifier: user, roles: [] } })
    Object.assign(request, { user: token.user, token })
  })
  fastify.post('/add', () => jobs.add('a'))
  // A later plugin than svc-jobs.
  fastify.decorate('realtime', { publishTo: (...given: unknown[]) => told.push(given) } as never)
  await fastify.ready()
  const add = async (headers: Record<string, string>) =>
    (await fastify.inject({ method: 'POST', url: '/add', headers })).json().id
  await ended(jobs, await add({}))
  await ended(jobs, (await jobs.add('a')).id)
  const id = await add({ user: 'ada' })
  await ended(jobs, id)
  t.strictSame(told, [['ada', 'jobs', { id, name: 'a', progress: { value: 0.5, text: 'half' } }]])
})
