/** What cannot be a job, and where a job cannot be added: each says so in one message. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import type { Jobs } from '../../src/index.ts'
import { ended, openedJobs } from '../support/opened-jobs.ts'

const nothing = () => undefined

t.test('two jobs of a name, names, and times that are none', async (t) => {
  const refusals: [define: (jobs: Jobs) => unknown, says: string][] = [
    [(jobs) => jobs.define('mail', {}, nothing), 'the job "mail" cannot be defined: another one has this name'],
    [(jobs) => jobs.define('a mail', {}, nothing), 'a name has 1 to 100 letters, digits and . : - _'],
    [(jobs) => jobs.define('', {}, nothing), 'a name has 1 to 100 letters, digits and . : - _'],
    [(jobs) => jobs.define('x'.repeat(101), {}, nothing), 'a name has 1 to 100 letters, digits and . : - _'],
    [(jobs) => jobs.define('kept', { unique: true, uniqueForS: -1 }, nothing), 'uniqueForS is from 0 to'],
    [(jobs) => jobs.define('svc.redrive', {}, nothing), 'svc.redrive'],
    [(jobs) => jobs.define('a', { retries: -1 }, nothing), 'retries is from 0 to 100, and not -1'],
    [(jobs) => jobs.define('a', { retries: 0.5 }, nothing), 'retries is from 0 to 100, and not 0.5'],
    [(jobs) => jobs.define('a', { timeoutS: 0 }, nothing), 'timeoutS is from 1 to 86400, and not 0'],
    [(jobs) => jobs.define('a', { timeoutS: Number.NaN }, nothing), 'timeoutS is from 1 to 86400, and not NaN'],
    [(jobs) => jobs.define('a', { timeoutS: 3_000_000 }, nothing), 'timeoutS is from 1 to 86400, and not 3000000'],
    [(jobs) => jobs.define('a', { lane: '' }, nothing), 'lane is a text of 1 to 200 characters'],
    [(jobs) => jobs.define('a', { lane: 5 as never }, nothing), 'lane is a text of 1 to 200 characters'],
    [(jobs) => jobs.define('a', { unique: 'order' as never }, nothing), 'unique is true, or a function'],
    [(jobs) => jobs.define('a', {}, undefined as never), 'its work, the third argument, is no function'],
    [(jobs) => jobs.define('a', { body: { type: 'objekt' } }, nothing), 'its body is no JSON Schema']
  ]
  for (const [define, says] of refusals) {
    const opening = openedJobs(t, (jobs) => {
      jobs.define('mail', {}, nothing)
      define(jobs)
    })
    const error = await opening.then(
      () => null,
      (error: { code: string; message: string }) => error
    )
    t.equal(error?.code, 'SVC_JOBS_DEFINED', says)
    t.ok(error?.message.includes(says), says)
  }
  const { jobs } = await openedJobs(t, (jobs) => jobs.define('mail', {}, nothing))
  t.throws(() => jobs.define('late', {}, nothing), { code: 'SVC_JOBS_DEFINED', message: /the application has started/ })
})

t.test('a body of which no lane and no unique key can be made is refused, and keeps no other job away', async (t) => {
  const of = (field: string) => (body: unknown) => (body as Record<string, string>)[field] as string
  const { jobs } = await openedJobs(t, (jobs) => {
    jobs.define('export', { lane: of('tenant') }, nothing)
    jobs.define('report', { unique: of('month') }, nothing)
  })
  const refused = { code: 'SVC_JOBS_BODY', statusCode: 400 }
  for (const tenant of [undefined, '', 'x'.repeat(201), 7]) {
    await t.rejects(jobs.add('export', { tenant }), { ...refused, message: /"export".*its lane is no text/ })
  }
  for (const month of [undefined, null, 7]) {
    await t.rejects(jobs.add('report', { month }), { ...refused, message: /"report".*its unique key is no text/ })
  }
  await t.rejects(jobs.add('report', { month: 'may' }, { unique: null as never }), refused)
  t.strictSame((await jobs.list()).items, [])
  t.equal((await jobs.add('export', { tenant: 'acme' })).added, true)
})

t.test('a delay is a number of seconds; one that is over makes a job due at once, and not before', async (t) => {
  const { jobs } = await openedJobs(t, (jobs) => jobs.define('mail', {}, nothing), { options: { run: false } })
  for (const delayS of [Number.NaN, Number.POSITIVE_INFINITY, '5', new Date(), 1e12] as number[]) {
    await t.rejects(jobs.add('mail', {}, { delayS }), { code: 'SVC_JOBS_DELAY', name: /Error/ }, String(delayS))
  }
  const { id } = await jobs.add('mail', {}, { delayS: -3600 })
  const { addedAt, dueAt } = await jobs.get(id)
  t.equal(dueAt, addedAt)
})

t.test('a job within a transaction of another database is refused, and nothing is stored', async (t) => {
  const { jobs, orm } = await openedJobs(t, (jobs) => jobs.define('mail', {}, nothing))
  const other = memoryDatabase({ name: 'other' })
  const foreign = other.transaction(async (tx) => jobs.within(tx).add('mail'))
  await t.rejects(foreign, { code: 'SVC_STORE_TRANSACTION', message: /default[\s\S]*other|other[\s\S]*default/ })
  t.strictSame((await jobs.list()).items, [])
  const { id } = await orm.transaction(async (tx) => jobs.within(tx).add('mail'))
  t.match(await ended(jobs, id), { state: 'done' })
})
