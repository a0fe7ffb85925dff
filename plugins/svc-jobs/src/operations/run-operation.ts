/**
 * Runs a method of a controller as an attempt at its job: by a request that is made inside this process, through the
 * whole server but for the network. The firewall decides who it is, the guard whether it may, as for every other request.
 */
import type { FastifyInstance } from 'fastify'
import { innerCall, type JobOperation, markOperation, OperationRun, readableError } from 'svc-kernel/plugin'
import type { JobWork } from '../definitions/job-definition.ts'
import { JobNotBegun, JobRefused } from '../errors.ts'
import { currentIdentity } from './job-cause.ts'

export function runOperation(fastify: FastifyInstance, { path }: JobOperation): JobWork<unknown> {
  return async (body, job) => {
    // Hooks that open the guards run at the end of the boot, perhaps after the worker has started.
    await fastify.ready()
    const run = new OperationRun(job, body, currentIdentity())
    const response = await innerCall(fastify, {
      method: 'POST',
      url: filled(path, body),
      headers: { host: 'localhost' },
      remoteAddress: '127.0.0.1',
      mark: (raw) => markOperation(raw, run)
    }).answer
    const { began, failure } = run
    if (!began) throw notBegun(response.status, failure?.error)
    if (failure !== null) throw failure.error
  }
}

/** Of the firewall, of the guard, and of the router, for a parameter that is too long. */
const REFUSALS = [401, 403, 404, 414]

/** A refusal holds until somebody changes it; anything else passes. */
function notBegun(status: number, error: unknown): Error {
  const why = error === undefined ? `its request was answered with ${status}` : readableError(error).message
  return REFUSALS.includes(status) ? new JobRefused(why) : new JobNotBegun(why)
}

/** The parameters of the path are fields of the body. @throws JobRefused without one */
function filled(path: string, body: unknown): string {
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith(':') || segment.startsWith('::')) return segment.replaceAll('::', ':')
    const value = (body as Readonly<Record<string, unknown>> | null)?.[segment.slice(1)]
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new JobRefused(`its body has no ${segment.slice(1)}, which the path ${path} needs`)
    }
    return encodeURIComponent(value)
  })
  return segments.join('/')
}
