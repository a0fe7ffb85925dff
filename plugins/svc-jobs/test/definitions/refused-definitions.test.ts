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
    [(jobs) => jobs.define('svc.redrive', {}, nothing), 'svc.redrive']
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

t.test('a job within a transaction of another database is refused, and nothing is stored', async (t) => {
  const { jobs, orm } = await openedJobs(t, (jobs) => jobs.define('mail', {}, nothing))
  const other = memoryDatabase({ name: 'other' })
  const foreign = other.transaction(async (tx) => jobs.within(tx).add('mail'))
  await t.rejects(foreign, { code: 'SVC_STORE_TRANSACTION', message: /default[\s\S]*other|other[\s\S]*default/ })
  t.strictSame((await jobs.list()).items, [])
  const { id } = await orm.transaction(async (tx) => jobs.within(tx).add('mail'))
  t.match(await ended(jobs, id), { state: 'done' })
})
