/** Jobs for administrators: one job, tried again or cancelled. Values of its body that are named like secrets never leave. */
import type { FastifyInstance } from 'fastify'
import { MASK, maskOptions, mayBeSecretName } from 'svc-kernel/plugin'
import { object, textUpTo } from 'svc-kernel/schemas'
import { JobKeyTaken, JobNotFound, JobState } from '../errors.ts'
import type { JobListing, Jobs } from '../jobs.ts'
import { JOB_STATES, type JobRecord } from '../records/job-record.ts'
import { auditChange, changingRoute, JOBS_API, readingRoute } from './admin-change.ts'
import * as answers from './answers.ts'

const params = object({ id: textUpTo(200) })

interface ById {
  readonly Params: { readonly id: string }
}

const querystring = {
  type: 'object',
  properties: {
    state: { enum: JOB_STATES },
    name: textUpTo(100),
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

  fastify.get<ById>(
    `${JOBS_API}/jobs/:id`,
    readingRoute('get', 'A job: its state, attempts, reason, cause and masked body', {
      params,
      response: { 200: answers.job },
      errors: [JobNotFound]
    }),
    async ({ params: { id } }, reply) => {
      reply.header('cache-control', 'no-store')
      return shown(jobs, await jobs.get(id))
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
        return shown(jobs, await jobs.get(id))
      }
    )
  change('retry', 'job.retried', 'Run a job again that has failed, is parked or cancelled', [JobState, JobKeyTaken])
  change('cancel', 'job.cancelled', 'Cancel a job that has not ended, and abort its attempt', [JobState])
}

/** Unique keys are built from bodies, and are not shown; nor is a body that goes once its job is done. */
function shown(jobs: Jobs, { key: _key, uniqueKey: _uniqueKey, body, ...job }: JobRecord) {
  return { ...job, body: jobs.keepsBody(job.name) ? masked(body) : MASK }
}

/** What has the name of a secret is masked whole; addresses lose their credentials. */
function masked(body: unknown): unknown {
  const named = JSON.stringify(body, (name, value: unknown) => (value !== null && mayBeSecretName(name) ? MASK : value))
  return maskOptions(JSON.parse(named))
}
