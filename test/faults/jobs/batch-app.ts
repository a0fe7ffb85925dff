/**
 * An instance that adds batches, in a process of its own. `POST /batch/:name` adds four jobs and the one that follows them,
 * and is answered when all are stored. Each job stores a row in a step, so that a second attempt finds the step done;
 * `POST /report` tells the referee of each row. The parent gives storage, clock and referee as JSON in the first argument.
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcJobs from 'svc-jobs'
import svcOrm, { defineEntity } from 'svc-orm'
import svcStores from 'svc-stores'
import { storageDriver } from '../campaign/storage-driver.ts'
import { serveInstance } from '../serve-instance.ts'
import { fastClock, type JobAppSettings } from './job-app.ts'
import { redriving } from './operator.ts'

export const BATCH = 4

const Row = defineEntity({ name: 'Row', schema: { name: { type: 'string' } } })

function batches({ referee }: JobAppSettings) {
  const ended = async (kind: string, name: string) => {
    const answer = await fetch(`${referee}/end/${process.pid}/${kind}/${name}`, { method: 'POST' })
    await answer.arrayBuffer()
  }
  return fp(async (fastify: FastifyInstance) => {
    const { jobs, orm } = fastify
    const rows = () => orm.repository(Row)
    jobs.define('member', { retries: 50 }, async (body, { step, attempt }) => {
      const { name } = body as { name: string }
      await step('row', async (tx) => {
        await rows().withTransaction(tx).create({ name })
      })
      // Some fail between their step and their end.
      if (attempt === 1 && name.endsWith('1')) throw new Error('the first attempt fails')
      await ended('member', name)
    })
    jobs.define('next', { retries: 50 }, (body) => ended('next', (body as { name: string }).name))
    fastify.post<{ Params: { name: string } }>('/batch/:name', async ({ params: { name } }) => {
      const members = Array.from({ length: BATCH }, (_, place) => ({
        name: 'member',
        body: { name: `${name}-${place}` }
      }))
      return jobs.batch({ jobs: members, next: { name: 'next', body: { name } } })
    })
    fastify.post('/report', async () => {
      for (const { name } of await rows().find()) await ended('row', String(name))
      return {}
    })
  })
}

async function run(settings: JobAppSettings): Promise<void> {
  const clock = fastClock(settings)
  await serveInstance(import.meta.url, [
    [svcOrm, { parts: { entities: [Row] } }],
    [svcStores, { parts: { clock } }],
    await storageDriver(settings.storage),
    [svcJobs, { maxConcurrent: 8, parts: { clock } }],
    redriving(settings.referee),
    batches(settings)
  ])
}

const [, program, settings] = process.argv
if (settings !== undefined && import.meta.filename === program) await run(JSON.parse(settings) as JobAppSettings)
