/** Batches and jobs that follow others, in an application. */
import t from 'tap'
import type { EndedJob, Jobs } from '../../src/index.ts'
import { ended, Note, openedJobs } from '../support/opened-jobs.ts'

const ELSEWHERE = { options: { run: false } }

t.test('the job that follows a batch runs after all of its jobs, once', async (t) => {
  const ran: unknown[] = []
  const { jobs } = await openedJobs(t, (jobs) => {
    jobs.define('row', { body: { type: 'object', required: ['n'] } }, (body) => void ran.push(body))
    jobs.define('sum', {}, (body) => void ran.push(body))
  })
  const rows = [1, 2, 3].map((n) => ({ name: 'row', body: { n } }))
  const batch = await jobs.batch({ jobs: rows, next: { name: 'sum', body: { of: 3 } } })
  t.match(batch, { state: 'open', jobs: rows.map(() => ({ name: 'row', added: true, state: 'waiting' })) })
  t.match(batch.next, { name: 'sum', added: true, state: 'blocked' })
  t.match(await ended(jobs, batch.next?.id ?? ''), { state: 'done', batch: batch.id })
  t.strictSame([ran.length, ran.at(-1)], [4, { of: 3 }])
  t.match(await jobs.getBatch(batch.id), { state: 'done', jobs: 3, left: 0, failed: 0, next: batch.next?.id })
})

t.test('a batch whose job fails is stuck, and goes on when that is retried and done', async (t) => {
  let isBroken = true
  const stuck: string[] = []
  const { jobs } = await openedJobs(t, (jobs) => {
    jobs.define('row', { retries: 0 }, (body) => {
      if (isBroken && (body as { n: number }).n === 2) throw new Error('no')
    })
    jobs.define('sum', {}, () => undefined)
    jobs.on('stuck', ({ id }) => stuck.push(id))
  })
  const rows = [1, 2].map((n) => ({ name: 'row', body: { n } }))
  const { id, jobs: members, next } = await jobs.batch({ jobs: rows, next: { name: 'sum' } })
  for (const member of members) await ended(jobs, member.id)
  while (stuck.length === 0) await new Promise(setImmediate)
  t.strictSame(stuck, [id])
  t.match(
    [await jobs.getBatch(id), await jobs.get(next?.id ?? '')],
    [{ state: 'stuck', left: 1 }, { state: 'blocked' }]
  )
  isBroken = false
  await jobs.retry(members[1]?.id ?? '')
  t.match(await ended(jobs, next?.id ?? ''), { state: 'done' })
  t.match(await jobs.getBatch(id), { state: 'done' })
})

t.test('a chain of jobs runs in its order', async (t) => {
  const ran: string[] = []
  let whole = (): void => undefined
  const isWhole = new Promise<void>((resolve) => (whole = resolve))
  const { jobs } = await openedJobs(t, (jobs) =>
    jobs.define('link', {}, async (body) => {
      if (body === '0') await isWhole
      ran.push(body as string)
    })
  )
  let last = await jobs.add('link', '0')
  for (const number of ['1', '2', '3', '4']) last = await jobs.add('link', number, { after: [last.id] })
  t.equal(last.state, 'blocked')
  whole()
  await ended(jobs, last.id)
  t.strictSame(ran, ['0', '1', '2', '3', '4'])
  t.match(await jobs.add('link', '5', { after: [last.id] }), { state: 'waiting' }, 'what is done is not waited for')
})

t.test('a cancelled job that others follow is told to listeners', async (t) => {
  const stuck: string[] = []
  const { jobs } = await openedJobs(t, (jobs) => jobs.define('a', {}, () => undefined), ELSEWHERE)
  const { id } = await jobs.add('a')
  await jobs.add('a', {}, { after: [id] })
  jobs.on('stuck', (batch) => stuck.push(batch.state))
  await jobs.cancel(id)
  t.strictSame(stuck, ['stuck'])
})

