/** Lanes of an application: limited, paused and listed, and jobs with priorities. */
import { setImmediate as turn } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import svcJobs, { type Jobs, type SvcJobsOptions } from '../../src/index.ts'

/** Jobs that stay under way until the test lets them end. */
async function opened(t: Test, options: SvcJobsOptions = {}, define?: (jobs: Jobs) => void) {
  const fastify = Fastify()
  const begun: string[] = []
  const ends: (() => void)[] = []
  await fastify.register(svcJobs, options)
  const { jobs } = fastify
  const work = (body: unknown) => {
    begun.push((body as { name: string }).name)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  jobs.define('work', { lane: (body) => (body as { lane: string }).lane }, work)
  define?.(jobs)
  await fastify.ready()
  const release = () => {
    for (const end of ends.splice(0)) end()
  }
  t.teardown(async () => {
    const closing = fastify.close()
    for (let count = 0; count < 50; count += 1) {
      release()
      await turn()
    }
    await closing
  })
  const add = (lane: string, name = lane) => jobs.add('work', { lane, name })
  return { jobs, begun, release, add }
}

/** Waits for what is to come; a test that waits in vain ends by its timeout. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn()
}

async function quiet(): Promise<void> {
  for (let count = 0; count < 40; count += 1) await turn()
}

t.test('each lane that begins so has the limit for itself, a lane by name its own, others none', async (t) => {
  const lanes = { 'tenant:*': { concurrent: 1 }, 'tenant:big': { concurrent: 2 } }
  const { jobs, begun, release, add } = await opened(t, { maxConcurrent: 50, lanes })
  const most = { 'tenant:a': 1, 'tenant:b': 1, 'tenant:big': 2, free: 3 }
  // Lanes that were tried, and answered at once, get slots without further ado.
  for (const lane of Object.keys(most)) await add(lane)
  await until(async () => {
    release()
    return (await jobs.list({ state: 'done' })).items.length === 4
  })
  begun.length = 0
  for (const lane of Object.keys(most)) for (let job = 0; job < 3; job += 1) await add(lane)
  const count = (lane: string) => begun.filter((name) => name === lane).length
  await until(() => Object.entries(most).every(([lane, wanted]) => count(lane) >= wanted))
  await quiet()
  t.strictSame(Object.fromEntries(Object.keys(most).map((lane) => [lane, count(lane)])), most)
  await until(() => {
    release()
    return begun.length === 12
  })
})

t.test('a paused lane begins nothing until it is resumed; what runs goes on', async (t) => {
  const { jobs, begun, release, add } = await opened(t, { lanes: { quick: { concurrent: 9 } } })
  await add('slow', 'first')
  await until(() => begun.length === 1)
  for (const lane of ['slow', 'quick']) {
    await jobs.lanes.pause(lane)
    await add(lane, `${lane} waits`)
  }
  await add('other')
  await until(() => begun.includes('other'))
  await quiet()
  t.strictSame(begun, ['first', 'other'])
  const { items } = await jobs.lanes.list()
  const none = { oldestMs: null, concurrent: null, rate: null }
  t.match(items, [
    { ...none, lane: 'other', paused: false, waiting: 0, running: 1 },
    { lane: 'quick', paused: true, waiting: 1, running: 0, concurrent: 9 },
    { lane: 'slow', paused: true, waiting: 1, running: 1, rate: null }
  ])
  t.ok((items[2]?.oldestMs ?? -1) >= 0)
  release()
  await until(async () => (await jobs.lanes.list()).items.at(-1)?.running === 0)
  await quiet()
  t.strictSame(begun, ['first', 'other'], 'its slot is free, and it is paused still')
  for (const lane of ['slow', 'quick']) await jobs.lanes.resume(lane)
  await until(() => begun.length === 4)
})

t.test('lanes that options name are listed without jobs too, page after page', async (t) => {
  const rate = { max: 2, perS: 1 }
  const lanes = { b: { rate }, d: { concurrent: 3 }, 'e*': { concurrent: 1 } }
  const { jobs, add } = await opened(t, { run: false, lanes })
  for (const lane of ['a', 'c', 'd', 'e1']) await add(lane)
  await jobs.lanes.pause('f')
  const pages: string[][] = []
  for (let after: string | null | undefined; after !== null; ) {
    const { items, next } = await jobs.lanes.list({ limit: 2, ...(after !== undefined && { after }) })
    pages.push(items.map(({ lane, waiting }) => `${lane} ${waiting}`))
    after = next
  }
  t.strictSame(pages, [
    ['a 1', 'b 0'],
    ['c 1', 'd 1'],
    ['e1 1', 'f 0']
  ])
  const { items } = await jobs.lanes.list()
  t.match(items[1], { lane: 'b', concurrent: null, rate: { ...rate, burst: 2 } })
  t.match(items[4], { lane: 'e1', concurrent: 1, rate: null })
  await t.rejects(jobs.lanes.list({ limit: 0 }), /limit/)
})

t.test('what is no name of a lane is refused', async (t) => {
  const { jobs } = await opened(t)
  for (const lane of ['', 'x'.repeat(201), 7 as never]) {
    await t.rejects(jobs.lanes.pause(lane), { code: 'SVC_JOBS_LANE', statusCode: 400 })
    await t.rejects(jobs.lanes.resume(lane), { code: 'SVC_JOBS_LANE' })
  }
  t.strictSame((await jobs.lanes.list()).items, [])
})

t.test('a job has the priority of its definition, unless it is added with another', async (t) => {
  const order: string[] = []
  const { jobs } = await opened(t, { lanes: { one: { concurrent: 1 } } }, (jobs) => {
    const work = (body: unknown) => void order.push((body as { name: string }).name)
    jobs.define('plain', { lane: 'one' }, work)
    jobs.define('soon', { lane: 'one', priority: 'high' }, work)
  })
  await jobs.lanes.pause('one')
  const added = [
    await jobs.add('plain', { name: 'low' }, { priority: 'low' }),
    await jobs.add('plain', { name: 'normal' }),
    await jobs.add('soon', { name: 'high' }),
    await jobs.add('soon', { name: 'urgent' }, { priority: 'urgent' })
  ]
  const priorities = await Promise.all(added.map(async ({ id }) => (await jobs.get(id)).priority))
  t.strictSame(priorities, ['low', 'normal', 'high', 'urgent'])
  await jobs.lanes.resume('one')
  await until(() => order.length === 4)
  t.strictSame(order, ['urgent', 'high', 'normal', 'low'])
})

t.test('a priority that there is not is refused, in a definition and of a job', async (t) => {
  const priority = 'huge' as never
  const { jobs } = await opened(t, {}, (jobs) => {
    t.throws(() => jobs.define('spoilt', { priority }, () => undefined), { code: 'SVC_JOBS_PRIORITY' })
  })
  await t.rejects(jobs.add('work', { lane: 'a' }, { priority }), {
    code: 'SVC_JOBS_PRIORITY',
    message: /"huge".+urgent, high, normal, low/
  })
})
