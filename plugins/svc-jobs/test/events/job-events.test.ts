/** Listeners hear ends that are stored, and break nothing. */
import { once } from 'node:events'
import t from 'tap'
import { FinalJobFailure, type Jobs } from '../../src/index.ts'
import { ended, openedJobs } from '../support/opened-jobs.ts'

t.test('each end is told once it is stored', async (t) => {
  const heard: [string, string, string | undefined][] = []
  const { jobs } = await openedJobs(t, (jobs) => {
    jobs.define('good', {}, () => undefined)
    jobs.define('bad', {}, () => {
      throw new FinalJobFailure('no')
    })
    jobs.define('strict', { body: { type: 'object', required: ['n'] } }, () => undefined)
    for (const event of ['done', 'failed', 'parked'] as const)
      jobs.on(event, async (job) => heard.push([event, job.name, (await jobs.get(job.id)).state]))
  })
  for (const name of ['good', 'bad']) await ended(jobs, (await jobs.add(name)).id)
  t.strictSame(heard.sort(), [
    ['done', 'good', 'done'],
    ['failed', 'bad', 'failed']
  ])
})

t.test('a listener that throws or rejects is logged, and changes nothing', async (t) => {
  const lines: string[] = []
  const heard: string[] = []
  const define = (jobs: Jobs) => jobs.define('a', {}, () => undefined)
  const stream = { write: (line: string) => void lines.push(line) }
  const { jobs } = await openedJobs(t, define, { server: { logger: { level: 'error', stream } } })
  jobs.on('done', () => {
    throw new Error('thrown')
  })
  jobs.on('done', () => Promise.reject(new Error('rejected')))
  const note = () => void heard.push('a')
  const [first, second] = [jobs.on('done', note), jobs.on('done', note)]
  t.match(await ended(jobs, (await jobs.add('a')).id), { state: 'done', attempts: 1 })
  first()
  await ended(jobs, (await jobs.add('a')).id)
  second()
  await ended(jobs, (await jobs.add('a')).id)
  while (lines.length < 6) await new Promise(setImmediate)
  t.strictSame(heard, ['a', 'a', 'a'])
  for (const line of lines) t.match(line, /SVC_JOBS_LISTENER.*(thrown|rejected)|(thrown|rejected).*SVC_JOBS_LISTENER/)
})

t.test('a job that was cancelled while its work ended is told as nothing else', async (t) => {
  const heard: string[] = []
  const { jobs } = await openedJobs(t, (jobs) => {
    jobs.define('long', {}, (_, { signal }) => once(signal, 'abort'))
    jobs.define('a', {}, () => undefined)
    jobs.on('done', ({ name }) => heard.push(name))
  })
  const { id } = await jobs.add('long')
  while ((await jobs.get(id)).state !== 'running') await new Promise(setImmediate)
  await jobs.cancel(id)
  await ended(jobs, (await jobs.add('a')).id)
  while (heard.length === 0) await new Promise(setImmediate)
  t.strictSame(heard, ['a'])
})
