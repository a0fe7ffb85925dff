/** Steps of jobs: done once, whatever happens to later attempts. */
import type { FastifyInstance } from 'fastify'
import { UniqueViolation } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import type { Jobs, RunningJob } from '../../src/index.ts'
import { ended, Note, openedJobs } from '../support/opened-jobs.ts'

type Notes = ReturnType<typeof notesOf>
const notesOf = ({ orm }: FastifyInstance) => orm.repository(Note)

/** Runs a job whose attempts fail as long as the work throws, without waits between them. */
async function attempts(t: Test, work: (job: RunningJob, notes: Notes) => unknown) {
  const clock = new ManualClock()
  const define = (jobs: Jobs) => jobs.define('a', { retries: 5 }, (_, job) => work(job, notes()))
  const fastify = await openedJobs(t, define, { clock })
  const notes = () => notesOf(fastify)
  const { id } = await fastify.jobs.add('a')
  for (let turns = 0; turns < 20_000; turns += 1) {
    const job = await fastify.jobs.get(id)
    if (job.endedAt !== null) return { fastify, job }
    await new Promise(setImmediate)
    if (turns % 10 === 9) clock.advance(100)
  }
  throw new Error('the job has not ended')
}

t.test('an attempt that follows gets the results of steps, and does what is left', async (t) => {
  const done: string[] = []
  const seen: unknown[] = []
  const { job } = await attempts(t, async ({ step, attempt }) => {
    for (const name of ['one', 'two', 'three']) {
      const result = await step(name, () => {
        if (name === 'three' && attempt < 3) throw new Error('not yet')
        done.push(name)
        return { name, attempt }
      })
      seen.push(result)
    }
    seen.push(await step('none', () => undefined))
  })
  t.match(job, { state: 'done', attempts: 3 })
  t.strictSame(done, ['one', 'two', 'three'])
  const [one, two] = ['one', 'two'].map((name) => ({ name, attempt: 1 }))
  t.strictSame(seen, [one, two, one, two, one, two, { name: 'three', attempt: 3 }, undefined])
})

t.test('a step with a transaction stores its rows with its result, or neither', async (t) => {
  let stored = ''
  const { fastify, job } = await attempts(t, async ({ step, attempt }, repository) => {
    const title = await step('note', async (tx) => {
      await repository.withTransaction(tx).create({ title: `of ${attempt}` })
      if (attempt === 1) throw new Error('after the row')
      return `of ${attempt}`
    })
    if (attempt === 2) throw new Error('after the step')
    stored = title
  })
  t.match(job, { state: 'done', attempts: 3 })
  t.equal(stored, 'of 2')
  t.strictSame(
    (await notesOf(fastify).find()).map(({ title }) => title),
    ['of 2']
  )
})

t.test('a failure of the work is its own, also where a row is there already', async (t) => {
  const { fastify, job } = await attempts(t, async ({ step, attempt }, repository) => {
    if (attempt > 1) return
    await repository.create({ title: 'taken' })
    await t.rejects(
      step('note', (tx) => repository.withTransaction(tx).create({ title: 'taken' })),
      UniqueViolation
    )
  })
  t.match(job, { state: 'done', attempts: 1 })
  t.equal((await notesOf(fastify).find()).length, 1)
})

t.test('names that meet, and results that cannot be stored', async (t) => {
  const circle: unknown[] = []
  circle.push(circle)
  const rows: readonly (readonly [unknown, RegExp])[] = [
    [new Date(0), /not JSON/],
    [1n, /not JSON: .*bigint/],
    [{ deep: [new Map()] }, /not JSON/],
    [Number.NaN, /not JSON/],
    [circle, /not JSON/],
    ['x'.repeat(65_535), /65537 bytes/]
  ]
  const { job } = await attempts(t, async ({ step }) => {
    await step('a', () => 'x'.repeat(65_534))
    await t.rejects(
      step('a', () => 2),
      { code: 'SVC_JOBS_STEP', message: /"a" .*another step/ }
    )
    for (const [index, [value, message]] of rows.entries())
      await t.rejects(
        step(`result ${index}`, () => value),
        { code: 'SVC_JOBS_STEP', message }
      )
    for (const name of ['', 'x'.repeat(201), 7 as never])
      await t.rejects(
        step(name, () => 1),
        { code: 'SVC_JOBS_STEP', message: /1 to 200 characters/ }
      )
  })
  t.equal(job.state, 'done')
})

t.test('an attempt that was told to end begins no further step', async (t) => {
  const begun: string[] = []
  let abort: () => Promise<void> = async () => undefined
  let over = (): void => undefined
  const isOver = new Promise<void>((resolve) => (over = resolve))
  const fastify = await openedJobs(t, (jobs) =>
    jobs.define('a', {}, async (_, { step }) => {
      await step('first', () => abort())
      await step('second', () => begun.push('second')).catch((error: Error) => begun.push(error.message))
      over()
    })
  )
  const { jobs } = fastify
  const added = jobs.add('a')
  abort = async () => jobs.cancel((await added).id)
  await isOver
  t.strictSame(begun, ['the job was cancelled'])
  t.equal((await ended(jobs, (await added).id)).state, 'cancelled')
})
