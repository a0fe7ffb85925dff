/**
 * The Fastify handler of a controller method that is a job. Only a run of the job reaches it: the router finds its route
 * for no other request. The result of the method is no answer, and what it throws goes back to the run.
 */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { CurrentJob } from 'svc-kernel'
import { type OperationRun, operationOf } from 'svc-kernel/plugin'
import type { Invocation } from '../compile/endpoint.ts'
import { jobReader } from './argument-readers.ts'
import { compileExecutor } from './compile-executor.ts'

/** The constraint of the routes of jobs. */
export const JOB_CONSTRAINT = { svcJob: 'run' }

/** Makes the router tell runs of jobs from requests. */
export function tellJobRuns(fastify: FastifyInstance): void {
  if (fastify.hasConstraintStrategy('svcJob')) return
  fastify.addConstraintStrategy({
    name: 'svcJob',
    storage: () => {
      const routes = new Map<string, never>()
      return {
        get: (key) => routes.get(key as string) ?? null,
        set: (key, route) => void routes.set(key as string, route as never)
      }
    },
    deriveConstraint: (raw) => (operationOf({ raw: raw as never }) === null ? undefined : JOB_CONSTRAINT.svcJob),
    mustMatchWhenDerived: true
  })
}

/** What a path says of a request, the body says of a job. */
export const enterRun: onRequestHookHandler = function enterRun(request, reply, done) {
  const run = operationOf(request) as OperationRun
  run.enter(request, reply)
  request.body = run.body
  request.params = { ...scalars(run.body), ...(request.params as object) }
  done()
}

function scalars(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {}
  const fields = Object.entries(body).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}

export const failRun: RouteOptions['errorHandler'] = function failRun(error, request, reply) {
  operationOf(request)?.fail(error)
  reply.code(error.statusCode ?? 500).send()
}

export function jobHandler(invocation: Invocation): RouteHandlerMethod {
  const execute = compileExecutor(
    invocation,
    invocation.parameters.map(jobReader),
    (request: FastifyRequest, job: CurrentJob) => ({ transport: 'JOB', request, job })
  )

  return async function handle(request, reply) {
    const run = operationOf(request) as OperationRun
    run.began = true
    try {
      await execute(this, request, run.job)
    } catch (error) {
      run.fail(error)
    }
    return reply.code(204).send()
  }
}
