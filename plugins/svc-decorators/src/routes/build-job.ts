/** Turns the job of a method into the route by which it runs: guarded as its other routes, and found by runs of it only. */
import type { JobOperation } from 'svc-kernel/plugin'
import type { JobPlan } from '../compile/compile-jobs.ts'
import { enterRun, failRun, JOB_CONSTRAINT, jobHandler } from '../executor/job-handler.ts'
import { type ControllerRoute, guardOptions, limitedOperation, named } from './build-route.ts'

export interface BuiltJob {
  readonly operation: JobOperation
  readonly options: ControllerRoute
}

/** Longer than any attempt: svc-jobs ends them. */
const HANDLER_TIMEOUT_MS = 2_000_000_000

export function buildJob({ operation, endpoint }: JobPlan): BuiltJob {
  const { name, label, path, source } = operation
  const limited = limitedOperation(endpoint, endpoint.name ?? label)
  const { requirement, anonymous, bypassFirewall } = endpoint.access
  const transports = Object.freeze(['JOB'] as const)
  const options: ControllerRoute = {
    ...guardOptions(endpoint, null, limited, {}, []),
    // Before the guard, whose subject may be a field of the body.
    onRequest: enterRun,
    method: 'POST',
    url: path,
    constraints: JOB_CONSTRAINT,
    // `name` is of the route, of which the one over HTTP may have the label.
    config: {
      ...(limited === null ? {} : { limits: limited.limits }),
      svc: Object.freeze({ name: `job:${name}`, requirement, anonymous, bypassFirewall, transports, source })
    },
    schema: { hide: true } as object,
    handlerTimeout: HANDLER_TIMEOUT_MS,
    errorHandler: failRun as NonNullable<ControllerRoute['errorHandler']>,
    handler: named(label, jobHandler(endpoint.invocation))
  }
  return { operation, options }
}
