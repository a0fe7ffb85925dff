/** `compileController`: one class into plain Fastify route options, for an application without the plugin. */
import { BootError } from 'svc-kernel'
import type { ControllerClass } from '../declarations/class-declarations.ts'
import { assembleRoutes } from './assemble-routes.ts'
import { compileClass } from './compile-class.ts'
import { buildRoute, type ControllerRoute } from './route-options.ts'

/**
 * Compiles a controller class. Each result goes to `fastify.route(...)` of any
 * Fastify 5; guarded routes answer 403 there until an access engine is installed,
 * and WEBSOCKET routes answer 426 until @fastify/websocket is.
 *
 * @param options `prefix` is put before the controller's own
 * @throws BootError with every mistake of the class
 */
export function compileController(Class: ControllerClass, options: { prefix?: string } = {}): ControllerRoute[] {
  const compiled = compileClass(Class, options.prefix)
  const assembled = assembleRoutes(compiled.endpoints)
  const problems = [...compiled.problems, ...assembled.problems]
  if (problems.length > 0) throw new BootError(problems)
  return assembled.plans.map((plan) => buildRoute(plan).options)
}