t.test('a batch is added with its transaction, or not at all', async (t) => {
  const fastify = await openedJobs(t, (jobs) => jobs.define('a', {}, () => undefined))
  const { jobs, orm } = fastify
  const notes = orm.repository(Note)
  const next = await orm.transaction(async (tx) => {
    await notes.withTransaction(tx).create({ title: 'kept' })
    const batch = await jobs.within(tx).batch({ jobs: [{ name: 'a' }, { name: 'a' }], next: { name: 'a' } })
    return jobs.within(tx).add('a', {}, { after: [batch.next?.id ?? ''] })
  })
  t.equal((await ended(jobs, next.id)).state, 'done')
  let lost = ''
  await t.rejects(
    orm.transaction(async (tx) => {
      const batch = await jobs.within(tx).batch({ jobs: [{ name: 'a' }], next: { name: 'a' } })
      lost = batch.id
      throw new Error('no')
    })
  )
  await t.rejects(jobs.getBatch(lost), { code: 'SVC_JOBS_BATCH_NOT_FOUND', statusCode: 404 })
  t.equal((await jobs.list()).items.length, 4)
})

t.test('what cannot be a batch is refused, and nothing of it is stored', async (t) => {
  const { jobs } = await openedJobs(
    t,
    (jobs) => {
      jobs.define('a', { body: { type: 'object', required: ['n'] } }, () => undefined)
      jobs.define('b', { unique: () => 'one' }, () => undefined)
    },
    ELSEWHERE
  )
  const good = { name: 'a', body: { n: 1 } }
  const rows: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['SVC_JOBS_UNKNOWN', () => jobs.batch({ jobs: [good, { name: 'c' }] })],
    ['SVC_JOBS_BODY', () => jobs.batch({ jobs: [good], next: { name: 'a' } })],
    ['SVC_JOBS_BATCH', () => jobs.batch({ jobs: Array.from({ length: 10_001 }, () => good) })],
    ['SVC_JOBS_BEFORE', () => jobs.add('a', { n: 1 }, { after: ['none'] })]
  ]
  for (const [code, add] of rows) await t.rejects(add(), { code }, code)
  t.strictSame((await jobs.list()).items, [])
  const { id } = await jobs.add('b')
  await t.rejects(jobs.batch({ jobs: [good], next: { name: 'b' } }), { code: 'SVC_JOBS_KEY', statusCode: 409 })
  t.match(await jobs.batch({ jobs: [{ name: 'b' }] }), { jobs: [{ id, added: false }], next: null })
})

t.test('a unique key that is kept for a time answers the job that is done', async (t) => {
  const define = (uniqueForS: number) => (jobs: Jobs) =>
    jobs.define('hourly', { unique: true, uniqueForS }, () => undefined)
  for (const wrong of [-1, Number.NaN, 1e12])
    await t.rejects(openedJobs(t, define(wrong)), { code: 'SVC_JOBS_DEFINED' })
  const { jobs } = await openedJobs(t, define(3600))
  const first = await jobs.add('hourly', { n: 1 })
  await ended(jobs, first.id)
  t.strictSame(await jobs.add('hourly', { n: 1 }), { ...first, added: false, state: 'done' })
  t.match(await jobs.add('hourly', { n: 2 }), { added: true })
})

t.test('a batch of two thousand', async (t) => {
  const done: EndedJob[] = []
  const { jobs } = await openedJobs(
    t,
    (jobs) => {
      jobs.define('row', {}, () => undefined)
      jobs.define('sum', {}, () => undefined)
      jobs.on('done', (job) => done.push(job))
    },
    { options: { maxConcurrent: 1000 } }
  )
  const { next } = await jobs.batch({
    jobs: Array.from({ length: 2_000 }, () => ({ name: 'row' })),
    next: { name: 'sum' }
  })
  await allEnded(jobs, next?.id ?? '')
  while (done.length < 2_001) await new Promise(setImmediate)
  t.strictSame([done.length, done.at(-1)?.name], [2_001, 'sum'])
})

async function allEnded(jobs: Jobs, id: string): Promise<void> {
  for (let turns = 0; (await jobs.get(id)).endedAt === null && turns < 10_000; turns += 1)
    await new Promise((resolve) => setTimeout(resolve, 5))
}
