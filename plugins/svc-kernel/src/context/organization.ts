/**
 * The organisation in whose name the caller works: that of the request, as svc-organizations has resolved it, or one that
 * work outside of requests has entered. It is never part of a session: each request names its own.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { operationOf } from '../ports/inner-requests.ts'
import { currentRequest } from './request-context.ts'

interface Entered {
  /** `null`: none. */
  readonly id: string | null
  /** In which it was entered; another request speaks for itself. */
  readonly request: FastifyRequest | undefined
}

const entered = new AsyncLocalStorage<Entered>()

/** The id of the organisation of the current request or job; `null` without one. Set by svc-organizations. */
export function currentOrganization(): string | null {
  const request = currentRequest()
  const here = entered.getStore()
  if (here !== undefined && here.request === request) return here.id
  return request?.organization ?? null
}

/**
 * Runs `work`, such as a job, in the name of an organisation. Whoever calls it has checked that the caller may.
 *
 * @param id `null`: of none, whatever the request names
 */
export function runInOrganization<T>(id: string | null, work: () => T): T {
  return entered.run({ id, request: currentRequest() }, work)
}

/** The organisation of the job by which a request of this process runs; `null` for every other request. */
export function organizationOfJob(request: FastifyRequest): string | null {
  return operationOf(request) === null ? null : (entered.getStore()?.id ?? null)
}

const PREFIX = 'ORG_'

/** Whether an attribute of a guard is decided by the organisation of the request: `ORG_BILLING`. */
export function asksOrganization(attribute: string): boolean {
  return attribute.startsWith(PREFIX) && attribute.length > PREFIX.length
}
