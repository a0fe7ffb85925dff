/**
 * Methods of controllers that are jobs, as `fastify.jobOperations`: svc-decorators declares them, svc-jobs runs them, and
 * svc-security says who they run as. So a job without svc-jobs ends the boot, and one without svc-security passes no guard.
 */
import type { FastifyRequest } from 'fastify'
import { BootError } from '../problems/boot-error.ts'
import type { JobSettings, ScheduleSettings } from './current-job.ts'
import type { CarriedIdentity } from './operation-run.ts'

/** A schedule of `@Cron`. */
export interface DeclaredSchedule {
  readonly name: string
  readonly cron: string
  readonly settings: ScheduleSettings
  /** `file:line` */
  readonly source: string | null
}

/** A method of a controller that is a job. */
export interface JobOperation {
  /** Of the kind of job. */
  readonly name: string
  /** `Class.method` */
  readonly label: string
  /** Of its route, which only runs of the job reach: without parameters, the prefix of the controller included. */
  readonly path: string
  readonly source: string | null
  /** JSON Schema or Standard Schema; `undefined` for none. */
  readonly body: unknown
  readonly settings: JobSettings
  readonly schedules: readonly DeclaredSchedule[]
}

/** Takes the identity of a request along. */
export interface IdentityCarrier {
  /** @returns `null` for a caller that proved none */
  carry(request: FastifyRequest): CarriedIdentity | null
}

const NOBODY: IdentityCarrier = { carry: () => null }

/** `fastify.jobOperations`, one per application. */
export class JobOperations {
  readonly #declared: JobOperation[] = []
  #runs = false
  #carrier = NOBODY

  get declared(): readonly JobOperation[] {
    return this.#declared
  }

  declare(operation: JobOperation): void {
    this.#declared.push(operation)
  }

  /** Something runs them. */
  run(): void {
    this.#runs = true
  }

  carryBy(carrier: IdentityCarrier): void {
    this.#carrier = carrier
  }

  /** The identity of a request, for a job that it adds. */
  carry(request: FastifyRequest): CarriedIdentity | null {
    return this.#carrier.carry(request)
  }

  /** At the end of the boot. @throws BootError for jobs that nothing would run */
  check(): void {
    if (this.#runs || this.#declared.length === 0) return
    throw new BootError(
      this.#declared.map(({ label, name, source }) => ({
        code: 'SVC_JOBS_ENGINE',
        message: `${label} is the job "${name}", but svc-jobs is not registered`,
        at: source ?? undefined,
        fix: 'npx svc module:add jobs, or fastify.register(svcJobs)',
        more: 'npx svc docs jobs-on-controllers'
      }))
    )
  }
}
