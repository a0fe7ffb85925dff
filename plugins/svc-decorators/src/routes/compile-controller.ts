/** Controller classes into Fastify routes, and the line that each has in the route listing. */
import { BootError, type Problem, type RouteSecurity } from 'svc-kernel'
import { assembleRoutes } from '../compile/assemble-routes.ts'
import { compileClass } from '../compile/compile-class.ts'
import { jobNameProblems } from '../compile/compile-jobs.ts'
import { joinPaths } from '../compile/route-path.ts'
import type { ControllerClass } from '../declarations/declarations.ts'
import { type BuiltJob, buildJob } from './build-job.ts'
import { type BuiltRoute, buildRoute, type ControllerRoute } from './build-route.ts'

/** An entry of `fastify.controllers`. */
export interface CompiledRoute extends RouteSecurity {
  /** `GET`, `POST`, ...; `WEBSOCKET` or `JOB` where it answers nothing else. */
  readonly method: string
  /** Full template, with the prefix of the instance. */
  readonly path: string
}

/**
 * Compiles a controller class. Each result goes to `fastify.route(...)` of any
 * Fastify 5; guarded routes answer 403 there until an access engine is installed,
 * and WEBSOCKET routes answer 426 until @fastify/websocket is.
 *
 * @param options `prefix` is put before the controller's own
 * @throws BootError with every mistake of the class, and for its jobs, which svc-decorators alone declares
 */
export function compileController(Class: ControllerClass, options: { prefix?: string } = {}): ControllerRoute[] {
  const { routes, jobs } = compileControllers([Class], options.prefix, [])
  const [job] = jobs
  if (job === undefined) return routes.map((route) => route.options)
  const { label, source } = job.operation
  const fix = 'register svc-decorators with { controllers: [...] }'
  const message = `${label} is a job, which plain routes cannot run`
  throw new BootError([{ code: 'SVC_JOB_METHOD', message, at: source ?? undefined, fix }])
}

/**
 * Compiles classes that share an application, so that routes which meet on one path, and jobs of one name, are found.
 *
 * @param found problems that are already known
 * @param hasCompiler whether the server may have a compiler that reads schemas of any kind
 * @throws BootError with these and every mistake of the classes
 */
export function compileControllers(
  classes: readonly ControllerClass[],
  prefix: string | undefined,
  found: readonly Problem[],
  hasCompiler = true
): { readonly routes: readonly BuiltRoute[]; readonly jobs: readonly BuiltJob[] } {
  const compiled = classes.map((Class) => compileClass(Class, prefix, hasCompiler))
  const assembled = assembleRoutes(compiled.flatMap(({ endpoints }) => endpoints))
  const jobs = compiled.flatMap((each) => each.jobs)
  const own = compiled.flatMap((each) => each.problems)
  const problems = [...found, ...own, ...assembled.problems, ...jobNameProblems(jobs)]
  if (problems.length > 0) throw new BootError(problems)
  return { routes: assembled.plans.map(buildRoute), jobs: jobs.map(buildJob) }
}

/** @param prefix of the Fastify instance that declares the route */
export function describeRoute({ method, url, config }: ControllerRoute, prefix: string): CompiledRoute {
  const { transports } = config.svc
  const shown = transports.includes('HTTP') ? method : transports[0]
  return Object.freeze({ ...config.svc, method: shown ?? method, path: joinPaths(prefix, url) })
}
