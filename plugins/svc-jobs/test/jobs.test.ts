/** Jobs from their definition to their end, in memory. */
import { EventEmitter, once } from 'node:events'
import Fastify from 'fastify'
import type { BootError } from 'svc-kernel'
import svcOrm, { defineEntity } from 'svc-orm'
import { ensureStores } from 'svc-stores'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import svcJobs, { FinalJobFailure, type Jobs, type SvcJobsOptions } from '../src/index.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })

async function opened(t: Test, define: (jobs: Jobs) => void, options: SvcJobsOptions = {}) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { parts: { entities: [Note] } })
  const database = memoryDatabase({ name: 'default' })
  fastify.orm.addConnector(database)
  await ensureStores(fastify)
  fastify.stores.addDatabase('sqlorm', database)
  await fastify.register(svcJobs, options)
  define(fastify.jobs)
  await fastify.ready()
  return fastify
}

const MAIL = {
  type: 'object',
  required: ['to'],
  additionalProperties: false,
  properties: { to: { type: 'string' } }
} as const

/** Waits until a job has ended. */
async function ended(jobs: Jobs, id: string) {
  for (;;) {
    const job = await jobs.get(id)
    if (job.endedAt !== null) return job
    await new Promise(setImmediate)
  }
}

t.test('a job runs with its body, and is done', async (t) => {
  const sent: unknown[] = []
  const { jobs } = await opened(t, (jobs) =>
    jobs.define('mail', { body: MAIL }, (body, { attempt }) => void sent.push([body, attempt]))
  )
  const { id, added } = await jobs.add('mail', { to: 'ada' })
  t.equal(added, true)
  t.match(await ended(jobs, id), { state: 'done', attempts: 1, reason: null, body: { to: 'ada' } })
  t.strictSame(sent, [[{ to: 'ada' }, 1]])
})

t.test('a body that does not fit is refused, and an unknown job', async (t) => {
  const { jobs } = await opened(t, (jobs) => jobs.define('mail', { body: MAIL }, () => undefined))
  await t.rejects(jobs.add('mail', { too: 1 }), {
    code: 'SVC_JOBS_BODY',
    statusCode: 400,
    message: /body must have required property 'to'/
  })
  await t.rejects(jobs.add('mial'), { code: 'SVC_JOBS_UNKNOWN', message: /known: mail/ })
})

t.test('a job is added with its transaction, or not at all', async (t) => {
  const fastify = await opened(t, (jobs) => jobs.define('mail', {}, () => undefined))
  const { jobs, orm } = fastify
  const notes = orm.repository(Note)
  const kept = await orm.transaction(async (tx) => {
    await notes.withTransaction(tx).create({ title: 'kept' })
    return jobs.within(tx).add('mail')
  })
  t.equal((await ended(jobs, kept.id)).state, 'done')
  let lost = ''
  await t.rejects(
    orm.transaction(async (tx) => {
      lost = (await jobs.within(tx).add('mail')).id
      throw new Error('no')
    })
  )
  await t.rejects(jobs.get(lost), { code: 'SVC_JOBS_NOT_FOUND' })
})

t.test('of jobs with one unique key, one is there until it has ended', async (t) => {
  const gate = new EventEmitter()
  const { jobs } = await opened(t, (jobs) => jobs.define('report', { unique: true }, () => once(gate, 'open')))
  const first = await jobs.add('report', { b: 1, a: [2] })
  t.match(await jobs.add('report', { a: [2], b: 1 }), { id: first.id, added: false })
  t.match(await jobs.add('report', { a: [3], b: 1 }), { added: true })
  while ((await jobs.get(first.id)).state !== 'running') await new Promise(setImmediate)
  gate.emit('open')
  await ended(jobs, first.id)
  const second = await jobs.add('report', { a: [2], b: 1 })
  t.equal(second.added, true)
  while ((await jobs.get(second.id)).state !== 'running') await new Promise(setImmediate)
  gate.emit('open')
})

