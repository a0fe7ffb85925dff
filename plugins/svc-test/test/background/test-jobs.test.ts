/** Jobs, schedules and mails of an application under the hands of a test: no test here waits for anything. */
import { join } from 'node:path'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { type BuildOptions, buildApp, jobsOf, mailsOf } from '../../src/index.ts'
import { seen } from '../fixtures/worker/app.ts'

const WORKER = join(import.meta.dirname, '../fixtures/worker')
const START = Date.UTC(2026, 2, 1, 8, 30)

async function built(t: Test, options: BuildOptions = {}) {
  seen.length = 0
  const app = await buildApp(WORKER, options)
  t.teardown(() => app.close())
  return app
}

t.test('jobs run when the test says so, and not before', async (t) => {
  const app = await built(t)
  await app.jobs.add('note', { n: 1 })
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate)
  t.strictSame(seen, [])
  const jobs = jobsOf(app)
  t.match(await jobs.drain(), [{ name: 'note', body: { n: 1 }, attempt: 1, result: 'done', reason: null }])
  t.strictSame(seen, [{ n: 1 }])
  t.match(jobs.ran('note'), [{ body: { n: 1 } }])
  t.strictSame(jobs.ran('welcome'), [])
  t.equal(jobsOf(app), jobs, 'the same of one application')
})

t.test('a job that adds a mail, and the mail as it would have left', async (t) => {
  const app = await built(t)
  const mails = mailsOf(app)
  t.throws(() => mails.last(), { code: 'SVC_TEST_NO_MAIL', message: /sent so far: none/ })
  await app.jobs.add('welcome', { to: 'ada@example.org' })
  await app.jobs.add('welcome', { to: 'bob@example.org' })
  await jobsOf(app).drain()
  t.match(mails.sent, [
    { to: [{ address: 'ada@example.org' }], from: { address: 'shop@example.org' }, subject: 'Welcome' },
    { to: [{ address: 'bob@example.org' }] }
  ])
  t.equal(mails.sent.length, 2)
  t.match(mails.last(), { to: [{ address: 'bob@example.org' }], text: 'Good to see you.' })
  t.match(mails.last({ to: 'ada@example.org' }), { to: [{ address: 'ada@example.org' }] })
  t.throws(() => mails.last({ to: 'eve@example.org' }), { message: /"Welcome" to ada@example.org/ })
})

t.test('failures name their job, once all have run', async (t) => {
  const clock = new ManualClock(START)
  const app = await built(t, { clock })
  const jobs = jobsOf(app)
  const { id } = await app.jobs.add('broken')
  await app.jobs.add('note', { n: 2 })
  await t.rejects(jobs.drain(), {
    code: 'SVC_TEST_JOBS_FAILED',
    message: `broken (${id}), attempt 1, retried: no paper`
  })
  t.strictSame(seen, [{ n: 2 }])
  t.match(await jobs.advance('1m', { allowFailures: true }), [{ id, attempt: 2, result: 'failed' }])
  t.strictSame(jobs.ran('broken'), [], 'it was never done')
})

t.test('a clock that moves runs slots and delayed jobs at their time, in their order', async (t) => {
  const clock = new ManualClock(START)
  const app = await built(t, { clock })
  const jobs = jobsOf(app)
  await app.jobs.add('note', { n: 3 }, { delayS: 3600 })
  await jobs.drain()
  t.strictSame(seen, [])
  const made = await jobs.advance('3h')
  t.strictSame(seen, ['2026-03-01T09:00:00.000Z', { n: 3 }, '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'])
  t.equal(made.length, 4)
  t.equal(clock.now(), START + 3 * 3_600_000)
  await jobs.advance('10d')
  t.equal(jobs.ran('hourly').length, 243)
})

t.test('mistakes of a test are told', async (t) => {
  const app = await built(t)
  const jobs = jobsOf(app)
  t.throws(() => jobs.ran('nope'), { code: 'SVC_TEST_UNKNOWN_JOB', message: /known: svc\.mail, note/ })
  await t.rejects(jobs.advance('1h'), { code: 'SVC_TEST_NO_CLOCK' })
  await app.jobs.add('endless')
  await t.rejects(jobs.drain(), { code: 'SVC_TEST_JOBS_ENDLESS', message: /1000 jobs: endless/ })
  for (const span of ['1', 'h', '1.5h', '-1h', '1w', '']) {
    await t.rejects(jobs.advance(span), { code: 'SVC_TEST_SPAN' }, span)
  }
})

t.test('an application without jobs or mails, or not of buildApp, has none to drive', async (t) => {
  const app = await buildApp(join(import.meta.dirname, '../fixtures'), { mode: 'test' })
  t.teardown(() => app.close())
  t.throws(() => jobsOf(app), { code: 'SVC_TEST_NO_JOBS' })
  t.throws(() => mailsOf(app), { code: 'SVC_TEST_NO_OUTBOX' })
})

t.test('in mode production mails leave as the application says', async (t) => {
  const app = await built(t, { mode: 'production' })
  t.throws(() => mailsOf(app), { code: 'SVC_TEST_NO_OUTBOX' })
})
