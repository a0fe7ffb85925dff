/** Changes that administrators make to jobs, lanes and schedules: behind the guards, and in the journal with who made them. */
import type { FastifyRequest, FastifySchema, preParsingHookHandler } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import { adminChange, adminRoute, strictQuery } from 'svc-kernel/plugin'
import { JobsUnavailable } from '../errors.ts'

export const JOBS_API = '/svc/jobs/api'

/** Options of a route that reads. @param name what reports call it @param query the parameters that it takes */
export function readingRoute(name: string, summary: string, schema: FastifySchema, query: readonly string[] = []) {
  return { ...adminRoute(`svc.jobs.${name}`), ...settings(summary, schema), preValidation: strictQuery(query) }
}

/** Options of a route that changes something. @param name what reports call it */
export function changingRoute(name: string, summary: string, schema: FastifySchema) {
  return { ...adminChange(`svc.jobs.${name}`, csrf), ...settings(summary, schema), bodyLimit: BODY_LIMIT }
}

/** Records a change. @param resource id of the job, or name of the lane or schedule */
export function auditChange(request: FastifyRequest, action: string, resource: string): void {
  const { server, ip, id } = request
  if (!server.hasDecorator('audit')) return
  server.audit.record({
    category: 'config',
    action,
    outcome: 'success',
    actor: request.user?.identifier ?? null,
    resource,
    ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: id
  })
}

/** The longest body is a filter of a few short texts. */
const BODY_LIMIT = 2048

function settings(summary: string, schema: FastifySchema) {
  const errors = [...(schema.errors ?? []), JobsUnavailable]
  return { preValidation: strictQuery([]), schema: { ...schema, errors, tags: ['jobs'], summary } }
}

/** svc-security may be registered after svc-jobs. */
const csrf: preParsingHookHandler = function guardCsrf(request, reply, payload, done) {
  const guard = decoratorOf(this, 'gates')?.csrf
  return guard === undefined ? done(null, payload) : guard.call(this, request, reply, payload, done)
}