t.test('a job that is cancelled: its signal is aborted, and it stays cancelled', async (t) => {
  const reasons: unknown[] = []
  const { jobs } = await opened(t, (jobs) =>
    jobs.define('long', {}, async (_, { signal }) => {
      await once(signal, 'abort')
      reasons.push(signal.reason.message)
    })
  )
  const { id } = await jobs.add('long')
  while ((await jobs.get(id)).state !== 'running') await new Promise(setImmediate)
  await jobs.cancel(id)
  t.match(await jobs.get(id), { state: 'cancelled' })
  while (reasons.length === 0) await new Promise(setImmediate)
  t.strictSame(reasons, ['the job was cancelled'])
  t.match(await jobs.get(id), { state: 'cancelled' })
})

t.test('a job that is retried as soon as it has failed runs again', async (t) => {
  let attempts = 0
  const { jobs } = await opened(t, (jobs) =>
    jobs.define('mail', { retries: 0 }, () => {
      attempts += 1
      if (attempts < 5) throw new Error('no route')
    })
  )
  const { id } = await jobs.add('mail')
  for (let failed = 1; failed < 5; failed += 1) {
    t.equal((await ended(jobs, id)).state, 'failed')
    await jobs.retry(id)
  }
  t.match(await ended(jobs, id), { state: 'done' })
  t.equal(attempts, 5)
})

t.test('jobs are listed page by page, the newest first, without their bodies', async (t) => {
  const { jobs } = await opened(t, (jobs) => jobs.define('mail', {}, () => undefined), { run: false })
  const added = await jobs.addMany('mail', [1, 2, 3])
  const newest = added.map(({ id }) => id).reverse()
  const first = await jobs.list({ limit: 2 })
  t.strictSame(
    first.items.map(({ id }) => id),
    newest.slice(0, 2)
  )
  t.notOk('body' in (first.items[0] ?? {}))
  const { items, next } = await jobs.list({ limit: 2, state: 'waiting', before: first.next ?? '' })
  t.strictSame([items.map(({ id }) => id), next], [newest.slice(2), null])
  t.strictSame(await jobs.list({ name: 'report' }), { items: [], next: null })
  await t.rejects(jobs.list({ limit: 0 }), { code: 'SVC_STORE_PAGE' })
})

t.test('a job whose work says that another attempt is in vain fails at once, and keeps its body', async (t) => {
  let attempts = 0
  const { jobs } = await opened(t, (jobs) =>
    jobs.define('mail', { retries: 5, keepBody: false }, () => {
      attempts += 1
      throw new FinalJobFailure('no such mailbox')
    })
  )
  const { id } = await jobs.add('mail', { to: 'ada' })
  const job = await ended(jobs, id)
  t.match(job, { state: 'failed', attempts: 1, reason: 'no such mailbox', body: { to: 'ada' } })
  t.equal(attempts, 1)
})

t.test('a job that keeps no body has none once it is done', async (t) => {
  const seen: unknown[] = []
  const { jobs } = await opened(t, (jobs) => jobs.define('mail', { keepBody: false }, (body) => void seen.push(body)))
  const { id } = await jobs.add('mail', { to: 'ada' })
  t.strictSame((await ended(jobs, id)).body, {})
  t.strictSame(seen, [{ to: 'ada' }])
})

t.test('a driver that is not registered ends the boot', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  fastify.decorate('appHost', {
    name: 'a',
    root: '/',
    mode: 'development',
    checkOnly: false,
    importModule: async () => ({})
  })
  const told = { code: 'SVC_JOBS_NO_STORE', at: 'svc-jobs.store', got: 'docdb' }
  const refused = await Promise.resolve(fastify.register(svcJobs, { store: 'docdb' })).catch(
    (error: BootError) => error
  )
  t.match((refused as BootError).problems, [told])
})
