/**
 * Who caused a job: the caller of the request that added it, or the cause of the job that did. It names people and
 * requests and holds no credential; it is taken from the context, never from what a caller sends.
 */
import type { FastifyInstance } from 'fastify'
import { currentRequest, type JobCause } from 'svc-kernel'
import { type CarriedIdentity, currentCause, enclosingCause, operationOf, withCause } from 'svc-kernel/plugin'
import { JobCaused } from '../errors.ts'
import type { StoredCause } from '../records/job-record.ts'

interface CausingJob {
  readonly id: string
  readonly cause: StoredCause | null
}

const NOBODY: JobCause = { user: null, token: null, requestId: null, job: null }

export class JobCauses {
  readonly #fastify: Pick<FastifyInstance, 'jobOperations' | 'carriedContexts'>

  constructor(fastify: Pick<FastifyInstance, 'jobOperations' | 'carriedContexts'>) {
    this.#fastify = fastify
  }

  /**
   * @param as identifier of the user that the job runs as, where nobody causes it
   * @returns the cause of a job that is added now; `null` outside of requests and jobs
   * @throws JobCaused where somebody does
   */
  current(as?: string): StoredCause | null {
    const found = as === undefined ? this.#found() : named(as, this.#found())
    const contexts = this.#fastify.carriedContexts.take()
    if (contexts === undefined) return found
    return { ...(found ?? NOBODY), contexts }
  }

  /** Runs an attempt within what went along: jobs that it adds have the cause of this job. Rejects with what `work` throws. */
  within({ id, cause }: CausingJob, work: () => unknown): Promise<unknown> {
    const { contexts, ...known }: StoredCause = cause ?? NOBODY
    const enclosed = async () => work()
    return withCause({ ...known, job: id }, () =>
      contexts === undefined ? enclosed() : this.#fastify.carriedContexts.enter(contexts, enclosed)
    )
  }

  /** A job that a job adds has the identity of that one, too. */
  #found(): StoredCause | null {
    const cause = currentCause()
    const request = currentRequest()
    const { jobOperations } = this.#fastify
    const isCaller = request !== undefined && operationOf(request) === null
    if (cause === null || !isCaller || jobOperations.declared.length === 0) return cause
    return { ...cause, identity: jobOperations.carry(request) }
  }
}

/** The identity that the running job has, for the request by which it runs. */
export function currentIdentity(): CarriedIdentity | null {
  return (enclosingCause() as StoredCause | null)?.identity ?? null
}

/** Without what goes along. @returns `null` for a job of the application itself */
export function shownCause(cause: StoredCause | null): JobCause | null {
  if (cause === null) return null
  const { user, token, requestId, job } = cause
  const { id: organization } = (cause.contexts?.organization ?? {}) as { readonly id?: string }
  if (user === null && requestId === null && job === null && organization === undefined) return null
  return { user, token, requestId, job, ...(organization === undefined ? {} : { organization }) }
}

function named(as: string, found: StoredCause | null): StoredCause {
  if (found !== null && (found.user !== null || found.requestId !== null)) throw new JobCaused(as)
  const proof = { carrier: 'unknown', ambient: true, subject: 'person' } as const
  const identity = { user: as, roles: null, zone: null, token: { type: 'job' }, proof }
  return { ...NOBODY, job: found?.job ?? null, user: as, token: 'job', identity }
}
