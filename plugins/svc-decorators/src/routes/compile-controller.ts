/** Controller classes into Fastify routes, and the line that each has in the route listing. */
import { BootError, type Problem, type RouteSecurity } from 'svc-kernel'
import { assembleRoutes } from '../compile/assemble-routes.ts'
import { compileClass } from '../compile/compile-class.ts'
import { joinPaths } from '../compile/route-path.ts'
import type { ControllerClass } from '../declarations/declarations.ts'
import { type BuiltRoute, buildRoute, type ControllerRoute } from './build-route.ts'

/** An entry of `fastify.controllers`. */
export interface CompiledRoute extends RouteSecurity {
  /** `GET`, `POST`, ...; `WEBSOCKET` where it answers nothing else. */
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
 * @throws BootError with every mistake of the class
 */
export function compileController(Class: ControllerClass, options: { prefix?: string } = {}): ControllerRoute[] {
  return compileControllers([Class], options.prefix, []).map((route) => route.options)
}

/**
 * Compiles classes that share an application, so that routes which meet on one path are found.
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
): BuiltRoute[] {
  const compiled = classes.map((Class) => compileClass(Class, prefix, hasCompiler))
  const assembled = assembleRoutes(compiled.flatMap(({ endpoints }) => endpoints))
  const problems = [...found, ...compiled.flatMap((each) => each.problems), ...assembled.problems]
  if (problems.length > 0) throw new BootError(problems)
  return assembled.plans.map(buildRoute)
}

/** @param prefix of the Fastify instance that declares the route */
export function describeRoute({ method, url, config }: ControllerRoute, prefix: string): CompiledRoute {
  const onlySocket = !config.svc.transports.includes('HTTP')
  return Object.freeze({ ...config.svc, method: onlySocket ? 'WEBSOCKET' : method, path: joinPaths(prefix, url) })
}
