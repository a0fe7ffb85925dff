/** Jobs and batches for administrators: tried again, one or many, or cancelled. Values of its body that are named like secrets never leave. */
import type { FastifyInstance } from 'fastify'
import { flag, object, textUpTo } from 'svc-kernel/schemas'
import { BatchNotFound, JobKeyTaken, JobNotFound, JobState } from '../errors.ts'
import type { JobListing, Jobs } from '../jobs.ts'
import { JOB_STATES } from '../records/job-record.ts'
import { type RedriveFilter, redriveFilter } from '../redrive/redrive.ts'
import { auditChange, changingRoute, JOBS_API, readingRoute } from './admin-change.ts'
import * as answers from './answers.ts'

const params = object({ id: textUpTo(200) })

interface ById {
  readonly Params: { readonly id: string }
}

const name = textUpTo(100)

const querystring = {
  type: 'object',
  properties: {
    state: { type: 'array', maxItems: JOB_STATES.length, items: { enum: JOB_STATES } },
    name,
    system: flag,
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    before: textUpTo(200)
  }
} as const

export function jobRoutes(fastify: FastifyInstance, jobs: Jobs): void {
  fastify.get<{ Querystring: JobListing }>(
    `${JOBS_API}/jobs`,
    readingRoute(
      'list',
      'Jobs, the newest first, without their bodies',
      { querystring, response: { 200: answers.jobs } },
      Object.keys(querystring.properties)
    ),
    async ({ query }, reply) => {
      reply.header('cache-control', 'no-store')
      return jobs.list(query)
    }
  )

  fastify.get<{ Querystring: { name?: string; system?: boolean } }>(
    `${JOBS_API}/counts`,
    readingRoute(
      'counts',
      'How many jobs are in each state, and since when the first of them waits',
      { querystring: object({}, { name, system: flag }), response: { 200: answers.counts } },
      ['name', 'system']
    ),
    async ({ query }, reply) => {
      reply.header('cache-control', 'no-store')
      return { ...(await jobs.counts(query)), names: query.system === true ? jobs.systemNames : jobs.names }
    }
  )

  fastify.get<ById>(
    `${JOBS_API}/jobs/:id`,
    readingRoute('get', 'A job: its state, attempts, reason, cause and masked body', {
      params,
      response: { 200: answers.job },
      errors: [JobNotFound]
    }),
    async ({ params: { id } }, reply) => {
      reply.header('cache-control', 'no-store')
      return jobs.masked(id)
    }
  )

  fastify.get<ById>(
    `${JOBS_API}/batches/:id`,
    readingRoute('batch', 'A batch: its state, and how many of its jobs are not done', {
      params,
      response: { 200: answers.batch },
      errors: [BatchNotFound]
    }),
    async ({ params: { id } }, reply) => {
      reply.header('cache-control', 'no-store')
      return jobs.getBatch(id)
    }
  )

  fastify.post<{ Body: RedriveFilter }>(
    `${JOBS_API}/redrive`,
    changingRoute('redrive', 'Add a job that runs jobs again which have failed or are parked', {
      body: redriveFilter,
      response: { 202: answers.added }
    }),
    async (request, reply) => {
      const { id, name } = await jobs.redrive(request.body)
      auditChange(request, 'job.redriven', id)
      return reply.code(202).header('location', `${JOBS_API}/jobs/${id}`).send({ id, name })
    }
  )

  const change = (name: 'retry' | 'cancel', action: string, summary: string, errors: (typeof JobState)[]) =>
    fastify.post<ById>(
      `${JOBS_API}/jobs/:id/${name}`,
      changingRoute(name, summary, { params, response: { 200: answers.job }, errors: [JobNotFound, ...errors] }),
      async (request, reply) => {
        const { id } = request.params
        await jobs[name](id)
        auditChange(request, action, id)
        reply.header('cache-control', 'no-store')
        return jobs.masked(id)
      }
    )
  change('retry', 'job.retried', 'Run a job again that has failed, is parked or cancelled', [JobState, JobKeyTaken])
  change('cancel', 'job.cancelled', 'Cancel a job that has not ended, and abort its attempt', [JobState])
}
