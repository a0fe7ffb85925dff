/**
 * An instance with a maintenance task that is due every minute, in a separate process. Each run reports its begin and its
 * end to the referee; `POST /report` tells it how each job of the task stands. The parent gives storage, clock and referee as JSON in the first
 * argument.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcJobs from 'svc-jobs'
import svcOrm from 'svc-orm'
import svcStores from 'svc-stores'
import { storageDriver } from '../campaign/storage-driver.ts'
import { serveInstance } from '../serve-instance.ts'
import { type JobAppSettings, jobParts } from './job-app.ts'

/** Long enough to be killed in between. */
const WORK_MS = 500

function maintained({ referee }: JobAppSettings, { clock }: Awaited<ReturnType<typeof jobParts>>) {
  let runs = 0
  const tell = async (what: 'begin' | 'end', kind: string, name: string | number) => {
    const answer = await fetch(`${referee}/${what}/${process.pid}/${kind}/${name}`, { method: 'POST' })
    await answer.arrayBuffer()
  }
  const work = async () => {
    runs += 1
    const run = `${process.pid}-${runs}`
    await tell('begin', 'run', run)
    await sleep(WORK_MS)
    await tell('end', 'run', run)
    return 1
  }
  return fp(async (fastify: FastifyInstance) => {
    fastify.maintenance.declare({ name: 'things', store: 'jobs', everyS: 60, clock, work })
    fastify.post('/report', async () => {
      const { items } = await fastify.jobs.list({ name: 'svc.maintenance.things', limit: 1000 })
      for (const { id, state } of items) await tell('end', state, id)
      return {}
    })
  })
}

async function run(settings: JobAppSettings): Promise<void> {
  const parts = await jobParts(settings)
  await serveInstance(import.meta.url, [
    [svcOrm, { parts: { entities: [] } }],
    [svcStores, { parts: { clock: parts.clock } }],
    await storageDriver(settings.storage),
    [svcJobs, { parts }],
    maintained(settings, parts)
  ])
}

const [, program, settings] = process.argv
if (settings !== undefined && import.meta.filename === program) await run(JSON.parse(settings) as JobAppSettings)
