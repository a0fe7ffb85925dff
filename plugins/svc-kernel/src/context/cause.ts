/**
 * Who caused what is under way: the caller of the current request, or whoever caused the job or the event that runs outside
 * of one. It is taken from the context, never from what a caller sends.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ANONYMOUS } from '../identity/identity.ts'
import type { JobCause } from '../jobs/current-job.ts'
import { operationOf } from '../ports/inner-requests.ts'
import { currentRequest } from './request-context.ts'

const REQUEST_ID = 200

const causes = new AsyncLocalStorage<JobCause>()

/** Runs `work` as what a job or an event caused. @param cause with the id of the job, where one runs */
export function withCause<T>(cause: JobCause, work: () => T): T {
  return causes.run(cause, work)
}

/** Of the job or event that runs, whatever request is current. */
export function enclosingCause(): JobCause | null {
  return causes.getStore() ?? null
}

/** @returns `null` outside of requests, jobs and events that somebody caused */
export function currentCause(): JobCause | null {
  const request = currentRequest()
  const enclosing = enclosingCause()
  if (request === undefined || operationOf(request) !== null) return enclosing
  const { user, token, id } = request
  const known =
    user === null || user === ANONYMOUS
      ? { user: null, token: null }
      : { user: user.identifier, token: token?.type ?? null }
  return { ...known, requestId: id.slice(0, REQUEST_ID), job: enclosing?.job ?? null }
}
