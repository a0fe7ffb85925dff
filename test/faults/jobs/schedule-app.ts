/**
 * An instance whose schedule is due every minute, in a separate process. Each run tells the referee the slot that it is
 * for; `POST /report` tells it the last slot that has a job or waits. The parent gives storage, clock and referee as JSON in the
 * first argument.
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

const WORK_MS = 15

function scheduled({ referee }: JobAppSettings) {
  const tell = async (what: 'begin' | 'end', kind: string, slot: number) => {
    const answer = await fetch(`${referee}/${what}/${process.pid}/${kind}/${slot}`, { method: 'POST' })
    await answer.arrayBuffer()
  }
  return fp(async (fastify: FastifyInstance) => {
    const { jobs } = fastify
    jobs.define('minute', { retries: 50 }, async (_, { id }) => {
      // The id begins with the time of the slot.
      const slot = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
      await tell('begin', 'slot', slot)
      await sleep(WORK_MS)
      await tell('end', 'slot', slot)
    })
    jobs.schedule('minute', '* * * * *', { zone: 'Asia/Kathmandu', catchUp: 'all', overlap: 'queue' })
    fastify.post('/report', async () => {
      const [state] = await jobs.schedules.list()
      if (state?.lastSlot != null) await tell('end', 'last', state.lastSlot + state.waiting * 60_000)
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
    [svcJobs, { maxConcurrent: 8, parts }],
    scheduled(settings)
  ])
}

const [, program, settings] = process.argv
if (settings !== undefined && import.meta.filename === program) await run(JSON.parse(settings) as JobAppSettings)
