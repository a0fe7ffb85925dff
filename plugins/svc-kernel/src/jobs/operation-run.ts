/** One run of a method of a controller that is a job: what its request, made inside this process, knows of it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Carrier, ProofSubject } from '../identity/proof-kind.ts'
import type { CurrentJob } from './current-job.ts'

/**
 * Who a job runs as: the identity that was proven when it was added. JSON, without a credential. What it may is judged
 * again when the job runs.
 */
export interface CarriedIdentity {
  readonly user: string
  /** Roles that it had; `null`: all that the user has when the job runs. */
  readonly roles: readonly string[] | null
  /** Name of the zone that admitted it; `null`: the application named the user. */
  readonly zone: string | null
  /** `type`, `scopes`, `provenAt`, `factors` and further attributes of the token. */
  readonly token: Readonly<Record<string, unknown>> & { readonly type: string }
  readonly proof: {
    readonly carrier: Carrier
    readonly ambient: boolean
    readonly subject: ProofSubject
    readonly stepUp?: boolean
  }
}

export class OperationRun {
  readonly job: CurrentJob
  readonly body: unknown
  /** `null`: it runs as the anonymous visitor. */
  readonly identity: CarriedIdentity | null
  /** The method was called. What comes before it is no failure of the job's own. */
  began = false
  /** Why the run was refused, or what the method threw. */
  failure: { readonly error: unknown } | null = null

  constructor(job: CurrentJob, body: unknown, identity: CarriedIdentity | null) {
    this.job = job
    this.body = body
    this.identity = identity
  }

  /** What its request logs and records belongs to the request that caused the job. */
  enter(request: FastifyRequest, reply?: FastifyReply): void {
    const { cause, log } = this.job
    request.log = log
    if (reply !== undefined) reply.log = log
    if (cause?.requestId != null) request.id = cause.requestId
  }

  /** The first failure counts. */
  fail(error: unknown): void {
    this.failure ??= { error }
  }
}
