/** An application with jobs and rows in one database in memory. */
import Fastify, { type FastifyServerOptions } from 'fastify'
import type { Clock } from 'svc-kernel'
import svcOrm, { defineEntity } from 'svc-orm'
import { ensureStores } from 'svc-stores'
import { memoryDatabase } from 'svc-stores/table'
import type { Test } from 'tap'
import svcJobs, { type Jobs, type SvcJobsOptions } from '../../src/index.ts'

export const Note = defineEntity({
  name: 'Note',
  schema: { title: { type: 'string' } },
  indexes: [{ fields: ['title'], unique: true }]
})

export interface OpenedParts {
  readonly options?: SvcJobsOptions
  readonly clock?: Clock
  readonly server?: FastifyServerOptions
}

export async function openedJobs(t: Test, define: (jobs: Jobs) => void, parts: OpenedParts = {}) {
  const { options = {}, clock, server = {} } = parts
  const fastify = Fastify(server)
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { parts: { entities: [Note] } })
  const database = memoryDatabase({ name: 'default', ...(clock && { clock }) })
  fastify.orm.addConnector(database)
  await ensureStores(fastify, clock && { clock })
  fastify.stores.addDatabase('sqlorm', database)
  await fastify.register(svcJobs, { ...options, ...(clock && { parts: { clock } }) })
  define(fastify.jobs)
  await fastify.ready()
  return fastify
}

/** Waits until a job has ended. */
export async function ended(jobs: Jobs, id: string) {
  for (let turns = 0; turns < 100_000; turns += 1) {
    const job = await jobs.get(id)
    if (job.endedAt !== null) return job
    await new Promise(setImmediate)
  }
  throw new Error('the job has not ended')
}
